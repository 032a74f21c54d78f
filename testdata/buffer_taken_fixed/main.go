// Command buffer_taken_fixed has a log whose lines are taken out under the lock, and
// written out without it.
package main

import (
	"strings"
	"sync"
)

// Log collects lines.
type Log struct {
	mu    sync.Mutex
	lines []string
}

// Add appends a line.
func (l *Log) Add(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, line)
}

// Flush writes the lines out.
func (l *Log) Flush() {
	var lines []string
	l.mu.Lock()
	if len(l.lines) > 0 {
		lines = l.lines
		l.clear()
	}
	l.mu.Unlock()
	for i := range lines {
		lines[i] = strings.ToUpper(lines[i]) // they are ours
		println(lines[i])
	}
}

func (l *Log) clear() { l.lines = make([]string, 0, 8) }

// Last returns the last line.
func (l *Log) Last() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.lines) == 0 {
		return ""
	}
	return l.lines[len(l.lines)-1]
}

func main() {
	l := &Log{}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			l.Add("hello")
			l.Flush()
		})
	}
	println(l.Last())
	wg.Wait()
}
