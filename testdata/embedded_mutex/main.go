// Command embedded_mutex sets a configuration value from two goroutines while a
// third reads it. Its lock is embedded, and is passed on as a sync.Locker.
package main

import (
	"fmt"
	"sync"
)

// Setting is a value with a version that grows with each change.
type Setting struct {
	sync.Mutex
	value   string
	version int
}

// hold locks l and returns the function that unlocks it.
func hold(l sync.Locker) (release func()) {
	l.Lock()
	return l.Unlock
}

// Set changes the value.
func (s *Setting) Set(value string) {
	release := hold(s)
	s.value = value
	release()

	release = hold(s) // the new value may have been seen by now
	s.version++
	release()
}

// Get returns the value and its version.
func (s *Setting) Get() (value string, version int) {
	defer hold(s)()
	value = s.value
	version = s.version
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
