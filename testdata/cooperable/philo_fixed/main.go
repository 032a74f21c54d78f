// Command philo lets philosophers eat at one table with a fork between each two, as the program philo does: who
// finds a fork taken waits until one is put back. That both are free is looked at, and both are taken, while the
// table is locked.
package main

import (
	"fmt"
	"os"
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

// begin waits until both forks are free, and takes them.
func (t *table) begin(seat int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f := forks(seat)
	for t.taken[f[0]] || t.taken[f[1]] {
		t.back.Wait()
	}
	for _, f := range f {
		if t.taken[f] {
			t.shared++
		}
		t.taken[f] = true
	}
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
	if t.shared > 0 {
		fmt.Println(t.shared, "forks of another were used")
		os.Exit(1)
	}
	fmt.Println(t.eaten, "meals")
}
