// Command once_function: the function that stops a poller runs once, and waits for the poller. The poller stops itself
// when there is nothing left: who runs the function waits for it, and it waits for the end of that.
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
		<-p.ended // want blocked deadlock
	})
	go p.poll()
	return p
}

func (p *poller) poll() {
	defer close(p.ended)
	for n := range p.work {
		fmt.Println(n)
	}
	p.stop() // want deadlock
}

func main() {
	work := make(chan int, 2)
	work <- 1
	work <- 2
	close(work)
	start(work).stop()
}
