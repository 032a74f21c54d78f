// Package library_exported_channel_fixed: the mended library_exported_channel. It ends with the channel, which clients
// close; they can do that at any time.
package library_exported_channel_fixed

import "sync"

// Log keeps lines.
type Log struct {
	Lines chan<- string // what is sent here is kept

	mu   sync.Mutex
	kept []string
}

// NewLog makes one.
func NewLog() *Log {
	lines := make(chan string)
	l := &Log{Lines: lines}
	go l.run(lines)
	return l
}

func (l *Log) run(lines chan string) {
	for line := range lines {
		l.mu.Lock()
		l.kept = append(l.kept, line)
		l.mu.Unlock()
	}
}

// Len tells how many lines there are.
func (l *Log) Len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.kept)
}
