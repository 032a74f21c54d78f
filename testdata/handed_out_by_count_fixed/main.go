// Command handed_out_by_count_fixed lets each worker of a team run, by its number.
package main

import (
	"fmt"
	"sync"
)

// Worker counts what it has done.
type Worker struct {
	load         int
	done, failed int
}

// NewWorker returns a worker.
func NewWorker(load int) *Worker { return &Worker{load: load} }

func (w *Worker) run(jobs int, left *sync.WaitGroup) {
	defer left.Done()
	for i := range jobs {
		if i%3 == 0 {
			w.failed++
		} else {
			w.done++
		}
	}
}

// Team is workers.
type Team struct{ workers []*Worker }

// NewTeam returns a team of n.
func NewTeam(n int) *Team {
	t := &Team{}
	for i := 0; i < n; i++ {
		t.workers = append(t.workers, NewWorker(i))
	}
	return t
}

// Run lets each worker run, and waits for them.
func (t *Team) Run() {
	var left sync.WaitGroup
	for i := range t.workers {
		left.Add(1)
		go t.workers[i].run(10, &left)
	}
	left.Wait()
}

func main() {
	t := NewTeam(3)
	t.Run()
	for _, w := range t.workers {
		fmt.Println(w.done, w.failed)
	}
}
