// Command goexit_before_lock runs jobs, of which each may give up before it is counted.
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
	locked := false
	defer func() {
		j.runs++ // without the lock, if the check has ended the goroutine
		j.sum += n
		if locked {
			j.mu.Unlock()
		}
	}()
	check(n)
	j.mu.Lock()
	locked = true
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
