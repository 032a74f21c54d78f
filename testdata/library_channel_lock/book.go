// Package book is a library of which the lock is a channel with room for one.
package book

import (
	"context"
	"errors"
)

// Book has lines, and the number of the last one.
type Book struct {
	busy  chan struct{}
	lines []string
	last  int
}

// New returns an empty book.
func New() *Book { return &Book{busy: make(chan struct{}, 1)} }

// Add writes a line.
func (b *Book) Add(ctx context.Context, line string) error {
	select {
	case b.busy <- struct{}{}:
	case <-ctx.Done():
		return errors.New("too late")
	}
	b.lines = append(b.lines, line)
	<-b.busy
	b.busy <- struct{}{}
	b.last = len(b.lines)
	<-b.busy
	return nil
}

// Last returns the last line, and its number.
func (b *Book) Last() (line string, number int) {
	b.busy <- struct{}{}
	defer func() { <-b.busy }()
	if len(b.lines) == 0 {
		return "", 0
	}
	return b.lines[len(b.lines)-1], b.last
}
