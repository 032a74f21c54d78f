// Program apart_handed_own_fixed: The mended apart_handed_own.
package main

import "sync"

type job struct {
	mu    sync.Mutex
	tries int
}

func (j *job) run() {
	for j.more() {
		j.again()
	}
}

func (j *job) more() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.tries < 3
}

func (j *job) again() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.tries++
}

func main() {
	for range 500 {
		go (&job{}).run()
	}
}
