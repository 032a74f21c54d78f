// Command channel_made_twice waits for one of two goroutines, each of which has a channel
// of its own from the same function.
package main

import "fmt"

// Pair is two numbers that belong together.
type Pair struct {
	first  int
	second int
}

// Set changes both.
func (p *Pair) Set(first, second int) {
	p.first = first
	p.second = second
}

// Get returns both.
func (p *Pair) Get() (first, second int) {
	first = p.first
	second = p.second
	return first, second
}

// spawn runs f and returns a channel that is closed when it is done.
func spawn(f func()) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	return done
}

func main() {
	p := &Pair{}
	set := spawn(func() { p.Set(1, 2) })
	hello := spawn(func() { fmt.Println("hello") })
	<-hello // the wrong one
	fmt.Println(p.Get())
	<-set
}
