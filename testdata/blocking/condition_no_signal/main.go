// Program condition_no_signal: The state that is waited for changes without a signal.
package main

import (
	"fmt"
	"sync"
)

type queue struct {
	mu    sync.Mutex
	cond  *sync.Cond
	items int
	done  bool
}

func (q *queue) Take() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.items == 0 && !q.done {
		q.cond.Wait() // want missed-signal
	}
	return q.items > 0
}

func (q *queue) Close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.done = true
}

func main() {
	q := &queue{}
	q.cond = sync.NewCond(&q.mu)
	ended := make(chan bool)
	go func() {
		fmt.Println(q.Take())
		close(ended)
	}()
	q.Close()
	<-ended
}
