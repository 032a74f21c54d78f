// Command score_board_alone has score boards which take a lock only if they were
// made to be shared.
package main

import "sync"

// Board knows who played last, and the best score.
type Board struct {
	mu         sync.Mutex
	concurrent bool
	last       string
	best       int
}

// NewBoard returns a board. It is locked if many use it.
func NewBoard(concurrent bool) *Board {
	return &Board{concurrent: concurrent}
}

// Record takes down a score.
func (b *Board) Record(name string, score int) {
	if b.concurrent {
		b.mu.Lock()
		defer b.mu.Unlock()
	}
	b.last = name
	b.best = max(b.best, score)
}

// Best returns the best score.
func (b *Board) Best() int {
	if b.concurrent {
		b.mu.Lock()
		defer b.mu.Unlock()
	}
	return b.best
}

func main() {
	practice := NewBoard(false)
	practice.Record("nobody", 1)

	finals := NewBoard(false) // BUG: two goroutines use it
	var wg sync.WaitGroup
	wg.Go(func() {
		finals.Record("ann", 31)
		finals.Record("ann", 25)
	})
	wg.Go(func() { finals.Record("bob", 28) })
	wg.Wait()
	if finals.Best() < practice.Best() {
		panic("no practice needed")
	}
}
