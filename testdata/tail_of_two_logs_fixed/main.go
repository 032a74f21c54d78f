// Command tail_of_two_logs_fixed keeps the last line that has been logged. It relies
// on the lock of the logger.
package main

import (
	"log"
	"sync"
)

// Tail is where a logger writes to: it keeps the last line and counts bytes.
// Loggers call Write one at a time.
type Tail struct {
	last  string
	bytes int
}

// Write implements io.Writer.
func (t *Tail) Write(p []byte) (int, error) {
	t.last = string(p)
	t.bytes += len(p)
	return len(p), nil
}

// Bytes returns how much has been logged.
func (t *Tail) Bytes() int {
	return t.bytes
}

func serve(logger *log.Logger, requests int) {
	for n := range requests {
		logger.Printf("request %d", n)
	}
}

func main() {
	tail := &Tail{}
	access := log.New(tail, "access: ", 0)
	var wg sync.WaitGroup
	wg.Go(func() { serve(access, 2) })
	wg.Go(func() { serve(access, 1) })
	wg.Wait()
	if tail.Bytes() == 0 {
		panic("nothing logged")
	}
}
