// Command locker_helper_fixed sets a configuration value from two goroutines
// while a third reads it. A helper runs functions with a lock held.
package main

import (
	"fmt"
	"sync"
)

// Setting is a value with a version that grows with each change.
type Setting struct {
	mu      sync.Mutex
	value   string
	version int
}

// locked calls f with l held.
func locked(l sync.Locker, f func()) {
	l.Lock()
	defer l.Unlock()
	f()
}

// Set changes the value.
func (s *Setting) Set(value string) {
	locked(&s.mu, func() {
		s.value = value
		s.version++
	})
}

// Get returns the value and its version.
func (s *Setting) Get() (value string, version int) {
	locked(&s.mu, func() {
		value = s.value
		version = s.version
	})
	return value, version
}

func main() {
	level := &Setting{value: "info"}

	var wg sync.WaitGroup
	wg.Add(3)
	go func() {
		defer wg.Done()
		level.Set("debug")
	}()
	go func() {
		defer wg.Done()
		level.Set("warning")
	}()
	go func() {
		defer wg.Done()
		fmt.Println(level.Get())
	}()
	wg.Wait()
}
