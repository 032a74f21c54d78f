// Command copied_into_new adds aliases to a table that is replaced as a whole. It
// copies the new table into the old one.
package main

import (
	"maps"
	"sync"
	"sync/atomic"
)

// Aliases leads from names to names. A table that has been stored is not changed.
type Aliases struct {
	table atomic.Pointer[map[string]string]
}

// New returns an empty table.
func New() *Aliases {
	a := &Aliases{}
	a.table.Store(&map[string]string{})
	return a
}

// Add adds an alias.
func (a *Aliases) Add(alias, name string) {
	for {
		old := a.table.Load()
		table := make(map[string]string, len(*old)+1)
		maps.Copy(*old, table) // BUG: others read it
		table[alias] = name
		if a.table.CompareAndSwap(old, &table) {
			return
		}
	}
}

func main() {
	a := New()
	var wg sync.WaitGroup
	for _, alias := range []string{"a", "b"} {
		wg.Go(func() { a.Add(alias, "x") })
	}
	wg.Wait()
	if (*a.table.Load())["a"] == "" {
		panic("lost")
	}
}
