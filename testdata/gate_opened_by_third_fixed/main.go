// Command gate_opened_by_third_fixed lets goroutines through a gate that the first of them
// opens. The others, at least two, count themselves under a lock.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// Gate counts who has come through, and with how many feet.
type Gate struct {
	mu      sync.Mutex
	open    atomic.Bool
	through int
	feet    int
}

// Enter opens the gate, or goes through it.
func (g *Gate) Enter() {
	if g.open.CompareAndSwap(false, true) {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.through++
	g.feet += 2
}

func main() {
	g := &Gate{}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(g.Enter)
	}
	wg.Wait()
	fmt.Println(g.through*2 == g.feet)
}
