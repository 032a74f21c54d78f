// Program channel_same_goroutine: A goroutine sends on a channel without a buffer, and would receive afterwards itself.
package main

import (
	"fmt"
)

func main() {
	values := make(chan int)
	values <- 1 // want blocked
	fmt.Println(<-values)
}
