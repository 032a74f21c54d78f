// Command manager releases memory on request. Releasers raise a flag, and a handler
// counts a request down for each flag. The releasers keep each other out by
// leaving notes, and count releases under a lock of their own: two of them can
// raise the flag for one request, or nobody counts it.
package main

import (
	"fmt"
	"runtime"
	"sync"
)

const patience = 1000

// Manager counts requests and releases.
type Manager struct {
	countMu  sync.Mutex
	requests int
	released int

	flag bool // there is something to handle

	notesMu sync.Mutex
	notes   int // of releasers at work
}

// Release asks the handler for the memory of one request. It reports whether there
// was one.
func (m *Manager) Release() bool {
	for tries := 0; m.flag; tries++ {
		if tries == patience {
			return false
		}
		runtime.Gosched()
	}
	if m.Requests() <= 0 {
		return false
	}
	m.addNote(1)
	m.flag = true
	if m.countNotes() == 1 {
		m.countReleased()
	}
	m.addNote(-1)
	return true
}

// Handle counts one request down, when a releaser says so.
func (m *Manager) Handle() bool {
	for tries := 0; !m.flag; tries++ {
		if tries == patience {
			return false
		}
		runtime.Gosched()
	}
	m.requests--
	m.flag = false
	return true
}

// Requests returns the number of requests left.
func (m *Manager) Requests() int {
	m.countMu.Lock()
	defer m.countMu.Unlock()
	return m.requests
}

func (m *Manager) countReleased() {
	m.countMu.Lock()
	defer m.countMu.Unlock()
	m.released++
}

func (m *Manager) addNote(n int) {
	m.notesMu.Lock()
	defer m.notesMu.Unlock()
	m.notes += n
}

func (m *Manager) countNotes() int {
	m.notesMu.Lock()
	defer m.notesMu.Unlock()
	return m.notes
}

func main() {
	m := &Manager{requests: 20}
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for m.Release() {
			}
		}()
	}
	wg.Add(1)
	go func() {
		defer wg.Done()
		for m.Handle() {
		}
	}()
	wg.Wait()
	fmt.Println(m.released, "of 20 requests released,", m.Requests(), "left")
}
