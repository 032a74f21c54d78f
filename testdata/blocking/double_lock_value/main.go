// Program double_lock_value: A lock is taken by its method as a value, on a goroutine that ends with it held.
package main

import (
	"fmt"
	"sync"
)

type gate struct {
	mu   sync.Mutex
	open bool
}

func main() {
	g := &gate{}
	var group sync.WaitGroup
	group.Go(g.mu.Lock)
	group.Wait()
	g.mu.Lock() // want blocked
	g.open = true
	g.mu.Unlock()
	fmt.Println(g.open)
}
