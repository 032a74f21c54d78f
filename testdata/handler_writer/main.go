// Command handler_writer has a writer of a handler, whose calls are serialised, and calls it besides.
package main

import (
	"fmt"
	"log/slog"
	"sync"
)

// Capture keeps lines.
type Capture struct {
	lines []string
	bytes int
}

// Write keeps a line.
func (c *Capture) Write(p []byte) (int, error) {
	c.lines = append(c.lines, string(p))
	c.bytes += len(p)
	return len(p), nil
}

func main() {
	c := &Capture{}
	logger := slog.New(slog.NewTextHandler(c, nil))
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() { logger.Info("begin", "i", i); logger.With("a", i).Info("end") })
		wg.Go(func() { fmt.Fprintln(c, "alive") })
	}
	wg.Wait()
	fmt.Println(c.lines, c.bytes)
}
