// Command channel_pool_fixed has workers take jobs from a channel, and waits for them.
package main

import (
	"fmt"
	"sync"
)

// Tally is what has been done last.
type Tally struct {
	mu   sync.Mutex
	job  int
	size int
}

// Note notes a job that is done.
func (t *Tally) Note(job, size int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.job = job
	t.size = size
}

// Last returns the last job. All workers have to be done.
func (t *Tally) Last() (job, size int) {
	job = t.job
	size = t.size
	return job, size
}

func main() {
	tally := &Tally{}
	jobs := make(chan int)
	var wg sync.WaitGroup
	for range 3 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for job := range jobs {
				tally.Note(job, job*job)
			}
		}()
	}
	for job := range 10 {
		jobs <- job
	}
	close(jobs)
	wg.Wait()
	fmt.Println(tally.Last())
}
