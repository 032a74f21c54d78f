// Program channel_each_round: A poller makes a channel in each round and leaves a goroutine with it. Who is told to stop
// in the middle of a round leaves the goroutine of that round behind.
package main

import "fmt"

type poller struct {
	quit chan int
}

func (p *poller) poll() {
	for n := 0; ; n++ {
		answer := make(chan int)
		go func() {
			answer <- n * n // want blocked
		}()
		select {
		case <-p.quit:
			return
		case x := <-answer:
			fmt.Println(x)
		}
	}
}

func main() {
	p := &poller{make(chan int)}
	done := make(chan struct{})
	go func() {
		p.poll()
		close(done)
	}()
	close(p.quit)
	<-done
}
