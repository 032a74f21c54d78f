// Program channel_same_goroutine_fixed: the mended channel_same_goroutine.
package main

import (
	"fmt"
)

func main() {
	values := make(chan int, 1)
	values <- 1
	fmt.Println(<-values)
}
