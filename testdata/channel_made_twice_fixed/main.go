// Command channel_made_twice_fixed waits for two goroutines, each of which has a channel
// of its own; one is a function of its own.
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
	hello := make(chan struct{})
	go func() {
		defer close(hello)
		fmt.Println("hello")
	}()
	<-spawn(func() { p.Set(1, 2) })
	fmt.Println(p.Get())
	<-hello
}
