// Command alarms_beyond_room: the watcher sends an alarm a round, as long as the sum of what the collector has left is
// high, and nobody receives any before it has ended. There is room for one less than it has rounds. That it may send in
// each round is known, whatever the sum is.
package main

import (
	"fmt"
	"sync"
)

type monitor struct {
	mu     sync.Mutex
	sum    int
	alarms chan int
}

func (m *monitor) total() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.sum
}

func (m *monitor) collect(n int) {
	for i := range n {
		m.mu.Lock()
		m.sum += i
		m.mu.Unlock()
	}
}

func (m *monitor) watch(rounds int) {
	for range rounds {
		if total := m.total(); total > 3 {
			m.alarms <- total // want deadlock
		}
	}
}

func main() {
	const rounds = 3
	m := &monitor{alarms: make(chan int, rounds-1)}
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		m.collect(6)
	}()
	go func() {
		defer wg.Done()
		m.watch(rounds)
	}()
	wg.Wait() // want deadlock
	close(m.alarms)
	for a := range m.alarms {
		fmt.Println(a)
	}
}
