// Command append_in_parts_fixed appends to a slice and stores it in one critical section.
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
	grown := append(l.lines, line)
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
