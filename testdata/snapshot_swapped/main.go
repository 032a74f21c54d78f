// Command snapshot_swapped keeps its settings in a snapshot that never changes. Who
// sets one copies the snapshot and swaps the copy in. But somebody who was faster is
// asked for his snapshot then, whose values are not copied again.
package main

import (
	"sync"
	"sync/atomic"
)

type snapshot struct {
	version int
	values  map[string]int
}

// Settings is the current snapshot.
type Settings struct {
	current atomic.Pointer[snapshot]
}

// Set stores a value.
func (s *Settings) Set(name string, value int) {
	old := s.current.Load()
	next := *old
	next.version++
	next.values = make(map[string]int, len(old.values)+1)
	for k, v := range old.values {
		next.values[k] = v
	}
	next.values[name] = value
	for !s.current.CompareAndSwap(old, &next) {
		old = s.current.Load() // and next is as it was
	}
}

// Get returns a value and the version that it is from.
func (s *Settings) Get(name string) (value, version int) {
	now := s.current.Load()
	return now.values[name], now.version
}

func main() {
	s := &Settings{}
	s.current.Store(&snapshot{values: map[string]int{}})
	var wg sync.WaitGroup
	wg.Go(func() { s.Set("a", 1) })
	wg.Go(func() { s.Set("b", 2) })
	println(s.Get("a"))
	wg.Wait()
}
