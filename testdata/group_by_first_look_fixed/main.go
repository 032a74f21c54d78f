// Command group_by_first_look_fixed counts a job in a wait group if it is a job, and
// keeps that in mind.
package main

import "sync"

// Jobs counts those that are under way.
type Jobs struct {
	mu      sync.Mutex
	enabled bool
	running sync.WaitGroup
}

// Run runs something.
func (j *Jobs) Run() {
	j.mu.Lock()
	counted := j.enabled
	if counted {
		j.running.Add(1)
	}
	j.mu.Unlock()
	println("at work")
	if counted {
		j.running.Done()
	}
}

// Enable says that jobs are counted.
func (j *Jobs) Enable() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.enabled = true
}

func main() {
	j := &Jobs{enabled: true}
	var wg sync.WaitGroup
	wg.Go(j.Run)
	wg.Go(j.Enable)
	wg.Wait()
}
