// Command channel_two_closers waits until a job is done. A watchdog closes the same
// channel when the job takes too long.
package main

import (
	"fmt"
	"sync"
)

// Job is how far a job has got.
type Job struct {
	step  int
	total int
}

// Run does the job.
func (j *Job) Run(step, total int) {
	j.step = step
	j.total = total
}

// Progress returns how far it has got.
func (j *Job) Progress() (step, total int) {
	step = j.step
	total = j.total
	return step, total
}

func main() {
	j := &Job{}
	done := make(chan struct{})
	var once sync.Once
	stop := func() { once.Do(func() { close(done) }) }
	go func() {
		j.Run(3, 3)
		stop()
	}()
	go stop() // the watchdog is impatient
	<-done
	fmt.Println(j.Progress())
}
