package main

import (
	"runtime"
	"sync/atomic"
)

// arity is how many goroutines play for one place in the next stage.
const arity = 4

// tournament is a barrier without a lock. In each stage groups of goroutines wait for each other: the first of
// a group goes on to the next stage when the others have lost to it, and who wins all stages lets all go on.
type tournament struct {
	lost    [goroutines]atomic.Int64 // by goroutine: the last round in which it has lost
	rounds  [goroutines]int64        // by goroutine: how many it has begun; nobody else looks
	release atomic.Int64             // the last round that has ended
}

func (t *tournament) meet(id int) {
	t.rounds[id]++
	round := t.rounds[id]
	for step := 1; step < goroutines; step *= arity {
		if id%(step*arity) != 0 {
			t.lose(id, round)
			return
		}
		for other := id + step; other < min(id+step*arity, goroutines); other += step {
			await(&t.lost[other], round)
		}
	}
	//empire:yield
	t.release.Store(round)
}

// lose tells the winner, and waits for the end of the round.
func (t *tournament) lose(id int, round int64) {
	//empire:yield
	t.lost[id].Store(round)
	for {
		//empire:yield
		if t.release.Load() >= round {
			return
		}
		runtime.Gosched()
	}
}

// await waits until a mark is that of a round.
func await(mark *atomic.Int64, round int64) {
	for {
		//empire:yield
		if mark.Load() >= round {
			return
		}
		runtime.Gosched()
	}
}
