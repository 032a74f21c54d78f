// Program double_lock_closure: A closure takes the lock that is held where it is called.
package main

import (
	"fmt"
	"sync"
)

func main() {
	var mu sync.Mutex
	total := 0
	add := func(n int) {
		mu.Lock() // want deadlock
		defer mu.Unlock()
		total += n
	}
	mu.Lock()
	for i := range 3 {
		add(i)
	}
	mu.Unlock()
	fmt.Println(total)
}
