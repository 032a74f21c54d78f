// Command handed_to_constructor hands all shelves one table when they are made.
package main

import "sync"

// Table counts by name; it is not safe for several goroutines.
type Table struct{ counts map[string]int }

// NewTable returns a table that keeps what it is handed.
func NewTable(counts map[string]int) *Table { return &Table{counts: counts} }

// Add counts.
func (t *Table) Add(name string) { t.counts[name]++ }

// Shelf has a table.
type Shelf struct {
	mu    sync.Mutex
	table *Table
}

// Put counts in the table, which is made when it is needed.
func (s *Shelf) Put(name string, counts map[string]int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.table == nil {
		s.table = NewTable(counts)
	}
	s.table.Add(name)
}

func main() {
	shelves := []*Shelf{{}, {}}
	known := map[string]int{"a": 1}
	var done sync.WaitGroup
	for _, s := range shelves {
		done.Add(1)
		go func() {
			defer done.Done()
			s.Put("a", known)
		}()
	}
	done.Wait()
}
