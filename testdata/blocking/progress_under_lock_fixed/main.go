// Command progress_under_lock_fixed: it is done then, too.
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
	for !j.isDone() {
		time.Sleep(time.Millisecond)
	}
	fmt.Println(j.steps)
}
