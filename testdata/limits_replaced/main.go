// Command limits_replaced has workers with limits that are replaced while they work: who has locked the old ones may change
// the new ones. (As limits_by_option_fixed, where nobody replaces them.)
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

// replace has jobs run anew.
func (w *worker) replace() { w.limits = &Limits{running: map[int]bool{}} }

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
		if p.worker.jobs <- i % 4; i == 5 {
			p.worker.replace()
		}
	}
	close(p.worker.jobs)
	wg.Wait()
}
