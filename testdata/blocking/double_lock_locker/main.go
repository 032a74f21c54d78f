// Program double_lock_locker: A helper that takes a sync.Locker is handed the lock that the caller holds.
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
	l.Lock() // want deadlock
	defer l.Unlock()
	f()
}

func (m *meter) add(n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.total += n
	if m.total > 10 {
		guarded(&m.mu, func() { m.total = 0 })
	}
}

func main() {
	m := &meter{}
	m.add(20)
	fmt.Println(m.total)
}
