// Command reset_when_made_fixed has boxes that make a table when they need one. To make one, and to empty it, is done
// by one method.
package main

import "sync"

// Table is rows and their sum; it is not safe for several goroutines.
type Table struct{ rows, sum int }

// Reset empties the table, and returns it.
func (t *Table) Reset() *Table {
	t.rows = 0
	t.sum = 0
	return t
}

var last *Table

// NewTable returns an empty table.
func NewTable() *Table {
	t := new(Table)
	return t.Reset()
}

// Box has a table.
type Box struct {
	mu    sync.Mutex
	table *Table
}

// Put adds a row.
func (b *Box) Put(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.table == nil {
		b.table = NewTable()
	}
	if b.table.rows > 9 {
		b.table.Reset()
	}
	b.table.rows++
	b.table.sum += n
}

func main() {
	boxes := []*Box{{}, {}}
	var done sync.WaitGroup
	for i, b := range boxes {
		done.Add(1)
		go func() {
			defer done.Done()
			b.Put(i)
		}()
	}
	done.Wait()
	println(last == nil)
}
