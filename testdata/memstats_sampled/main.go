// Command memstats_sampled keeps the last memory statistics of a process beside the
// number of the sample that they belong to.
package main

import (
	"runtime"
	"sync"
)

// Monitor holds what the runtime said last.
type Monitor struct {
	mu     sync.Mutex
	stats  runtime.MemStats
	sample int
}

// Sample asks the runtime.
func (m *Monitor) Sample(number int) {
	m.mu.Lock()
	runtime.ReadMemStats(&m.stats)
	m.mu.Unlock() // BUG: the statistics are new, the number is not
	m.mu.Lock()
	m.sample = number
	m.mu.Unlock()
}

// Last returns how much is allocated, and in which sample that was seen.
func (m *Monitor) Last() (heap uint64, sample int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	heap = m.stats.HeapAlloc
	sample = m.sample
	return heap, sample
}

func main() {
	monitor := &Monitor{}
	var wg sync.WaitGroup
	wg.Go(func() {
		for number := range 3 {
			monitor.Sample(number + 1)
		}
	})
	wg.Go(func() {
		for range 3 {
			heap, sample := monitor.Last()
			if heap > 1<<30 && sample == 1 {
				panic("already full")
			}
		}
	})
	wg.Wait()
}
