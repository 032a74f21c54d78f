// Command made_by_value has some logs, and one buffer for all, which a function returns in a
// struct.
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

var shared []string

func newRing(size int) (r ring) {
	if shared == nil {
		shared = make([]string, size)
	}
	r.buffer = shared
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
