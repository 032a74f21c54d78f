// Program apart_handed_own: Each of many goroutines is handed an object that nobody else has.
package main

import "sync"

type job struct {
	mu    sync.Mutex
	tries int
}

func (j *job) run() {
	j.mu.Lock()
	for j.tries < 3 {
		j.again()
	}
	j.mu.Unlock()
}

func (j *job) again() {
	j.mu.Lock() // want deadlock
	defer j.mu.Unlock()
	j.tries++
}

func main() {
	for range 500 {
		go (&job{}).run()
	}
}
