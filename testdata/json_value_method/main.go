// Command json_value_method reports the hits and misses of a cache as JSON while a lookup
// counts. json calls the MarshalJSON method of a struct inside the one that it is given.
package main

import (
	"encoding/json"
	"sync"
)

// Stats counts the lookups in a cache; each ends as a hit or a miss.
type Stats struct {
	mu      sync.Mutex
	lookups int
	misses  int
}

// Miss counts a lookup that found nothing.
func (s *Stats) Miss() {
	s.mu.Lock()
	s.lookups++
	s.mu.Unlock()
	s.mu.Lock() // by now a reader may have seen the lookup without its end
	s.misses++
	s.mu.Unlock()
}

// view encodes statistics.
type view struct{ stats *Stats }

// MarshalJSON reads both numbers at one time.
func (v view) MarshalJSON() ([]byte, error) {
	v.stats.mu.Lock()
	defer v.stats.mu.Unlock()
	lookups := v.stats.lookups
	misses := v.stats.misses
	return json.Marshal([]int{lookups, misses})
}

// Page is what a client gets.
type Page struct{ Stats view }

func main() {
	s := &Stats{}
	var wg sync.WaitGroup
	wg.Go(s.Miss)
	text, err := json.Marshal(Page{view{s}})
	wg.Wait()
	println(string(text), err == nil)
}
