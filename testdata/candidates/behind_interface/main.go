// Command behind_interface counts what it keeps in a store, and tells somebody else.
package main

import "sync"

// Store keeps numbers.
type Store interface{ keep(n int) }

type list struct{ numbers []int }

func (l *list) keep(n int) { l.numbers = append(l.numbers, n) }

// Teller is told numbers.
type Teller interface{ tell(n int) }

type last struct{ n int }

func (l *last) tell(n int) { l.n = n }

// Counter has a lock for its store, and none for its teller.
type Counter struct {
	mu     sync.Mutex
	store  Store
	count  int
	teller Teller
}

func (c *Counter) add(n int) {
	c.mu.Lock()
	c.store.keep(n)
	c.count++
	c.mu.Unlock()
	c.teller.tell(n)
}

func main() {
	c := &Counter{store: &list{}, teller: &last{}}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { c.add(1) })
	}
	wg.Wait()
}
