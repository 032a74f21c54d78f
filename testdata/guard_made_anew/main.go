// Command guard_made_anew has two meters, each of which gets a lock from a factory.
package main

import "sync"

// NewLock makes the locks of this program.
func NewLock() sync.Locker {
	return new(sync.Mutex)
}

// Meter shows the lowest and the highest value of a day.
type Meter struct {
	lock sync.Locker
	low  int
	high int
}

// NewMeter returns a meter with a lock of its own.
func NewMeter() *Meter {
	return &Meter{lock: NewLock()}
}

// guard returns the lock.
func (m *Meter) guard() sync.Locker {
	return NewLock() // BUG: a new one for each caller
}

// Set stores the values of a day.
func (m *Meter) Set(low, high int) {
	guard := m.guard()
	guard.Lock()
	defer guard.Unlock()
	m.low = low
	m.high = high
}

// Span returns the difference.
func (m *Meter) Span() int {
	guard := m.guard()
	guard.Lock()
	defer guard.Unlock()
	high := m.high
	low := m.low
	return high - low
}

func main() {
	inside := NewMeter()
	outside := NewMeter()
	var wg sync.WaitGroup
	for day := range 2 {
		wg.Go(func() { inside.Set(15+day, 20+day) })
		wg.Go(func() { outside.Set(-5-day, 9+day) })
	}
	wg.Go(func() {
		if inside.Span() > outside.Span()+100 {
			panic("burns")
		}
	})
	wg.Wait()
}
