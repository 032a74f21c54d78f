// Command progress_under_lock: a worker that has nothing to do leaves without saying that it is done, and whoever polls
// for that takes and releases the lock for ever.
package main

import (
	"fmt"
	"sync"
	"time"
)

type job struct {
	mu    sync.Mutex
	done  bool
	steps int
}

func (j *job) run(steps int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if steps == 0 {
		return
	}
	j.steps += steps
	j.done = true
}

func (j *job) isDone() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.done
}

func main() {
	j := &job{}
	go j.run(0)
	for !j.isDone() { // want no-progress
		time.Sleep(time.Millisecond)
	}
	fmt.Println(j.steps)
}
