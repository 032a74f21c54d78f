// Command order_counted_inside: each worker counts itself when it begins, and who waits for all may have gone on before.
package main

import (
	"fmt"
	"sync"
)

func main() {
	var all sync.WaitGroup
	for i := range 2 {
		go func() {
			all.Add(1) // want order
			defer all.Done()
			fmt.Println("part", i)
		}()
	}
	all.Wait() // want order
	fmt.Println("done")
}
