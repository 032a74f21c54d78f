// Command opened_store_or_error opens stores behind an interface, some of which
// cannot be opened.
package main

import (
	"errors"
	"sync"
)

// Store keeps a value until it is closed.
type Store interface {
	Put(value string) error
	Close() error
}

var errClosed = errors.New("store is closed")

type memoryStore struct {
	mu     sync.Mutex
	closed bool
	value  string
}

// Open opens the store with this name.
func Open(name string) (Store, error) {
	if name == "" {
		return nil, errors.New("store has no name")
	}
	return &memoryStore{}, nil
}

func (m *memoryStore) check() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return errClosed
	}
	return nil
}

// Put implements Store.
func (m *memoryStore) Put(value string) error {
	if err := m.check(); err != nil {
		return err
	}
	m.mu.Lock() // BUG: may be closed by now
	defer m.mu.Unlock()
	m.value = value
	return nil
}

// Close implements Store.
func (m *memoryStore) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	m.value = ""
	return nil
}

func main() {
	if _, err := Open(""); err == nil {
		panic("has been opened")
	}
	store, err := Open("letters")
	if err != nil {
		panic(err)
	}
	put := make(chan error)
	go func() {
		put <- store.Put("alpha")
	}()
	closed := store.Close()
	if err := errors.Join(<-put, closed); err != nil && !errors.Is(err, errClosed) {
		panic(err)
	}
}
