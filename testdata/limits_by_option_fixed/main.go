// Command limits_by_option_fixed has workers with limits that an option sets, before anybody works. Each use of the
// limits follows the field anew.
package main

import (
	"errors"
	"fmt"
	"sync"
)

// Limits is what runs, and how many that are.
type Limits struct {
	mu      sync.Mutex
	running map[int]bool
	count   int
}

type worker struct {
	limits *Limits
	jobs   chan int
}

// Pool has the workers' settings.
type Pool struct {
	worker worker
	name   string
}

// Option is a setting.
type Option func(*Pool) error

// WithLimits has jobs run once at a time.
func WithLimits(n int) Option {
	return func(p *Pool) error {
		if n == 0 {
			return errors.New("no limits")
		}
		p.worker.limits = &Limits{running: make(map[int]bool, n)}
		return nil
	}
}

// New returns a pool with the settings.
func New(options ...Option) (*Pool, error) {
	w := worker{jobs: make(chan int)}
	p := &Pool{name: "pool"}
	p.worker = w
	for _, o := range options {
		if err := o(p); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (w *worker) begin(id int) bool {
	w.limits.mu.Lock()
	if w.limits.running[id] {
		w.limits.mu.Unlock()
		return false
	}
	w.limits.running[id] = true
	w.limits.count++
	w.limits.mu.Unlock()
	return true
}

func (w *worker) work() {
	for id := range w.jobs {
		fmt.Println(id, w.begin(id))
	}
}

func main() {
	p, err := New(WithLimits(3), WithLimits(4))
	if err != nil {
		return
	}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(p.worker.work)
	}
	for i := range 10 {
		p.worker.jobs <- i % 4
	}
	close(p.worker.jobs)
	wg.Wait()
}
