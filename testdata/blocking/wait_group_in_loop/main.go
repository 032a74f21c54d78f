// Program wait_group_in_loop: Wait is inside of the loop that starts the goroutines.
package main

import (
	"fmt"
	"sync"
)

func main() {
	var wg sync.WaitGroup
	wg.Add(2)
	for i := range 2 {
		go func() {
			defer wg.Done()
			fmt.Println(i)
		}()
		wg.Wait() // want blocked
	}
}
