// Command sync_map_fixed registers names in a sync.Map, in one step.
package main

import "sync"

// Registry is names with the number under which they were registered.
type Registry struct {
	names sync.Map
}

// Add registers a name and reports whether it is new.
func (r *Registry) Add(name string, number int) bool {
	_, known := r.names.LoadOrStore(name, number)
	return !known
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
