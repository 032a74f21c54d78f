// Program lock_channel_close: The lock is held while the goroutine waits for the other one to end, which needs the lock.
package main

import (
	"fmt"
	"sync"
)

type pool struct {
	mu   sync.Mutex
	quit chan struct{}
	done chan struct{}
	n    int
}

func (p *pool) run() {
	defer close(p.done)
	<-p.quit
	p.mu.Lock() // want deadlock
	p.n = 0
	p.mu.Unlock()
}

func (p *pool) Close() {
	p.mu.Lock()
	close(p.quit)
	<-p.done // want deadlock
	p.mu.Unlock()
}

func main() {
	p := &pool{quit: make(chan struct{}), done: make(chan struct{})}
	go p.run()
	p.Close()
	fmt.Println("closed")
}
