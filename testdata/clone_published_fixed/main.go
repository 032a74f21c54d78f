// Command clone_published_fixed has a table of routes that readers load without a lock; a writer
// changes a clone and publishes it.
package main

import (
	"fmt"
	"maps"
	"sync"
	"sync/atomic"
)

// routes is a version of the table.
type routes struct {
	to    map[string]string
	names []string
}

func (r *routes) clone() *routes {
	c := *r
	c.to = maps.Clone(r.to)
	c.names = append([]string(nil), r.names...)
	return &c
}

// Table is the routes of the moment.
type Table struct {
	mu  sync.Mutex
	now atomic.Pointer[routes]
}

// Add adds a route.
func (t *Table) Add(name, to string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	next := t.now.Load().clone()
	next.to[name] = to
	next.names = append(next.names, name)
	t.now.Store(next)
}

// Check tells whether each name has a route.
func (t *Table) Check() bool {
	r := t.now.Load()
	for _, name := range r.names {
		if r.to[name] == "" {
			return false
		}
	}
	return true
}

func main() {
	t := &Table{}
	t.now.Store(&routes{to: map[string]string{}})
	var done sync.WaitGroup
	done.Go(func() { t.Add("a", "b") })
	done.Go(func() { fmt.Println(t.Check()) })
	done.Wait()
}
