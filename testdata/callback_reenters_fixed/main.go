// Command callback_reenters_fixed changes a setting that calls back when it was
// changed. The callback uses the setting again, with the lock held.
package main

import "sync"

// Setting is a value with a version that grows with each change.
type Setting struct {
	mu       sync.Mutex
	value    int
	version  int
	onChange func()
}

// Set changes the value.
func (s *Setting) Set(value int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.value = value
	s.onChange()
}

// Touch makes it a new version. Callers hold the lock.
func (s *Setting) Touch() {
	s.version++
}

// Get returns the value and its version.
func (s *Setting) Get() (value, version int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	value = s.value
	version = s.version
	return value, version
}

func main() {
	level := &Setting{}
	level.onChange = func() { level.Touch() }
	go level.Set(3)
	println(level.Get())
}
