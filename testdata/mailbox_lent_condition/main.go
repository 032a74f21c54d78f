// Command mailbox_lent_condition has a mailbox whose lock and condition are made by
// whoever makes the mailbox.
package main

import "sync"

// Mailbox has room for one letter.
type Mailbox struct {
	mu     *sync.Mutex
	filled *sync.Cond // uses mu
	letter string
	sender string
}

// NewMailbox returns an empty mailbox.
func NewMailbox(mu *sync.Mutex, filled *sync.Cond) *Mailbox {
	return &Mailbox{mu: mu, filled: filled}
}

// Deliver puts in a letter.
func (m *Mailbox) Deliver(letter, sender string) {
	m.mu.Lock()
	m.letter = letter
	m.mu.Unlock()
	m.filled.Signal() // BUG: who wakes up finds no sender
	m.mu.Lock()
	m.sender = sender
	m.mu.Unlock()
}

// Receive waits for the letter.
func (m *Mailbox) Receive() (letter, sender string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for m.letter == "" {
		m.filled.Wait()
	}
	letter = m.letter
	sender = m.sender
	return letter, sender
}

func main() {
	mu := new(sync.Mutex)
	box := NewMailbox(mu, sync.NewCond(mu))
	go box.Deliver("Dear Ada", "Charles")
	if letter, sender := box.Receive(); len(letter) < len(sender) {
		panic("short letter")
	}
}
