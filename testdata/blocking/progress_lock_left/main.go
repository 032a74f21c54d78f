// Command progress_lock_left: a reader that finds nothing leaves with the lock, and a writer tries to take it for ever,
// for which the reader waits.
package main

import (
	"fmt"
	"sync"
	"time"
)

type board struct {
	mu    sync.Mutex
	lines []string
}

func (b *board) last() string {
	b.mu.Lock()
	if len(b.lines) == 0 {
		return ""
	}
	defer b.mu.Unlock()
	return b.lines[len(b.lines)-1]
}

func (b *board) add(line string) {
	for !b.mu.TryLock() { // want deadlock
		time.Sleep(time.Microsecond)
	}
	defer b.mu.Unlock()
	b.lines = append(b.lines, line)
}

func main() {
	b := &board{}
	fmt.Println(b.last())
	var all sync.WaitGroup
	all.Add(1)
	go func() {
		defer all.Done()
		b.add("first")
	}()
	all.Wait() // want deadlock
	fmt.Println(b.last())
}
