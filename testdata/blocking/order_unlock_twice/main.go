// Program order_unlock_twice: On one path the lock is released twice.
package main

import (
	"fmt"
	"sync"
)

func put(mu *sync.Mutex, n int) {
	mu.Lock()
	defer mu.Unlock() // want order
	if n > 0 {
		mu.Unlock()
		fmt.Println(n)
		return
	}
}

func main() {
	var mu sync.Mutex
	put(&mu, 1)
}
