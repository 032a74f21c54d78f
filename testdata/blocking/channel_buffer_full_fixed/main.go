// Program channel_buffer_full_fixed: the mended channel_buffer_full.
package main

import (
	"fmt"
)

func main() {
	names := make(chan string, 3)
	for _, n := range []string{"a", "b", "c"} {
		names <- n
	}
	close(names)
	for n := range names {
		fmt.Println(n)
	}
}
