// Command shared_by_append gives the slice that append has made to two boards, each with a lock of its
// own.
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
	scores := append([]int(nil), make([]int, n)...)
	return &Board{scores: scores}, &Board{scores: scores}
}

func main() {
	a, b := pair(len(os.Args) + 1)
	var wg sync.WaitGroup
	wg.Go(func() { a.Add(0) })
	wg.Go(func() { b.Add(0) })
	wg.Wait()
	fmt.Println(a.sum, b.sum)
}
