// Command logger_prefix has a logger whose prefix says which phase a job is in. Enter lets
// go of the lock between its steps.
package main

import (
	"io"
	"log"
	"sync"
)

// Job is a phase, and the logger that tells it.
type Job struct {
	mu     sync.Mutex
	logger *log.Logger
	phase  string
}

// Enter begins a phase.
func (j *Job) Enter(phase string) {
	j.mu.Lock()
	j.logger.SetPrefix(phase)
	j.mu.Unlock()

	j.mu.Lock() // others may have been here
	j.phase = phase
	j.logger.Println("entered")
	j.mu.Unlock()
}

// IsTold tells whether the logger tells the phase.
func (j *Job) IsTold() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	told := j.logger.Prefix()
	phase := j.phase
	return told == phase
}

func main() {
	job := &Job{logger: log.New(io.Discard, "", 0)}
	done := make(chan bool)
	go func() {
		job.Enter("build")
		done <- true
	}()
	if !job.IsTold() {
		panic("another phase")
	}
	<-done
}
