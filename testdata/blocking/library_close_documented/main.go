// Package library_close_documented: Push sends on the channel that Close has closed; the documentation forbids that.
package library_close_documented

import "sync"

// Log collects lines.
type Log struct {
	mu    sync.Mutex
	lines chan string
}

// Open makes one.
func Open() *Log { return &Log{lines: make(chan string, 8)} }

// Push adds a line, if there is room.
func (l *Log) Push(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	select { // want order misuse
	case l.lines <- line:
	default:
	}
}

// Close ends the log. Nothing may be pushed after it: Push panics, and so does a second Close, as the log must not be
// closed twice.
func (l *Log) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	close(l.lines) // want order misuse
}
