// Program double_lock_value_fixed: The goroutine gives the lock back.
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
	group.Go(func() {
		g.mu.Lock()
		defer g.mu.Unlock()
	})
	group.Wait()
	g.mu.Lock()
	g.open = true
	g.mu.Unlock()
	fmt.Println(g.open)
}
