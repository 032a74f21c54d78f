// Command read_lock_by_mode locks for reading or writing by a mode that each table has from its beginning.
package main

import (
	"fmt"
	"sync"
)

// Table is rows, and an index of them.
type Table struct {
	mu     sync.RWMutex
	counts bool
	rows   []string
	index  map[string]int
	looks  int
	last   string
}

// NewTable returns an empty table; one that counts counts how often it was looked at.
func NewTable(counts bool) *Table {
	t := &Table{counts: counts}
	t.index = map[string]int{}
	return t
}

// Insert adds a row.
func (t *Table) Insert(row string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.index[row] = len(t.rows)
	t.rows = append(t.rows, row)
}

// Find returns where a row is.
func (t *Table) Find(row string) (int, bool) {
	if t.counts {
		t.mu.Lock()
	} else {
		t.mu.RLock()
	}
	at, ok := t.index[row]
	if !t.counts {
		t.looks++
		t.last = row
	}
	if t.counts {
		t.mu.Unlock()
	} else {
		t.mu.RUnlock()
	}
	return at, ok
}

func main() {
	var wg sync.WaitGroup
	for _, counts := range []bool{false, true} {
		t := NewTable(counts)
		for i := range 3 {
			wg.Go(func() { t.Insert(fmt.Sprint(i)) })
			wg.Go(func() { fmt.Println(t.Find("1")) })
		}
	}
	wg.Wait()
}
