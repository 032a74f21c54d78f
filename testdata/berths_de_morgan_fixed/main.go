// Command berths_de_morgan_fixed lets boats into a harbour while there are berths and no storm. It
// asks for the opposite the second time.
package main

import "sync"

// Harbour has boats, and a storm or none.
type Harbour struct {
	mu     sync.Mutex
	berths int
	storm  bool
	boats  int
}

// NewHarbour returns an empty harbour.
func NewHarbour(berths int) *Harbour {
	return &Harbour{berths: berths}
}

// Enter lets a boat in that has a pilot.
func (h *Harbour) Enter(pilot func()) bool {
	h.mu.Lock()
	shut := h.storm || h.boats >= h.berths
	h.mu.Unlock()
	if shut {
		return false
	}
	pilot()
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.storm && h.boats < h.berths {
		h.boats++
		return true
	}
	return false
}

// Warn says that there is a storm, before which all boats leave.
func (h *Harbour) Warn() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.storm = true
	h.boats = 0
}

func main() {
	harbour := NewHarbour(1)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { harbour.Enter(func() {}) })
	}
	wg.Go(harbour.Warn)
	wg.Wait()
}
