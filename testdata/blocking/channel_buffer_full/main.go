// Program channel_buffer_full: One value more is sent than the buffer holds, and nobody has begun to receive.
package main

import (
	"fmt"
)

func main() {
	names := make(chan string, 2)
	for _, n := range []string{"a", "b", "c"} {
		names <- n // want blocked
	}
	close(names)
	for n := range names {
		fmt.Println(n)
	}
}
