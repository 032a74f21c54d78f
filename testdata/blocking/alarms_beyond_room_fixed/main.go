// Command alarms_beyond_room_fixed: as alarms_beyond_room, with room for an alarm in each round.
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
			m.alarms <- total
		}
	}
}

func main() {
	const rounds = 3
	m := &monitor{alarms: make(chan int, rounds)}
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
	wg.Wait()
	close(m.alarms)
	for a := range m.alarms {
		fmt.Println(a)
	}
}
