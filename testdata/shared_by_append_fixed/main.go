// Command shared_by_append_fixed gives each of two boards a slice that append has made.
package main

import (
	"fmt"
	"os"
	"sync"
)

// Board is scores and their sum.
type Board struct {
	mu     sync.Mutex
	scores []int
	sum    int
}

// Add adds to a score.
func (b *Board) Add(i int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.scores[i]++
	b.sum++
}

func pair(n int) (*Board, *Board) {
	empty := make([]int, n)
	return &Board{scores: append([]int(nil), empty...)}, &Board{scores: append([]int(nil), empty...)}
}

func main() {
	a, b := pair(len(os.Args) + 1)
	var wg sync.WaitGroup
	wg.Go(func() { a.Add(0) })
	wg.Go(func() { b.Add(0) })
	wg.Wait()
	fmt.Println(a.sum, b.sum)
}
