// Program lock_channel_close_fixed: the mended lock_channel_close.
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
	p.mu.Lock()
	p.n = 0
	p.mu.Unlock()
}

func (p *pool) Close() {
	p.mu.Lock()
	close(p.quit)
	p.mu.Unlock()
	<-p.done
}

func main() {
	p := &pool{quit: make(chan struct{}), done: make(chan struct{})}
	go p.run()
	p.Close()
	fmt.Println("closed")
}
