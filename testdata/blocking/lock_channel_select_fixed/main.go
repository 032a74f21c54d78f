// Program lock_channel_select_fixed: the mended lock_channel_select.
package main

import (
	"fmt"
	"sync"
)

type loop struct {
	mu   sync.Mutex
	quit chan bool
	in   chan int
}

func (l *loop) run() {
	for {
		select {
		case n := <-l.in:
			fmt.Println(n)
		case <-l.quit:
			return
		}
	}
}

func (l *loop) Stop() {
	l.mu.Lock()
	close(l.quit)
	l.mu.Unlock()
}

func main() {
	l := &loop{quit: make(chan bool), in: make(chan int)}
	done := make(chan bool)
	go func() {
		l.run()
		close(done)
	}()
	l.Stop()
	<-done
}
