// Command philo lets philosophers eat at one table with a fork between each two, as the program philo does: who
// finds a fork taken waits until one is put back. That both are free is looked at, and then both are taken, in two
// steps, so that two neighbours may have one fork.
package main

import (
	"fmt"
	"sync"
)

const (
	philosophers = 5
	meals        = 60
)

type table struct {
	mu     sync.Mutex
	back   *sync.Cond // a fork was put back
	taken  [philosophers]bool
	eaten  int
	shared int // forks that were taken when they were not free
	seats  sync.WaitGroup
}

// forks are those of a philosopher.
func forks(seat int) [2]int { return [2]int{seat, (seat + 1) % philosophers} }

// wait waits until both forks are free.
func (t *table) wait(seat int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f := forks(seat)
	for t.taken[f[0]] || t.taken[f[1]] {
		t.back.Wait()
	}
}

// take takes both forks.
func (t *table) take(seat int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, f := range forks(seat) {
		if t.taken[f] {
			t.shared++
		}
		t.taken[f] = true
	}
}

// begin waits for the forks and takes them.
func (t *table) begin(seat int) {
	t.wait(seat)
	t.take(seat)
}

// end puts both forks back.
func (t *table) end(seat int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, f := range forks(seat) {
		t.taken[f] = false
	}
	t.eaten++
	t.back.Broadcast()
}

func (t *table) dine(seat int) {
	defer t.seats.Done()
	for range meals {
		//empire:yield
		t.begin(seat)
		//empire:yield
		t.end(seat)
	}
}

func main() {
	t := &table{}
	t.back = sync.NewCond(&t.mu)
	t.seats.Add(philosophers)
	for seat := range philosophers {
		//empire:yield
		go t.dine(seat)
	}
	t.seats.Wait()
	fmt.Println(t.eaten, "meals,", t.shared, "with a fork of another")
}
