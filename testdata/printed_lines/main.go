// Command printed_lines has two logs with a lock each, and prints their lines when it has let go of it.
package main

import (
	"fmt"
	"sync"
)

// Log is lines and their number.
type Log struct {
	mu    sync.Mutex
	lines []string
	n     int
}

// Add adds a line.
func (l *Log) Add(s string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, s)
	l.n++
}

// Show prints it.
func (l *Log) Show() {
	l.mu.Lock()
	n := l.n
	l.mu.Unlock()
	fmt.Println(n, l.lines)
}

func main() {
	var wg sync.WaitGroup
	for range 2 {
		l := &Log{}
		wg.Go(func() { l.Add("x") })
		wg.Go(l.Show)
	}
	wg.Wait()
}
