// Command order_counted_inside: each worker counts itself when it begins, and who waits for all may have gone on before.
package main

import (
	"fmt"
	"sync"
)

type worker struct {
	number int
	all    *sync.WaitGroup
}

func (w worker) run() {
	w.all.Add(1) // want order
	defer w.all.Done()
	fmt.Println("part", w.number)
}

func main() {
	var all sync.WaitGroup
	for i := range 2 {
		go worker{i, &all}.run()
	}
	all.Wait() // want order
	fmt.Println("done")
}
