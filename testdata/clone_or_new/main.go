// Command clone_or_new adds routes to a table that is replaced as a whole, but adds to the
// table after it has been published.
package main

import (
	"maps"
	"sync"
	"sync/atomic"
)

// Routes leads from names to targets. A table that has been stored is not changed.
type Routes struct {
	table atomic.Pointer[map[string]string]
}

// Add adds a route.
func (r *Routes) Add(name, target string) {
	for {
		old := r.table.Load()
		table := map[string]string{}
		if old != nil {
			table = maps.Clone(*old)
		}
		if r.table.CompareAndSwap(old, &table) {
			table[name] = target // BUG: others read it
			return
		}
	}
}

// Target returns where a name leads.
func (r *Routes) Target(name string) string {
	table := r.table.Load()
	if table == nil {
		return ""
	}
	return (*table)[name]
}

func main() {
	r := &Routes{}
	var wg sync.WaitGroup
	for _, name := range []string{"a", "b"} {
		wg.Go(func() { r.Add(name, "x") })
	}
	if target := r.Target("a"); target != "" && target != "x" {
		panic(target)
	}
	wg.Wait()
}
