// Command livelock_spinning_fixed: three goroutines take turns with a lock that they spin on. Each of them may be unlucky
// for ever, but only as another one gets on.
package main

import (
	"fmt"
	"runtime"
	"sync/atomic"
)

type spinLock struct{ taken atomic.Bool }

func (l *spinLock) lock() {
	for !l.taken.CompareAndSwap(false, true) {
		runtime.Gosched()
	}
}

func (l *spinLock) unlock() { l.taken.Store(false) }

type board struct {
	spinLock
	moves int
}

func (b *board) play() {
	for {
		b.lock()
		b.moves++
		b.unlock()
	}
}

func main() {
	b := &board{}
	go b.play()
	go b.play()
	for {
		b.lock()
		if b.moves > 1000 {
			fmt.Println(b.moves)
		}
		b.unlock()
	}
}
