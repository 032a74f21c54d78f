// Command once_function_fixed: the function that stops a poller runs once, and waits for the poller. The poller only ends
// when there is nothing left.
package main

import (
	"fmt"
	"sync"
)

type poller struct {
	work  chan int
	ended chan struct{}
	stop  func()
}

func start(work chan int) *poller {
	p := &poller{work: work, ended: make(chan struct{})}
	p.stop = sync.OnceFunc(func() {
		fmt.Println("stopping")
		<-p.ended
	})
	go p.poll()
	return p
}

func (p *poller) poll() {
	defer close(p.ended)
	for n := range p.work {
		fmt.Println(n)
	}
}

func main() {
	work := make(chan int, 2)
	work <- 1
	work <- 2
	close(work)
	start(work).stop()
}
