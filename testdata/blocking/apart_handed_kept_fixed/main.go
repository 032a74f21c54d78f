// Program apart_handed_kept_fixed: The mended apart_handed_kept.
package main

import "sync"

type job struct {
	mu   sync.Mutex
	done bool
}

func (j *job) run() {
	j.mu.Lock()
	j.done = true
	j.mu.Unlock()
}

func main() {
	for range 2 {
		j := &job{}
		j.mu.Lock()
		go j.run()
		j.mu.Unlock()
	}
}
