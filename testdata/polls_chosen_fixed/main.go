// Command polls_chosen_fixed waits for a gate to open.
package main

import (
	"fmt"
	"sync"
	"time"
)

// Gate lets through whoever comes when it is open.
type Gate struct {
	mu   sync.Mutex
	open bool
}

// Set opens the gate or shuts it.
func (g *Gate) Set(open bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.open = open
}

// Pass waits until the gate is open, and looks more often if that is urgent. One can tell
// afterwards what was chosen, but not how often it looked.
func (g *Gate) Pass(urgent bool) string {
	var pause time.Duration
	var how string
	if urgent {
		pause, how = time.Microsecond, "at once"
	} else {
		pause, how = time.Millisecond, "in time"
	}
	for {
		g.mu.Lock()
		if g.open {
			g.mu.Unlock()
			break
		}
		g.mu.Unlock()
		time.Sleep(pause)
	}
	return how
}

func main() {
	g := &Gate{}
	done := make(chan string)
	go func() { done <- g.Pass(true) }()
	g.Set(true)
	fmt.Println(<-done)
}
