package main

import (
	"fmt"
	"io"
	"sync"
)

// journal has a line for each change, while somebody keeps it.
type journal struct {
	mu    sync.Mutex
	out   io.Writer
	lines int
	lost  int // lines that came when it was closed
}

func (j *journal) isOpen() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.out != nil
}

func (j *journal) line(text string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.out == nil { // a program that trusts the look before fails here
		j.lost++
		return
	}
	fmt.Fprintln(j.out, text)
	j.lines++
}

// write writes a line, if the journal is open.
func (j *journal) write(text string) {
	if j.isOpen() {
		j.line(text)
	}
}

// keep opens the journal, or closes it with nil.
func (j *journal) keep(out io.Writer) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.out = out
}
