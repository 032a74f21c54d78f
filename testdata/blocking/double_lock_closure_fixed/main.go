// Program double_lock_closure_fixed: the mended double_lock_closure.
package main

import (
	"fmt"
	"sync"
)

func main() {
	var mu sync.Mutex
	total := 0
	add := func(n int) {
		total += n
	}
	mu.Lock()
	for i := range 3 {
		add(i)
	}
	mu.Unlock()
	fmt.Println(total)
}
