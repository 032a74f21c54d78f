// Program two_locks_mixed_fixed: the mended two_locks_mixed.
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
	x.words.Lock()
	x.n++
	x.words.Unlock()
}

func (x *index) Count() int {
	x.words.RLock()
	n := x.n
	x.words.RUnlock()
	x.mu.Lock()
	defer x.mu.Unlock()
	return n
}

func main() {
	x := &index{}
	done := make(chan int, 1)
	go func() { done <- x.Count() }()
	x.Add()
	fmt.Println(<-done)
}
