// Command forwarded_late_fixed sends clocks to a goroutine that only forwards them to another
// one, in two pipelines. They are set before they are sent.
package main

import "sync"

// Clock is hours and minutes. It is not safe for concurrent use.
type Clock struct {
	hours   int
	minutes int
}

// Set sets the clock.
func (c *Clock) Set(hours, minutes int) {
	c.hours = hours
	c.minutes = minutes
}

func forward(in <-chan *Clock, out chan<- *Clock) {
	for c := range in {
		out <- c
	}
	close(out)
}

func pipeline(n int) {
	in, out := make(chan *Clock, n), make(chan *Clock, n)
	go forward(in, out)
	var wg sync.WaitGroup
	wg.Go(func() {
		for c := range out {
			c.Set(1, 2)
		}
	})
	for range n {
		c := &Clock{}
		c.Set(3, 4)
		in <- c
	}
	close(in)
	wg.Wait()
}

func main() {
	pipeline(2)
	pipeline(3)
}
