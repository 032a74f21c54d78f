package main

import (
	"fmt"
	"sync"
)

// Log keeps lines and their length in bytes.
type Log struct {
	mu    sync.Mutex
	lines []string
	bytes int // of all lines
}

// Append adds a line and prints it. It prints when both fields are updated.
func (l *Log) Append(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, line)
	l.bytes += len(line)
	l.echo(line)
}

// echo prints a line. Output is slow, so it lets go of the lock meanwhile,
// which the caller must hold.
func (l *Log) echo(line string) {
	l.mu.Unlock()
	defer l.mu.Lock()
	fmt.Println("log:", line)
}

// Size returns the number of lines and of their bytes.
func (l *Log) Size() (lines, bytes int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	lines = len(l.lines)
	bytes = l.bytes
	return lines, bytes
}
