// Program apart_handed_kept: The near miss of apart_handed_own: who starts the goroutines keeps what it hands them, and
// does not give back what it has taken.
package main

import "sync"

type job struct {
	mu   sync.Mutex
	done bool
}

func (j *job) run() {
	j.mu.Lock() // want blocked
	j.done = true
	j.mu.Unlock()
}

func main() {
	for range 2 {
		j := &job{}
		j.mu.Lock()
		go j.run()
		if j.done {
			j.mu.Unlock()
		}
	}
}
