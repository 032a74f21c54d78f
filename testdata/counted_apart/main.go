// Command counted_apart puts keys into a map and counts them, in two critical sections.
package main

import (
	"fmt"
	"sync"
)

// Keys is a set of keys, and how often one was put.
type Keys struct {
	mu   sync.Mutex
	all  map[int]bool
	puts int
}

// Put adds a key.
func (k *Keys) Put(key int) {
	k.mu.Lock()
	k.all[key] = true
	k.mu.Unlock()

	k.mu.Lock()
	k.puts++
	if k.puts > len(k.all)+3 {
		fmt.Println("many of", key)
	}
	k.mu.Unlock()
}

func main() {
	k := &Keys{all: map[int]bool{}}
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() { k.Put(i) })
	}
	wg.Wait()
}
