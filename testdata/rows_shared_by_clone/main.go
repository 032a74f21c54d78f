// Command rows_shared_by_clone replaces tables by changed clones. Readers look at a
// table without a lock, as it is not changed once it is there.
package main

import "sync"

// Table has rows, which are not changed once others can see them.
type Table struct {
	version int
	rows    []int
}

// clone returns a copy, which can be changed.
func (t *Table) clone() *Table {
	c := *t // BUG: has the same rows
	return &c
}

// Database has the table of now.
type Database struct {
	mu    sync.Mutex
	table *Table
}

// Table returns the table of now.
func (d *Database) Table() *Table {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.table
}

// Move moves an amount from the first row to the second.
func (d *Database) Move(amount int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	next := d.table.clone()
	next.version++
	next.rows[0] -= amount
	next.rows[1] += amount
	d.table = next
}

// Sum adds up the first two rows.
func (t *Table) Sum() int {
	first := t.rows[0]
	second := t.rows[1]
	return first + second
}

func main() {
	database := &Database{
		table: &Table{rows: []int{70, 30}},
	}
	sum := database.Table().Sum()
	moved := make(chan struct{})
	go func() {
		database.Move(20)
		close(moved)
	}()
	if database.Table().Sum() != sum {
		panic("something is missing")
	}
	<-moved
}
