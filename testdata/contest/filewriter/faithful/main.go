// Command filewriter stores the lines of a file while they are printed. When the
// storage is full, it takes a larger slice and has a goroutine of its own move the
// old lines there. Nobody waits for that goroutine, and storing a line takes no
// lock: the printer can find empty lines, or a count that does not belong to the
// lines.
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
	if s.count >= len(s.lines) {
		s.grow()
	}
	s.lines[s.count] = line
	s.count++
}

// grow doubles the room.
func (s *Storage) grow() {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.lines
	s.lines = make([]string, 2*len(old))
	go s.restore(old)
}

// restore moves the old lines to the new slice.
func (s *Storage) restore(old []string) {
	for i := range old {
		s.lines[i] = old[i]
	}
}

// Last returns the line stored last.
func (s *Storage) Last() string {
	n := s.count
	if n == 0 {
		return ""
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lines[n-1]
}

func main() {
	storage := NewStorage()
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		for i := range 40 {
			storage.Put(fmt.Sprint("line ", i))
		}
	}()
	go func() {
		defer wg.Done()
		for range 40 {
			if line := storage.Last(); !strings.HasPrefix(line, "line ") {
				fmt.Printf("found %q\n", line)
			}
		}
	}()
	wg.Wait()
}
