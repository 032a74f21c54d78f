// Command note decides by what it reads in two parts.
package main

import (
	"log"
	"sync"
)

// Queue counts what has come in and what is done.
type Queue struct {
	mu   sync.Mutex
	in   int
	done int
}

// Add takes something in, and has it done at once.
func (q *Queue) Add(n int) {
	q.mu.Lock()
	q.in = q.in + n*n
	q.done = q.in
	q.mu.Unlock()
}

// Report writes how much is left to do, if there is anything.
func (q *Queue) Report() {
	q.mu.Lock()
	in := q.in
	q.mu.Unlock()
	q.mu.Lock() // in and done do not belong together
	left := in - q.done
	q.mu.Unlock()
	if left != 0 {
		log.Fatalf("%d left", left)
	}
}

func main() {
	q := &Queue{}
	end := make(chan bool)
	go func() {
		q.Add(3)
		end <- true
	}()
	q.Report()
	<-end
}
