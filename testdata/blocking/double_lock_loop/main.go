// Program double_lock_loop: In a loop, continue skips the line that releases the lock.
package main

import (
	"fmt"
	"sync"
)

type job struct{ skip bool }

func main() {
	var mu sync.Mutex
	done := 0
	for _, j := range []job{{skip: true}, {}} {
		mu.Lock() // want deadlock
		if j.skip {
			continue
		}
		done++
		mu.Unlock()
	}
	fmt.Println(done)
}
