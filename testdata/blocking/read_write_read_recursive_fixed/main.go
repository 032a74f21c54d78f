// Program read_write_read_recursive_fixed: the mended read_write_read_recursive.
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
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.sum()
}

func (t *tree) sum() int {
	n := t.value
	for _, k := range t.kids {
		n += k.sum()
	}
	return n
}

func main() {
	mu := &sync.RWMutex{}
	t := &tree{mu: mu, kids: []*tree{{mu: mu, value: 1}}}
	go func() {
		mu.Lock()
		t.value = 2
		mu.Unlock()
	}()
	fmt.Println(t.Sum())
}
