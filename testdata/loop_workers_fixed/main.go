// Command loop_workers_fixed looks for the longest word with one worker for
// each word. Offer holds the lock from the comparison to the update.
package main

import (
	"fmt"
	"sync"
)

// Contest keeps the best entry seen so far.
type Contest struct {
	mu     sync.Mutex
	best   int
	winner string
}

// Offer makes name the winner if its score is the best so far.
func (c *Contest) Offer(name string, score int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if score <= c.best {
		return
	}
	c.best = score
	c.winner = name
}

// Result returns the winner and its score.
func (c *Contest) Result() (winner string, score int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.winner, c.best
}

func main() {
	contest := new(Contest)

	var wg sync.WaitGroup
	for _, word := range []string{"static", "model", "checker"} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			contest.Offer(word, len(word))
		}()
	}
	wg.Wait()

	fmt.Println(contest.Result())
}
