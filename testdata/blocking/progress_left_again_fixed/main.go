// Command progress_left_again_fixed: it is on from then on: the loop that looks is left and entered again, round after round.
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
		for !m.isOn() {
			runtime.Gosched()
		}
		m.rounds.Add(1)
	}
}

func main() {
	m := &meter{}
	go m.run()
	m.set(true)
	fmt.Println(m.rounds.Load())
}
