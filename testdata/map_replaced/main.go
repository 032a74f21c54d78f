// Command map_replaced has two settings in a map, which is replaced as a whole by one who has
// looked at one of them.
package main

import (
	"fmt"
	"sync"
)

// Settings is values by name.
type Settings struct {
	mu     sync.Mutex
	values map[string]int
}

func (s *Settings) get(name string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.values[name]
}

func (s *Settings) set(name string, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.values = map[string]int{name: n}
}

// Wider makes it wider.
func (s *Settings) Wider() { s.set("width", s.get("width")+1) }

// Higher makes it higher.
func (s *Settings) Higher() { s.set("height", s.get("height")+1) }

func main() {
	s := &Settings{values: map[string]int{}}
	var wg sync.WaitGroup
	wg.Go(s.Wider)
	wg.Go(s.Higher)
	wg.Wait()
	fmt.Println(s.values)
}
