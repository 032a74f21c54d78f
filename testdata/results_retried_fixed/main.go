// Command results_retried_fixed sums up parts, each with an index of its own.
package main

import (
	"fmt"
	"sync"
)

// Parts is sums of parts.
type Parts struct{ sums []int }

func main() {
	const n = 3
	p := &Parts{sums: make([]int, n)}
	var wg sync.WaitGroup
	for i := 0; i < n; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			p.sums[i] = p.sums[i] + 1
		}()
	}
	wg.Wait()
	fmt.Println(len(p.sums))
}
