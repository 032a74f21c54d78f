// Package score adds up the points of games. Its tests share one board: a bug
// between add and mean shows there.
package score

import "sync"

// Board is the points of all games played and their number.
type Board struct {
	mu     sync.Mutex
	points int
	games  int
}

// Add counts one game. It lets go of the lock in between.
func (b *Board) Add(points int) {
	b.mu.Lock()
	b.points += points
	b.mu.Unlock()
	b.mu.Lock()
	b.games++
	b.mu.Unlock()
}

// Mean returns the points per game.
func (b *Board) Mean() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.games == 0 {
		return 0
	}
	return b.points / b.games
}
