// Package journal is a library of sinks for lines. Clients make one of them as a
// composite literal: no function returns it.
package journal

import "sync"

// Sink takes lines.
type Sink interface {
	Append(line string)
	Flush() int
}

// Buffered keeps lines until it is flushed. All that it needs is Out.
type Buffered struct {
	Out Sink

	mu    sync.Mutex
	lines []string
	size  int
}

// Append adds a line, in one critical section.
func (b *Buffered) Append(line string) {
	b.mu.Lock()
	b.lines = append(b.lines, line)
	b.size += len(line)
	b.mu.Unlock()
}

// Flush hands on what is there and returns its size.
func (b *Buffered) Flush() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, line := range b.lines {
		b.Out.Append(line)
	}
	size := b.size
	b.lines = nil
	b.size = 0
	return size
}

// Locked returns a sink for several goroutines. It never returns a Buffered.
func Locked(s Sink) Sink { return &locked{sink: s} }

type locked struct {
	mu   sync.Mutex
	sink Sink
}

func (l *locked) Append(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sink.Append(line)
}

func (l *locked) Flush() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.sink.Flush()
}
