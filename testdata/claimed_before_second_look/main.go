// Command claimed_before_second_look lets workers claim a job as long as the office is open.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// Office has one job.
type Office struct {
	mu      sync.Mutex
	open    bool
	claimed atomic.Int32
}

// Claim takes the job, if it can be had. It says whether the office is open.
func (o *Office) Claim() bool {
	if !o.isOpen() {
		return false
	}
	// BUG: the office may have been closed since; only who comes too late looks again.
	if o.claimed.CompareAndSwap(0, 1) {
		return true
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.open {
		return false
	}
	return true
}

func (o *Office) isOpen() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.open
}

// Close closes the office and takes the job back.
func (o *Office) Close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.open = false
	o.claimed.Store(0)
}

func main() {
	office := &Office{open: true}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { office.Claim() })
	}
	wg.Go(office.Close)
	wg.Wait()
	fmt.Println(office.claimed.Load())
}
