// Command two_sections_fixed lets two goroutines register services. Register
// looks the name up and stores it in one critical section.
package main

import (
	"fmt"
	"sync"
)

// Registry knows the addresses of services by name.
type Registry struct {
	mu    sync.Mutex
	names map[string]string
	count int // how many names were registered
}

// NewRegistry returns an empty registry.
func NewRegistry() *Registry {
	return &Registry{names: make(map[string]string)}
}

// Register stores the address of a service. It reports whether the name was
// free.
func (r *Registry) Register(name, address string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, taken := r.names[name]; taken {
		return false
	}
	r.names[name] = address
	r.count++
	return true
}

func main() {
	registry := NewRegistry()

	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		fmt.Println("first:", registry.Register("mail", "10.0.0.1:25"))
	}()
	go func() {
		defer wg.Done()
		fmt.Println("second:", registry.Register("mail", "10.0.0.2:25"))
	}()
	wg.Wait()
}
