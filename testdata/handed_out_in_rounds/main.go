// Command handed_out_in_rounds lets each worker run in each round, and waits for all before the next.
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

func main() {
	var team []*Worker
	for i := range 3 {
		team = append(team, &Worker{load: i})
	}
	var left sync.WaitGroup
	for range 2 {
		for i := 0; i < len(team); i++ {
			left.Add(1)
			go team[i].run(10, &left)
		}
	}
	left.Wait()
	for _, w := range team {
		fmt.Println(w.done, w.failed)
	}
}
