// Command met has plain structs without locks that two goroutines evidently share, each in another way.
package main

import (
	"fmt"
	"sync"
)

// A counter is made twice; what is handed over is one and the same for all of the goroutines.
type counter struct{ hits, misses int }

func newCounter() *counter { return &counter{} }

func (c *counter) hit() { c.hits, c.misses = c.hits+1, c.misses-1 }

func count() {
	c := newCounter()
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { c.hit() })
	}
	wg.Wait()
}

// A session has a goroutine of its own, and the maker goes on to use it.
type session struct{ user, state string }

func (s *session) serve() { s.user, s.state = "ann", "open" }

func newSession() *session {
	s := &session{}
	go s.serve()
	return s
}

// An order is used after it was sent away.
type order struct{ items, weight int }

func (o *order) pack(n int) { o.items, o.weight = n, 10*n }

func send(to chan<- *order) {
	o := &order{}
	to <- o
	o.pack(2) // too late
}

// A tally is part of what the goroutines share.
type tally struct{ sum, n int }

type shop struct{ today *tally }

func (s *shop) sell(price int) { s.today.sum, s.today.n = s.today.sum+price, s.today.n+1 }

func open() {
	s := &shop{today: &tally{}}
	go s.sell(1)
	s.sell(2)
}

// A worker is one of several; what it has done is read behind the loop.
type worker struct{ done, failed int }

func (w *worker) run() { w.done, w.failed = w.done+1, w.failed+2 }

func work() {
	var all []*worker
	for range 3 {
		all = append(all, &worker{})
	}
	for _, w := range all {
		go w.run()
	}
	for _, w := range all {
		fmt.Println(w.done, w.failed)
	}
}

func main() {
	orders := make(chan *order, 2)
	for range 2 {
		count()
		s := newSession()
		fmt.Println(s.user, s.state)
		go send(orders)
		open()
		work()
	}
	fmt.Println((<-orders).items)
}
