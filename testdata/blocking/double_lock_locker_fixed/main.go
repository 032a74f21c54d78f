// Program double_lock_locker_fixed: The helper is called when the lock is released.
package main

import (
	"fmt"
	"sync"
)

type meter struct {
	mu    sync.Mutex
	total int
}

func guarded(l sync.Locker, f func()) {
	l.Lock()
	defer l.Unlock()
	f()
}

func (m *meter) add(n int) {
	m.mu.Lock()
	m.total += n
	isHigh := m.total > 10
	m.mu.Unlock()
	if isHigh {
		guarded(&m.mu, func() { m.total = 0 })
	}
}

func main() {
	m := &meter{}
	m.add(20)
	fmt.Println(m.total)
}
