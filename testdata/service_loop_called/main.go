// Command service_loop_called drains a queue in a method that its caller uses as a
// whole: the loop waits for input, but it is not what a goroutine begins with.
package main

import "sync"

// Meter sums up readings and counts them.
type Meter struct {
	mu    sync.Mutex
	sum   int
	count int
}

// Read takes all readings of one source. The meter is to show all of them or none.
func (m *Meter) Read(source <-chan int) {
	m.drain(source)
}

func (m *Meter) drain(source <-chan int) {
	for v := range source {
		m.mu.Lock()
		m.sum += v
		m.count++
		m.mu.Unlock() // others see a part of the source's readings
	}
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
	go m.Read(source)
	println(m.Show())
}
