// Command tram_flag_kept_fixed lets passengers into a tram. Two looks make a flag.
package main

import "sync"

// Tram has seats.
type Tram struct {
	mu     sync.Mutex
	seats  int
	taken  int
	leaves bool
}

// NewTram returns an empty tram.
func NewTram(seats int) *Tram {
	return &Tram{seats: seats}
}

// Board lets a passenger in who has bought a ticket.
func (t *Tram) Board(buy func()) bool {
	t.mu.Lock()
	late := t.leaves || t.taken == t.seats
	t.mu.Unlock()
	if late {
		return false
	}
	buy()
	t.mu.Lock()
	defer t.mu.Unlock()
	late = t.leaves || t.taken == t.seats
	if late {
		return false
	}
	t.taken++
	return true
}

// Leave closes the doors.
func (t *Tram) Leave() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.leaves = true
	t.taken = 0
}

func main() {
	tram := NewTram(1)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { tram.Board(func() {}) })
	}
	wg.Go(tram.Leave)
	wg.Wait()
}
