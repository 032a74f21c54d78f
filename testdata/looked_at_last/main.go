// Command looked_at_last collects lines that a timer writes out. In the end, main
// looks at the numbers itself, one after the other.
package main

import (
	"sync"
	"time"
)

type sink struct {
	mu    sync.Mutex
	lines int
	calls int
}

func (s *sink) write(lines []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines += len(lines)
	s.calls++
}

// Buffer hands lines on after a while.
type Buffer struct {
	mu    sync.Mutex
	lines []string
	flush func([]string)
}

func (b *Buffer) add(line string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.lines = append(b.lines, line); len(b.lines) == 1 {
		time.AfterFunc(time.Millisecond, b.close)
	}
}

func (b *Buffer) close() {
	b.mu.Lock()
	lines := b.lines
	b.lines = nil
	b.mu.Unlock()
	b.flush(lines)
}

func main() {
	s := &sink{}
	b := &Buffer{flush: s.write}
	b.add("one")
	b.close()
	s.mu.Lock()
	lines := s.lines
	s.mu.Unlock()
	time.Sleep(time.Millisecond)
	s.mu.Lock()
	calls := s.calls // of more lines than those
	s.mu.Unlock()
	if lines > calls {
		panic("more lines than calls")
	}
}
