// Command swap_loop lends seats with atomic operations that do not belong together.
package main

import "sync/atomic"

// Pool lends a limited number of seats.
type Pool struct {
	lent atomic.Int64
	most int64
}

// Borrow takes a seat if there is one.
func (p *Pool) Borrow() bool {
	lent := p.lent.Load()
	if lent >= p.most {
		return false
	}
	p.lent.Store(lent + 1) // two borrowers may get the same seat
	return true
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
