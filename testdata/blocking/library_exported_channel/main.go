// Package library_exported_channel: to stop a log twice waits for ever.
package library_exported_channel

import "sync"

// Log keeps lines.
type Log struct {
	Lines chan<- string // what is sent here is kept

	mu   sync.Mutex
	kept []string
	stop chan struct{}
}

// NewLog makes one.
func NewLog() *Log {
	lines := make(chan string)
	l := &Log{Lines: lines, stop: make(chan struct{})}
	go l.run(lines)
	return l
}

func (l *Log) run(lines chan string) {
	for {
		select {
		case line := <-lines:
			l.mu.Lock()
			l.kept = append(l.kept, line)
			l.mu.Unlock()
		case <-l.stop:
			return
		}
	}
}

// Len tells how many lines there are.
func (l *Log) Len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.kept)
}

// Stop ends it.
func (l *Log) Stop() {
	l.stop <- struct{}{} // want blocked
}
