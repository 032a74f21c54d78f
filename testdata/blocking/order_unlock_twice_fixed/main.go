// Program order_unlock_twice_fixed: the mended order_unlock_twice.
package main

import (
	"fmt"
	"sync"
)

func put(mu *sync.Mutex, n int) {
	mu.Lock()
	defer mu.Unlock()
	if n > 0 {
		fmt.Println(n)
		return
	}
}

func main() {
	var mu sync.Mutex
	put(&mu, 1)
}
