// Command progress_left_again: a meter counts rounds as long as it is on. It is never switched on.
package main

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

type meter struct {
	mu     sync.Mutex
	on     bool
	rounds atomic.Int64
}

func (m *meter) isOn() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.on
}

func (m *meter) set(on bool) {
	m.mu.Lock()
	m.on = on
	m.mu.Unlock()
}

func (m *meter) run() {
	for {
		for !m.isOn() { // want no-progress
			runtime.Gosched()
		}
		m.rounds.Add(1)
	}
}

func main() {
	m := &meter{}
	go m.run()
	m.set(false)
	fmt.Println(m.rounds.Load())
}
