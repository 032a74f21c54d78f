// Program channel_each_round_fixed: The mended channel_each_round. Each channel has room for its answer.
//
// open: how often the loop goes round is not known
package main

import "fmt"

type poller struct {
	quit chan int
}

func (p *poller) poll() {
	for n := 0; ; n++ {
		answer := make(chan int, 1)
		go func() {
			answer <- n * n
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
