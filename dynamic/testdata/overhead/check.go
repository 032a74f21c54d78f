package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/empire-go/empire-go/dynamic/cooperable"
	"github.com/empire-go/empire-go/dynamic/events"
)

// What a trace is checked for.
const serialMode, cooperableMode = "serializable", "cooperable"

// checkTrace checks the trace, once.
func checkTrace(mode string) error {
	name := filepath.Join(*work, "trace")
	s, err := events.Recorded(func() (io.ReadCloser, error) { return os.Open(name) })
	if err != nil {
		return err
	}
	n := 0
	count := &counted{Source: s, n: &n}
	var o cooperable.Options
	switch mode {
	case serialMode: // each call of a function that no other one has called is a transaction
		o.Atomic = func(events.Event) bool { return true }
	case cooperableMode:
	default:
		return fmt.Errorf("-child %s", mode)
	}
	if _, err := cooperable.Check(context.Background(), count, o); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(*work, "events"), fmt.Append(nil, n), 0o600); err != nil {
		return err
	}
	return printUsage()
}

// counted counts the events of a trace.
type counted struct {
	events.Source
	n *int
}

func (c *counted) Next() (events.Event, error) {
	*c.n++
	return c.Source.Next()
}
