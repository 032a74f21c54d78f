// Command handed_out_reordered lets each worker run that a function has made, by its number.
package main

import (
	"fmt"
	"sort"
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

func newTeam(n int) []*Worker {
	team := make([]*Worker, n)
	for i := range team {
		team[i] = NewWorker(n - i)
	}
	return team
}

func main() {
	team := newTeam(3)
	var left sync.WaitGroup
	for i := 0; i < len(team); i++ {
		sort.Slice(team, func(a, b int) bool { return team[a].load < team[b].load }) // which was first may be next again
		left.Add(1)
		go team[i].run(10, &left)
	}
	left.Wait()
	numbers := []int{3, 2, 1}
	sort.Slice(numbers, func(i, j int) bool { return numbers[i] < numbers[j] })
	fmt.Println(numbers)
	for _, w := range team {
		fmt.Println(w.done, w.failed)
	}
}
