// Program channel_fan_in_fixed: the mended channel_fan_in.
package main

import (
	"fmt"
)

func main() {
	values := make(chan int)
	for i := range 3 {
		go func() {
			values <- i
		}()
	}
	sum := 0
	for range 3 {
		sum += <-values
	}
	fmt.Println(sum)
}
