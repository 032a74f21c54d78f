// Program made_again_fixed: The mended list_made_again. Who has taken a lock keeps it.
package main

import "sync"

type lazy struct {
	mu  sync.Mutex
	own *sync.Mutex
}

func (l *lazy) get() *sync.Mutex {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.own == nil {
		l.own = &sync.Mutex{}
	}
	return l.own
}

func (l *lazy) reset() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.own = nil
}

func main() {
	l := &lazy{}
	done := make(chan int)
	go func() {
		l.reset()
		close(done)
	}()
	own := l.get()
	own.Lock()
	own.Unlock()
	<-done
}
