package main

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/term"
)

// phases returns what says, on a terminal, what is being done before a program runs: in one line
// that the next phase overwrites, and "" removes.
func phases(w io.Writer) func(phase string) {
	if f, ok := w.(*os.File); !ok || !term.IsTerminal(int(f.Fd())) {
		return func(string) {}
	}
	shown := ""
	return func(phase string) {
		if phase != "" {
			phase = "empire-go: " + phase + " ..."
		}
		if phase != shown {
			fmt.Fprintf(w, "\r\x1b[K%s", phase)
			shown = phase
		}
	}
}
