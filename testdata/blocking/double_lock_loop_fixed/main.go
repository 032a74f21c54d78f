// Program double_lock_loop_fixed: the mended double_lock_loop.
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
		mu.Lock()
		if j.skip {
			mu.Unlock()
			continue
		}
		done++
		mu.Unlock()
	}
	fmt.Println(done)
}
