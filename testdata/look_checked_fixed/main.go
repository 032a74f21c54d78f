// Command look_checked_fixed deletes entries of a table. It checks first, with a read lock,
// whether there is anything to delete, and checks again when it has the lock.
package main

import (
	"errors"
	"sync"
)

var errNone = errors.New("none")

// queue holds entries.
type queue struct {
	array []byte
	count int
}

func (q *queue) check(i int) error {
	if i <= 0 || i >= len(q.array) || q.count == 0 {
		return errNone
	}
	return nil
}

// checkGet tells whether get finds an entry.
func (q *queue) checkGet(i int) error { return q.check(i) }

func (q *queue) peek(i int) (byte, int, error) {
	err := q.check(i)
	if err != nil {
		return 0, 0, err
	}
	return q.array[i], 1, nil
}

// get returns an entry.
func (q *queue) get(i int) (byte, error) {
	b, _, err := q.peek(i)
	return b, err
}

// Table has entries by key.
type Table struct {
	mu      sync.RWMutex
	index   map[int]int
	entries queue
}

// Delete removes the entry of a key.
func (t *Table) Delete(key int) error {
	t.mu.RLock()
	i := t.index[key]
	if err := t.entries.checkGet(i); err != nil {
		t.mu.RUnlock()
		return err
	}
	t.mu.RUnlock()

	t.mu.Lock()
	defer t.mu.Unlock()
	i = t.index[key]
	if _, err := t.entries.get(i); err != nil {
		return err
	}
	delete(t.index, key)
	t.entries.array[i] = 0
	return nil
}

// Move lets a key lead to another entry.
func (t *Table) Move(key, i int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.index[key] = i
}

// Clear removes all entries, to which keys may still lead.
func (t *Table) Clear() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.entries.count = 0
}

func main() {
	t := &Table{index: map[int]int{1: 1}, entries: queue{array: make([]byte, 4), count: 3}}
	var wg sync.WaitGroup
	wg.Go(func() { t.Move(1, 2) })
	wg.Go(func() { _ = t.Delete(1) })
	wg.Go(t.Clear)
	wg.Wait()
}
