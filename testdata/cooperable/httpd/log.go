package main

import (
	"fmt"
	"io"
	"sync"
)

// commonLog is a log in the Common Log Format, nil when it is closed.
type commonLog struct {
	mu    sync.Mutex
	out   io.Writer
	lines int
	lost  int // lines that came too late
}

func (l *commonLog) isOpen() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.out != nil
}

func (l *commonLog) line(method, path string, status int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.out == nil { // a program that trusts the look before fails here
		l.lost++
		return
	}
	fmt.Fprintf(l.out, "127.0.0.1 - - %q %d -\n", method+" "+path, status)
	l.lines++
}

// write writes a line, if the log is open.
func (l *commonLog) write(method, path string, status int) {
	if l.isOpen() {
		l.line(method, path, status)
	}
}

// set opens the log, or closes it with nil.
func (l *commonLog) set(out io.Writer) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.out = out
}
