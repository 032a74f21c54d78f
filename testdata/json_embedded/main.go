// Command json_embedded reports the state of a queue as JSON while a worker takes jobs
// from it.
package main

import (
	"encoding/json"
	"sync"
)

// counts is embedded, so its exported fields are part of the JSON text.
type counts struct {
	Waiting int
	Taken   int
}

// Queue has the jobs of a worker.
type Queue struct {
	mu sync.Mutex
	counts
}

// Take moves a job from the ones that wait to those that are taken.
func (q *Queue) Take() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.Waiting--
	q.Taken++
}

// Report is what a client gets.
type Report struct {
	Name  string
	State *Queue // encoded as it is: without its lock
}

func main() {
	q := &Queue{counts: counts{Waiting: 3}}
	done := make(chan bool)
	go func() {
		q.Take()
		close(done)
	}()
	text, _ := json.Marshal(Report{"jobs", q})
	println(string(text))
	<-done
}
