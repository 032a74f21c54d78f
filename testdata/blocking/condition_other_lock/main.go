// Program condition_other_lock: The state is guarded by another lock than that of the condition variable.
package main

import (
	"fmt"
	"sync"
)

func main() {
	var mu, state sync.Mutex
	cond := sync.NewCond(&mu)
	full := false
	done := make(chan bool)
	go func() {
		state.Lock()
		full = true
		state.Unlock()
		cond.Signal()
	}()
	go func() {
		mu.Lock()
		for {
			state.Lock()
			is := full
			state.Unlock()
			if is {
				break
			}
			cond.Wait() // want missed-signal
		}
		mu.Unlock()
		close(done)
	}()
	<-done
	fmt.Println("full")
}
