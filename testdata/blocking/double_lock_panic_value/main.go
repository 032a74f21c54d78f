// Program double_lock_panic_value: A helper that may fail leaves the lock to its caller on one path only.
package main

import (
	"fmt"
	"sync"
)

type file struct {
	mu   sync.Mutex
	open bool
}

func (f *file) acquire() bool {
	f.mu.Lock() // want deadlock
	if !f.open {
		return false
	}
	return true
}

func main() {
	f := &file{}
	if !f.acquire() {
		f.open = true
	}
	if f.acquire() {
		fmt.Println("open")
		f.mu.Unlock()
	}
}
