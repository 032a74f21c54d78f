// Package library_close_documented_fixed: after Close nothing is sent, and a second Close does nothing.
package library_close_documented_fixed

import "sync"

// Log collects lines.
type Log struct {
	mu     sync.Mutex
	closed bool
	lines  chan string
}

// Open makes one.
func Open() *Log { return &Log{lines: make(chan string, 8)} }

// Push adds a line, if there is room, and the log is not closed.
func (l *Log) Push(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return
	}
	select {
	case l.lines <- line:
	default:
	}
}

// Close ends the log.
func (l *Log) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.closed {
		l.closed = true
		close(l.lines)
	}
}
