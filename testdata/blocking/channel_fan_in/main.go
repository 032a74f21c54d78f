// Program channel_fan_in: The collector stops after a fixed number of values; there is one more.
package main

import (
	"fmt"
)

func main() {
	values := make(chan int)
	for i := range 3 {
		go func() {
			values <- i // want blocked
		}()
	}
	sum := 0
	for range 2 {
		sum += <-values
	}
	fmt.Println(sum)
}
