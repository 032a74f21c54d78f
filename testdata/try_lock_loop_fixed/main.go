// Command try_lock_loop_fixed tries to lock an entry until it has got it.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// Entry is a key with a value, and a flag for who changes them.
type Entry struct {
	mu    sync.Mutex
	busy  atomic.Bool
	key   string
	value int
}

// Set changes both, if nobody else does.
func (e *Entry) Set(key string, value int) {
	for !e.mu.TryLock() {
		e.busy.Store(true)
	}
	defer e.mu.Unlock()
	e.key = key
	e.value = value
}

func main() {
	e := &Entry{}
	var wg sync.WaitGroup
	wg.Go(func() { e.Set("a", 1) })
	wg.Go(func() { e.Set("b", 2) })
	wg.Wait()
	fmt.Println(e.busy.Load())
}
