// The lock of an index is in a struct inside it, beside some of what it guards. That
// struct counts as one field of the set; its lock is no part of that.
package main

import (
	"fmt"
	"sync"
)

type table struct {
	mu   sync.Mutex
	rows []string
}

type Index struct {
	table
	version int
}

// Add adds a row.
func (x *Index) Add(row string) {
	x.mu.Lock()
	x.rows = append(x.rows, row)
	x.mu.Unlock()

	x.mu.Lock() // BUG: somebody may have looked at the row with the old version
	x.version++
	x.mu.Unlock()
}

// Look returns the number of rows, and the version that goes with it.
func (x *Index) Look() (rows, version int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	return len(x.rows), x.version
}

func main() {
	x := &Index{}
	var done sync.WaitGroup
	done.Add(2)
	go func() {
		defer done.Done()
		x.Add("a")
	}()
	go func() {
		defer done.Done()
		fmt.Println(x.Look())
	}()
	done.Wait()
}
