// Package table is a library whose entries have no lock: that of the table is for them, too.
package table

import "sync"

// Table has an entry for each key.
type Table struct {
	mu      sync.Mutex
	entries map[string]*Entry
}

// Entry is a value, and how often it was changed.
type Entry struct {
	value   string
	changes int
}

// New returns an empty table.
func New() *Table { return &Table{entries: map[string]*Entry{}} }

// Add makes an entry, if there is none yet.
func (t *Table) Add(key string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.entries[key] == nil {
		t.entries[key] = &Entry{}
	}
}

// Set changes a value.
func (t *Table) Set(key, value string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if e := t.entries[key]; e != nil {
		e.value = value
		e.changes++
	}
}

// Get returns a value, and how often it was changed.
func (t *Table) Get(key string) (value string, changes int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if e := t.entries[key]; e != nil {
		return e.value, e.changes
	}
	return "", 0
}
