// Program condition_other_lock_fixed: the mended condition_other_lock.
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
		mu.Lock()
		state.Lock()
		full = true
		state.Unlock()
		mu.Unlock()
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
			cond.Wait()
		}
		mu.Unlock()
		close(done)
	}()
	<-done
	fmt.Println("full")
}
