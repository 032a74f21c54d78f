// Program map_of_locks_fixed: The mended map_of_locks. The lock of a name is taken when that of the map has been given
// back.
package main

import "sync"

type names struct {
	mu    sync.Mutex
	locks map[string]*sync.Mutex
}

func (n *names) take(name string) {
	n.mu.Lock()
	if n.locks[name] == nil {
		n.locks[name] = &sync.Mutex{}
	}
	own := n.locks[name]
	n.mu.Unlock()
	own.Lock()
}

func (n *names) give(name string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.locks[name].Unlock()
}

func main() {
	n := &names{locks: map[string]*sync.Mutex{}}
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			n.take("a")
			n.give("a")
		}()
	}
	wg.Wait()
}
