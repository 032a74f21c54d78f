// Program two_locks_helper_fixed: the mended two_locks_helper.
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
	e.log.Lock()
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
	e.queue.Lock()
	defer e.queue.Unlock()
	e.log.Lock()
	defer e.log.Unlock()
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
