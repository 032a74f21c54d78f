// Command clone_or_new_fixed adds routes to a table that is replaced as a whole: a copy is
// changed, or a new one.
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
		table[name] = target
		if r.table.CompareAndSwap(old, &table) {
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
