// Program made_again: A lock is made when it is first needed, but it is thrown away in between: who has it releases
// another one. It is the near miss of what is made once.
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
	l.get().Lock()
	l.get().Unlock() // want order
	<-done
}
