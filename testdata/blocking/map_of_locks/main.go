// Program map_of_locks: The lock of a name is made when it is first needed, and taken under the lock of the map. Who
// gives it back needs the lock of the map for that.
package main

import "sync"

type names struct {
	mu    sync.Mutex
	locks map[string]*sync.Mutex
}

func (n *names) take(name string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.locks[name] == nil {
		n.locks[name] = &sync.Mutex{}
	}
	n.locks[name].Lock() // want deadlock
}

func (n *names) give(name string) {
	n.mu.Lock() // want deadlock
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
