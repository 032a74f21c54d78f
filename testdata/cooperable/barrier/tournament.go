package main

import "runtime"

// arity is how many goroutines play for one place in the next stage.
const arity = 4

// tournament is a barrier without a lock. In each stage groups of goroutines wait for each other: the first of
// a group goes on to the next stage when the others have lost to it, and who wins all stages lets all go on.
// As in the suite, the marks are memory that nothing synchronises.
type tournament struct {
	lost    [goroutines]int // by goroutine: the last round in which it has lost
	rounds  [goroutines]int // by goroutine: how many it has begun; nobody else looks
	release int             // the last round that has ended
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
			t.await(other, round)
		}
	}
	//empire:yield
	t.release = round
}

// lose tells the winner, and waits for the end of the round.
func (t *tournament) lose(id, round int) {
	//empire:yield
	t.lost[id] = round
	for {
		//empire:yield
		if t.release >= round {
			return
		}
		runtime.Gosched()
	}
}

// await waits until another goroutine has lost in a round.
func (t *tournament) await(other, round int) {
	for {
		//empire:yield
		if t.lost[other] >= round {
			return
		}
		runtime.Gosched()
	}
}
