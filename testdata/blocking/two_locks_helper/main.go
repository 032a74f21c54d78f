// Program two_locks_helper: The second lock is taken three calls deeper.
package main

import (
	"fmt"
	"sync"
)

type engine struct {
	queue, log sync.Mutex
	n          int
}

func (e *engine) record() {
	e.log.Lock() // want deadlock
	e.n++
	e.log.Unlock()
}

func (e *engine) step() { e.record() }

func (e *engine) Run() {
	e.queue.Lock()
	defer e.queue.Unlock()
	e.step()
}

func (e *engine) Flush() {
	e.log.Lock()
	defer e.log.Unlock()
	e.queue.Lock() // want deadlock
	defer e.queue.Unlock()
	e.n = 0
}

func main() {
	e := &engine{}
	var wg sync.WaitGroup
	wg.Go(e.Run)
	wg.Go(e.Flush)
	wg.Wait()
	fmt.Println(e.n)
}
