// Command letters_ready_in_helper takes letters out of a mailbox. Whether there is something to
// do is asked first by a helper, and then in place.
package main

import "sync"

// Mailbox has letters, until it is closed.
type Mailbox struct {
	mu      sync.Mutex
	closed  bool
	letters []string
}

// Idle reports whether there is nothing to take, now or ever.
func (m *Mailbox) Idle() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.closed || len(m.letters) == 0
}

// Take takes the first letter, if the mailbox is open.
func (m *Mailbox) Take() string {
	if m.Idle() {
		return ""
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.letters) == 0 { // BUG: not what was asked before
		return ""
	}
	letter := m.letters[0]
	m.letters = m.letters[1:]
	return letter
}

// Close empties the mailbox.
func (m *Mailbox) Close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	m.letters = append(m.letters, "closed")
}

func main() {
	box := &Mailbox{letters: []string{"a bill"}}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { box.Take() })
	}
	wg.Go(func() { box.Close() })
	wg.Wait()
}
