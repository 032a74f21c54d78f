// Command livelock_forks_fixed: one of the three takes the forks in the other order. There is always one who gets both:
// the fork that it tries to get is the last one that anybody takes.
package main

import (
	"fmt"
	"runtime"
	"sync"
)

type fork struct{ sync.Mutex }

func eat(name string, first, second *fork) {
	for {
		first.Lock()
		if second.TryLock() {
			break
		}
		first.Unlock()
		runtime.Gosched()
	}
	fmt.Println(name, "eats")
	second.Unlock()
	first.Unlock()
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
	eat("Hume", one, three)
	all.Wait()
}
