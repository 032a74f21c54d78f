// Program double_lock_panic_value_fixed: the mended double_lock_panic_value.
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
	f.mu.Lock()
	if !f.open {
		f.mu.Unlock()
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
