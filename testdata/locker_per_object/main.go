// Command locker_per_object has mailboxes, each with a lock that is an interface, and that a
// condition variable has, too.
package main

import (
	"fmt"
	"sync"
)

// store keeps letters.
type store interface {
	add(letter string)
	remove() string
}

type stack struct{ letters []string }

func (s *stack) add(letter string) { s.letters = append(s.letters, letter) }

func (s *stack) remove() string {
	last := len(s.letters) - 1
	letter := s.letters[last]
	s.letters = s.letters[:last]
	return letter
}

func newStore(size int) store {
	if size == 0 {
		return &stack{}
	}
	return &stack{letters: make([]string, 0, size)}
}

// Mailbox is letters and their number.
type Mailbox struct {
	lock    sync.Locker
	filled  *sync.Cond
	letters store
	count   int
}

// NewMailbox returns an empty mailbox.
func NewMailbox(size int) *Mailbox {
	m := &Mailbox{lock: new(sync.Mutex)}
	if size > 0 {
		m.letters = newStore(size)
	} else {
		m.letters = newStore(0)
	}
	m.filled = sync.NewCond(m.lock)
	return m
}

// Put adds a letter.
func (m *Mailbox) Put(letter string) {
	m.lock.Lock()
	m.letters.add(letter)
	m.lock.Unlock()
	m.lock.Lock()
	m.count++
	m.lock.Unlock()
	m.filled.Signal()
}

// Take waits for a letter, and removes it.
func (m *Mailbox) Take() string {
	m.lock.Lock()
	defer m.lock.Unlock()
	for m.count == 0 {
		m.filled.Wait()
	}
	m.count--
	return m.letters.remove()
}

func main() {
	in := NewMailbox(0)
	out := NewMailbox(8)
	var wg sync.WaitGroup
	wg.Go(func() { in.Put("a") })
	wg.Go(func() { in.Put("b") })
	wg.Go(func() { out.Put(in.Take()) })
	wg.Wait()
	fmt.Println(out.Take(), in.count)
}
