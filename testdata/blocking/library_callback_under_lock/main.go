// Package library_callback_under_lock: A function that clients hand over is called under the lock, and may call back in.
package library_callback_under_lock

import (
	"sync"
)

// Registry has names.
type Registry struct {
	mu    sync.Mutex
	names []string
}

// Each calls f for each name.
func (r *Registry) Each(f func(string)) {
	r.mu.Lock()
	names := append([]string(nil), r.names...)
	defer r.mu.Unlock()
	for _, n := range names {
		f(n)
	}
}

// Add adds a name.
func (r *Registry) Add(name string) {
	r.mu.Lock() // want deadlock
	defer r.mu.Unlock()
	r.names = append(r.names, name)
}
