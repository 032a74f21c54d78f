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
}

// write writes a line, if the journal is open.
func (j *journal) write(text string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.out == nil {
		return
	}
	fmt.Fprintln(j.out, text)
	j.lines++
}

// keep opens the journal, or closes it with nil.
func (j *journal) keep(out io.Writer) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.out = out
}
