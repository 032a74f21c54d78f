// Command waitgroup_two_in_loop_fixed plays chess games, two at a time. Main looks at
// the score when they are over; it needs no lock then.
package main

import (
	"fmt"
	"sync"
)

// Score counts games.
type Score struct {
	mu    sync.Mutex
	games int
	wins  int
}

// Record counts a game.
func (s *Score) Record(won bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.games++
	if won {
		s.wins++
	}
}

func main() {
	score := &Score{}

	var wg sync.WaitGroup
	for range 3 {
		wg.Add(2)
		go func() {
			defer wg.Done()
			score.Record(true)
		}()
		go func() {
			defer wg.Done()
			score.Record(false)
		}()
	}
	wg.Wait()
	games := score.games
	wins := score.wins

	if wins > games {
		panic("more wins than games")
	}
	fmt.Println(wins, "of", games, "games won")
}
