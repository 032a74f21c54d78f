// Command shelf_short_circuit fills a shelf that may have a limit. What is put there
// takes time to make.
package main

import (
	"strings"
	"sync"
)

// Shelf has a number of jars. No limit is zero.
type Shelf struct {
	mu   sync.Mutex
	max  int
	jars int
}

// NewShelf returns a shelf.
func NewShelf(max int) *Shelf {
	return &Shelf{max: max}
}

// label makes a label for a jar.
func label(content string) string {
	return strings.ToUpper(content)
}

// Put makes a jar and puts it on the shelf, if there is room.
func (s *Shelf) Put(content string) bool {
	s.mu.Lock()
	if s.max > 0 && s.jars >= s.max {
		s.mu.Unlock()
		return false
	}
	s.mu.Unlock()

	if label(content) == "" {
		return false
	}

	s.mu.Lock()
	defer s.mu.Unlock()
	if s.max > 0 && s.jars > s.max { // BUG: another question than above
		return false
	}
	s.jars++
	return true
}

func main() {
	shelf := NewShelf(1)
	var wg sync.WaitGroup
	for _, content := range []string{"plums", "pears"} {
		wg.Go(func() { shelf.Put(content) })
	}
	wg.Wait()
	if shelf.Put("") {
		panic("an empty jar")
	}
}
