// Command filewriter stores the lines of a file while they are printed. Storing a
// line, with room made for it if need be, is one critical section, and so is
// reading the last one.
package main

import (
	"fmt"
	"strings"
	"sync"
)

// Storage holds the lines stored so far.
type Storage struct {
	mu    sync.Mutex
	lines []string
	count int
}

// NewStorage returns an empty storage.
func NewStorage() *Storage {
	return &Storage{lines: make([]string, 2)}
}

// Put stores a line.
func (s *Storage) Put(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.count >= len(s.lines) {
		larger := make([]string, 2*len(s.lines))
		copy(larger, s.lines)
		s.lines = larger
	}
	s.lines[s.count] = line
	s.count++
}

// Last returns the line stored last.
func (s *Storage) Last() (line string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.count == 0 {
		return "", false
	}
	return s.lines[s.count-1], true
}

func main() {
	storage := NewStorage()
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range 40 {
			storage.Put(fmt.Sprint("line ", i))
		}
	})
	wg.Go(func() {
		for range 40 {
			if line, ok := storage.Last(); ok && !strings.HasPrefix(line, "line ") {
				fmt.Printf("found %q\n", line)
			}
		}
	})
	wg.Wait()
	fmt.Println(storage.Last())
}
