// Command swap_loop_fixed lends seats with a compare-and-swap.
package main

import "sync/atomic"

// Pool lends a limited number of seats.
type Pool struct {
	lent atomic.Int64
	most int64
}

// Borrow takes a seat if there is one.
func (p *Pool) Borrow() bool {
	for {
		lent := p.lent.Load()
		if lent >= p.most {
			return false
		}
		if p.lent.CompareAndSwap(lent, lent+1) {
			return true
		}
	}
}

func main() {
	p := &Pool{most: 2}
	done := make(chan bool)
	go func() {
		p.Borrow()
		done <- true
	}()
	println(p.Borrow())
	<-done
}
