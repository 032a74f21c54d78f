// Command sync_map registers names in a sync.Map, in two steps.
package main

import "sync"

// Registry is names with the number under which they were registered.
type Registry struct {
	names sync.Map
}

// Add registers a name and reports whether it is new.
func (r *Registry) Add(name string, number int) bool {
	if _, known := r.names.Load(name); known {
		return false
	}
	r.names.Store(name, number) // both may come here
	return true
}

func main() {
	r := &Registry{}
	done := make(chan bool)
	go func() {
		println(r.Add("gopher", 1))
		done <- true
	}()
	println(r.Add("gopher", 2))
	<-done
}
