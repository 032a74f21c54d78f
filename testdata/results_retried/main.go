// Command results_retried sums up parts, and steps back in its loop to do one part again:
// two goroutines may have the same index.
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
	retries := 1
	var wg sync.WaitGroup
	for i := 0; i < n; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			p.sums[i] = p.sums[i] + 1
		}()
		if i == 2 && retries > 0 {
			retries--
			i-- // once more
		}
	}
	wg.Wait()
	fmt.Println(len(p.sums))
}
