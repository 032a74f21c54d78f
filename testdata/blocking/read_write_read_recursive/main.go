// Program read_write_read_recursive: A tree is read recursively under one lock.
package main

import (
	"fmt"
	"sync"
)

type tree struct {
	mu    *sync.RWMutex
	kids  []*tree
	value int
}

func (t *tree) Sum() int {
	t.mu.RLock() // want deadlock
	defer t.mu.RUnlock()

	n := t.value
	for _, k := range t.kids {
		n += k.Sum()
	}
	return n
}

func main() {
	mu := &sync.RWMutex{}
	t := &tree{mu: mu, kids: []*tree{{mu: mu, value: 1}}}
	go func() {
		mu.Lock() // want deadlock
		t.value = 2
		mu.Unlock()
	}()
	fmt.Println(t.Sum())
}
