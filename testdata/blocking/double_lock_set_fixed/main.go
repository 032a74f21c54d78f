// Program double_lock_set_fixed: What is in a set is done without the lock.
package main

import (
	"fmt"
	"sync"
)

type names struct {
	mu    sync.Mutex
	known map[string]struct{}
	sizes map[string]size
}

type size struct{ width, height int }

func (n *names) add(name string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.known[name] = struct{}{}
	n.sizes[name] = size{2, 3}
}

func (n *names) area(name string) int {
	s, ok := n.sizes[name]
	if !ok {
		return 0
	}
	if _, ok := n.known[name]; ok {
		n.add(name + " again")
	}
	return s.width * s.height
}

func main() {
	n := &names{known: map[string]struct{}{}, sizes: map[string]size{}}
	n.add("door")
	if n.area("door") > 0 {
		fmt.Println("a door")
	}
}
