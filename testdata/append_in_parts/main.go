// Command append_in_parts appends to a slice in one critical section and stores it in the next.
package main

import "sync"

// Log is a list of numbers.
type Log struct {
	mu    sync.Mutex
	lines []int
}

// Add adds a number.
func (l *Log) Add(line int) {
	l.mu.Lock()
	grown := append(l.lines, line) // writes to the memory that all see
	l.mu.Unlock()
	l.mu.Lock()
	l.lines = grown
	l.mu.Unlock()
}

// First returns the first number.
func (l *Log) First() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lines[0]
}

func main() {
	l := &Log{lines: make([]int, 1, 9)}
	done := make(chan bool)
	go func() {
		l.Add(1)
		done <- true
	}()
	println(l.First())
	<-done
}
