// Command panic_checked_fixed handles requests that may panic. A meter is checked with a lock,
// and checked again before it is changed.
package main

import "sync"

// Meter has a level, and an alarm that goes with it.
type Meter struct {
	mu    sync.Mutex
	level int
	alarm int
}

// Set sets both fields.
func (m *Meter) Set(level int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.level = level
	m.alarm = level
}

// Check tells the handler, and raises the alarm, if the level is low.
func (m *Meter) Check(handle func()) {
	m.mu.Lock()
	if m.level > 3 {
		m.mu.Unlock()
		return
	}
	m.mu.Unlock()

	m.mu.Lock()
	defer m.mu.Unlock()
	if m.level > 3 {
		return
	}
	m.alarm = 1
	handle()
}

// try serves a request, whatever the handler does.
func try(request func()) {
	defer func() { _ = recover() }()
	request()
}

func main() {
	m := &Meter{}
	var wg sync.WaitGroup
	wg.Go(func() {
		try(func() { m.Check(func() { panic("no handler") }) })
	})
	m.Set(4)
	wg.Wait()
}
