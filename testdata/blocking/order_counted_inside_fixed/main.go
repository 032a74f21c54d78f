// Command order_counted_inside_fixed: who starts a worker counts it. A worker that is counted may count others.
package main

import (
	"fmt"
	"sync"
)

func main() {
	var all sync.WaitGroup
	for i := range 2 {
		all.Add(1)
		go func() {
			defer all.Done()
			all.Add(1)
			go func() {
				defer all.Done()
				fmt.Println("half of part", i)
			}()
			fmt.Println("part", i)
		}()
	}
	all.Wait()
	fmt.Println("done")
}
