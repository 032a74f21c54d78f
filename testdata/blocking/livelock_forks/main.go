// Command livelock_forks: three philosophers at a table take the fork on their left, find the one on their right taken,
// and lay theirs down again. No two of them can hinder each other so, but the three can.
package main

import (
	"fmt"
	"runtime"
	"sync"
)

type fork struct{ sync.Mutex }

func eat(name string, left, right *fork) {
	for {
		left.Lock()
		// confirm: no, no run shows that it goes on for ever
		if right.TryLock() { // want livelock
			break
		}
		left.Unlock()
		runtime.Gosched()
	}
	fmt.Println(name, "eats")
	right.Unlock()
	left.Unlock()
}

func main() {
	one, two, three := &fork{}, &fork{}, &fork{}
	var all sync.WaitGroup
	all.Add(2)
	go func() {
		defer all.Done()
		eat("Plato", one, two)
	}()
	go func() {
		defer all.Done()
		eat("Kant", two, three)
	}()
	eat("Hume", three, one)
	all.Wait()
}
