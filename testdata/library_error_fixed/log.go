// Package log keeps the last lines that were written. Its constructors can fail, and
// the lines are in a ring that has one, too.
package log

import (
	"errors"
	"sync"
)

// Log is the last lines.
type Log struct {
	mu    sync.Mutex
	lines ring
	count int
}

// ring is what a log keeps its lines in.
type ring interface {
	put(string)
	all() []string
}

// New returns a log of at most size lines.
func New(size int) (*Log, error) {
	if size > 1000 {
		return nil, errors.New("log: too large")
	}
	lines, err := newList(size)
	if err != nil {
		return nil, err
	}
	return &Log{lines: lines}, nil
}

// Put adds a line.
func (l *Log) Put(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines.put(line)
	l.count++
}

// Lines returns the lines, and how many there have been.
func (l *Log) Lines() ([]string, int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lines.all(), l.count
}

// list is a ring of elements that point to each other.
type list struct {
	root element
	size int
}

type element struct {
	next, prev *element
	line       string
}

func newList(size int) (*list, error) {
	if size < 1 {
		return nil, errors.New("log: no room for lines")
	}
	l := &list{size: size}
	l.root.next, l.root.prev = &l.root, &l.root
	return l, nil
}

func (l *list) put(line string) {
	e := &element{line: line, prev: l.root.prev, next: &l.root}
	e.prev.next, e.next.prev = e, e
}

func (l *list) all() []string {
	var all []string
	for e := l.root.next; e != &l.root && len(all) < l.size; e = e.next {
		all = append(all, e.line)
	}
	return all
}
