// Command made_by_value_fixed has some logs, each with a buffer of its own, which a function has
// made that returns it in a struct.
package main

import (
	"fmt"
	"sync"
)

// Log keeps the last lines.
type Log struct {
	mu    sync.Mutex
	lines ring
}

type ring struct {
	buffer []string
	next   int
}

func newRing(size int) (r ring) {
	r.buffer = make([]string, size)
	r.rewind()
	return
}

func (r *ring) rewind() { r.next = 0 }

// Add adds a line.
func (l *Log) Add(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines.buffer[l.lines.next] = line
	l.lines.next = (l.lines.next + 1) % len(l.lines.buffer)
}

// NewLog returns an empty log.
func NewLog() *Log {
	l := &Log{}
	l.lines = newRing(4)
	return l
}

func main() {
	var done sync.WaitGroup
	for _, line := range []string{"get", "post"} {
		l := NewLog()
		done.Go(func() { l.Add(line) })
		done.Go(func() { l.Add("end") })
	}
	done.Wait()
	fmt.Println("done")
}
