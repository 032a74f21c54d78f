// Command service_loop_locked has a goroutine that waits for input with the lock
// held. It lets others in once in each iteration.
package main

import "sync"

// Meter sums up readings and counts them.
type Meter struct {
	mu    sync.Mutex
	sum   int
	count int
}

// Run takes readings as long as there are some. It begins and ends with the lock,
// so that nobody is to see a part of them.
func (m *Meter) Run(source <-chan int) {
	m.mu.Lock()
	for v := range source {
		m.sum += v
		m.count++
		m.mu.Unlock() // to be polite
		m.mu.Lock()
	}
	m.mu.Unlock()
}

// Show returns the sum and the count.
func (m *Meter) Show() (sum, count int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	sum = m.sum
	count = m.count
	return sum, count
}

func main() {
	m := &Meter{}
	source := make(chan int, 3)
	source <- 1
	source <- 2
	close(source)
	go m.Run(source)
	println(m.Show())
}
