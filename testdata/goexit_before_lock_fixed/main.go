// Command goexit_before_lock_fixed runs jobs, of which each may give up, and counts
// them under a lock that is taken for that.
package main

import (
	"runtime"
	"sync"
)

// Jobs is how many jobs have run, and the number of the last one.
type Jobs struct {
	mu        sync.Mutex
	runs, sum int
}

// Run checks a job and counts it, whatever comes of it.
func (j *Jobs) Run(n int) {
	defer func() {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.runs++
		j.sum += n
	}()
	check(n)
}

// check ends the goroutine if there is something wrong with the job.
func check(n int) {
	if n > 2 {
		runtime.Goexit()
	}
}

func main() {
	j := &Jobs{}
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() { j.Run(i) })
	}
	wg.Wait()
	println(j.runs, j.sum)
}
