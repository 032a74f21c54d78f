// Command reset_after_swap runs a job that can be started once at a time.
package main

import (
	"log"
	"sync/atomic"
)

const (
	idle int32 = iota
	running
	broken
)

// Job is idle, running or broken.
type Job struct {
	state atomic.Int32
}

// Start begins the job. Who finds it running takes it for broken.
func (j *Job) Start() bool {
	if j.state.CompareAndSwap(idle, running) {
		return true
	}
	log.Println("cannot start: state", j.state.Load())
	j.state.Store(broken) // BUG: it may be idle by now
	return false
}

// Stop ends the job.
func (j *Job) Stop() { j.state.Store(idle) }

func main() {
	job := &Job{}
	done := make(chan bool)
	go func() {
		if job.Start() {
			job.Stop()
		}
		done <- true
	}()
	job.Start()
	<-done
}
