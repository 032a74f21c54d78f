// Command one_goroutine has a log with a lock that it does not need, and a cursor without.
package main

import "sync"

// Log has lines.
type Log struct {
	mu    sync.Mutex
	lines []string
}

func (l *Log) add(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, line)
}

// Cursor is a place in a text.
type Cursor struct{ line, column int }

func (c *Cursor) down() { c.line, c.column = c.line+1, 0 }

// Options are filled in once.
type Options struct{ name string }

// Spare has a lock, and is not used at all.
type Spare struct {
	mu sync.Mutex
	n  int
}

func main() {
	options := &Options{name: "x"}
	l, c := &Log{}, &Cursor{}
	l.add(options.name)
	c.down()
	println(c.line, len(l.lines))
}
