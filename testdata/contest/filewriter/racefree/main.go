// Command filewriter stores the lines of a file while they are printed. When the
// storage is full, it takes a larger slice and has a goroutine of its own move the
// old lines there. Every access holds the lock, so a race detector is silent. But
// nobody waits for that goroutine, and storing a line and counting it are two
// critical sections, as are the count and the line that are read.
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
	if s.full() {
		s.grow()
	}
	s.store(line)
	s.counted()
}

func (s *Storage) full() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.count >= len(s.lines)
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
	s.mu.Lock()
	defer s.mu.Unlock()
	copy(s.lines, old)
}

func (s *Storage) store(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines[s.count] = line
}

func (s *Storage) counted() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count++
}

// Count returns the number of lines.
func (s *Storage) Count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.count
}

// Last returns the line stored last.
func (s *Storage) Last() string {
	n := s.Count()
	if n == 0 {
		return ""
	}
	return s.line(n - 1)
}

func (s *Storage) line(i int) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lines[i]
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
