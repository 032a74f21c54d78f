// Command logger_and_stderr_fixed counts jobs and what they cost, and logs them.
package main

import (
	"fmt"
	"io"
	"log"
	"os"
	"sync"
)

// Meter counts jobs.
type Meter struct {
	mu    sync.Mutex
	out   io.Writer
	log   *log.Logger
	jobs  int
	costs int
}

// Done counts a job.
func (m *Meter) Done(cost int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.jobs++
	fmt.Fprintln(m.out, "job", cost)
	m.log.Println("job", cost)
	m.costs += cost
}

// Mean returns what a job costs.
func (m *Meter) Mean() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	costs := m.costs
	return costs / max(m.jobs, 1)
}

func main() {
	m := &Meter{out: os.Stderr, log: log.New(os.Stderr, "", 0)}
	done := make(chan bool)
	go func() {
		m.Done(2)
		close(done)
	}()
	if m.Mean() > 2 {
		panic("a job costs 2")
	}
	<-done
}
