// Command sorted_apart keeps the best scores, sorted. Each player sorts scores of its own
// with the same function.
package main

import (
	"fmt"
	"slices"
	"sync"
)

// Board is the best scores.
type Board struct {
	mu     sync.Mutex
	scores []int
	worst  int
}

// Add adds scores.
func (b *Board) Add(scores []int) {
	b.mu.Lock()
	b.scores = append(b.scores, scores...)
	slices.Sort(b.scores)
	b.mu.Unlock()

	b.mu.Lock() // BUG: others may have seen the new scores with the old worst
	b.worst = b.scores[0]
	b.mu.Unlock()
}

// Best returns the worst score of the best, and how many those are.
func (b *Board) Best() (worst, n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.worst, len(b.scores)
}

func main() {
	board := &Board{}
	var wg sync.WaitGroup
	for player := range 3 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			var own []int // nobody else has them
			for game := range 4 {
				own = append(own, (player+2)*(7-game)%11)
			}
			slices.Sort(own)
			board.Add(own[2:])
			board.Best()
		}()
	}
	wg.Wait()
	fmt.Println(board.worst) // 6
}
