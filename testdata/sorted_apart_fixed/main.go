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
	defer b.mu.Unlock()
	b.scores = append(b.scores, scores...)
	slices.Sort(b.scores)
	b.worst = b.scores[0]
}

// Worst returns the worst score of the best.
func (b *Board) Worst() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.worst
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
		}()
	}
	wg.Wait()
	fmt.Println(board.Worst()) // 6
}
