// Command progress_lock_left_fixed: the reader releases the lock in any case.
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
	defer b.mu.Unlock()
	if len(b.lines) == 0 {
		return ""
	}
	return b.lines[len(b.lines)-1]
}

func (b *board) add(line string) {
	for !b.mu.TryLock() {
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
	all.Wait()
	fmt.Println(b.last())
}
