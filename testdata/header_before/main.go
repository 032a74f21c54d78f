// Command header_before publishes an object between finding its map and looking into it.
package main

import "sync"

// Table has a number of its own for the name "all".
type Table struct {
	mu      sync.Mutex
	numbers map[string]int
	all     int
}

// tables is where tables are found. Who stores one there does not always take the
// lock.
var tables struct {
	mu   sync.Mutex
	last *Table
}

// New makes a table that can be found at once.
func New() *Table {
	t := &Table{}
	t.numbers = map[string]int{}
	numbers := t.numbers
	tables.last = t // others can reach it from here on
	all := numbers["all"]
	t.all = all
	return t
}

// Set sets the number of the name "all" in both places.
func (t *Table) Set(n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.numbers["all"] = n
	t.all = n
}

func main() {
	done := make(chan bool)
	go func() {
		tables.mu.Lock()
		t := tables.last
		tables.mu.Unlock()
		if t != nil {
			t.Set(3)
		}
		done <- true
	}()
	t := New()
	<-done
	t.Set(4)
}
