// Command recorders_with_buffers has two recorders, each with a buffer and a lock.
// One is flushed while others write to it.
package main

import (
	"bytes"
	"sync"
)

// Recorder collects lines until it is flushed.
type Recorder struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

// Line adds a line.
func (r *Recorder) Line(line string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.buf.WriteString(line)
	r.buf.WriteByte('\n')
}

// Text returns what has been collected.
func (r *Recorder) Text() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.buf.String()
}

// Flush returns what has been collected and begins again.
func (r *Recorder) Flush() string {
	text := r.Text()
	r.mu.Lock() // BUG: a line that comes before this is lost
	r.buf.Reset()
	r.mu.Unlock()
	return text
}

// Server records requests and what went wrong.
type Server struct {
	access   *Recorder
	failures *Recorder
}

func main() {
	server := Server{
		access:   &Recorder{},
		failures: new(Recorder),
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		server.access.Line("GET /")
		server.failures.Line("no such page")
	})
	wg.Go(func() {
		if text := server.failures.Text(); len(text) > 100 {
			panic("too much goes wrong")
		}
	})
	if len(server.access.Flush()) > 100 {
		panic("too long")
	}
	wg.Wait()
}
