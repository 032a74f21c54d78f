// Command ready_too_early loads settings under double-checked locking, and says that they
// are there before they are.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// Settings are loaded when they are asked for, once.
type Settings struct {
	mu     sync.Mutex
	loaded atomic.Bool
	values map[string]string
}

// Get returns a setting.
func (s *Settings) Get(key string) string {
	if !s.loaded.Load() {
		s.mu.Lock()
		if !s.loaded.Load() {
			s.loaded.Store(true) // too early
			s.values = map[string]string{"name": "a"}
		}
		s.mu.Unlock()
	}
	return s.values[key]
}

func main() {
	s := &Settings{}
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() { _ = s.Get("name") })
	}
	wg.Wait()
	fmt.Println(s.Get("name"))
}
