// Program lock_channel_select: A select that is to end the loop is under the lock that the one who ends it takes.
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
		l.mu.Lock()
		select { // want deadlock
		case n := <-l.in:
			fmt.Println(n)
		case <-l.quit:
			l.mu.Unlock()
			return
		}
		l.mu.Unlock()
	}
}

func (l *loop) Stop() {
	l.mu.Lock() // want deadlock
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
