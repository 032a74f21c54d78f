// Command filled_by_runtime keeps the last statistics of memory, and when they were taken.
// The runtime system writes them.
package main

import (
	"fmt"
	"runtime"
	"sync"
)

// Memory has the last statistics.
type Memory struct {
	mu    sync.Mutex
	stats runtime.MemStats
	round int
}

// Look takes statistics.
func (m *Memory) Look() {
	m.mu.Lock()
	defer m.mu.Unlock()
	runtime.ReadMemStats(&m.stats)
	m.round++
}

// Heap returns how much was in use at the last look, and which it was.
func (m *Memory) Heap() (uint64, int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	inUse := m.stats.HeapInuse
	return inUse, m.round
}

func main() {
	memory := &Memory{}
	done := make(chan bool)
	go func() {
		memory.Look()
		done <- true
	}()
	_, round := memory.Heap()
	fmt.Println(round < 2)
	<-done
}
