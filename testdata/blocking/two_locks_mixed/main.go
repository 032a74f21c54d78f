// Program two_locks_mixed: A mutex and a lock for readers are taken in different orders.
package main

import (
	"fmt"
	"sync"
)

type index struct {
	mu    sync.Mutex
	words sync.RWMutex
	n     int
}

func (x *index) Add() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.words.Lock() // want deadlock
	x.n++
	x.words.Unlock()
}

func (x *index) Count() int {
	x.words.RLock()
	n := x.n
	x.mu.Lock() // want deadlock
	defer x.mu.Unlock()
	x.words.RUnlock()
	return n
}

func main() {
	x := &index{}
	done := make(chan int, 1)
	go func() { done <- x.Count() }()
	x.Add()
	fmt.Println(<-done)
}
