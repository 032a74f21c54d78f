// Command check_then_act books seats. Each method of the hall is one critical section; what
// belongs together is in the functions that call them.
package main

import (
	"errors"
	"sync"
)

// Hall has seats.
type Hall struct {
	mu   sync.Mutex
	free int
}

// Free returns the number of free seats.
func (h *Hall) Free() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.free
}

// Take takes n seats.
func (h *Hall) Take(n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.free -= n
}

// Give gives n seats back.
func (h *Hall) Give(n int) error {
	if n < 0 {
		return errors.New("no such number")
	}
	h.Take(-n)
	return nil
}

// book takes seats if they are free.
func book(h *Hall, n int) bool {
	free := h.Free()
	if free < n {
		return false
	}
	h.Take(n)
	return true
}

// half takes half of the seats.
func half(h *Hall) {
	n := h.Free() / 2
	h.Take(n)
}

// swap gives seats back and takes others. That the first step can fail is no look at the
// hall.
func swap(h *Hall, n int) error {
	if err := h.Give(n); err != nil {
		return err
	}
	h.Take(n)
	return nil
}

// tidy is run by one goroutine, and yet beside others.
func tidy(h *Hall) {
	if h.Free() < 0 {
		h.Take(-1)
	}
}

// show looks twice, and changes nothing.
func show(h *Hall) {
	if h.Free() > 0 {
		println(h.Free())
	}
}

// clear is known to be none.
//
//empire:nounit
func clear(h *Hall) { h.Take(h.Free()) }

func main() {
	hall := &Hall{free: 10}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			book(hall, 7)
			half(hall)
			_ = swap(hall, 1)
			show(hall)
			clear(hall)
		})
	}
	tidy(hall)
	wg.Wait()
}
