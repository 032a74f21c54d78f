// Command note_fixed only logs what it reads in two parts.
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

// Report writes how much has come in and how much is done.
func (q *Queue) Report() {
	q.mu.Lock()
	in := q.in
	q.mu.Unlock()
	q.mu.Lock() // in and done do not belong together, which is only seen in the log
	done := q.done
	q.mu.Unlock()
	log.Printf("%d in, %d done", in, done)
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
