// Command written_outside_lock_fixed writes a buffer to a file under the lock.
package main

import (
	"os"
	"sync"
)

// Line is a buffer of two letters.
type Line struct {
	mu     sync.Mutex
	buffer []byte
}

// Set sets both letters.
func (l *Line) Set(letter byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.buffer[0] = letter
	l.buffer[1] = letter
}

// Flush writes the buffer.
func (l *Line) Flush(to *os.File) {
	l.mu.Lock()
	defer l.mu.Unlock()
	to.Write(l.buffer)
}

func main() {
	l := &Line{buffer: []byte("ab")}
	var wg sync.WaitGroup
	wg.Go(func() { l.Set('c') })
	wg.Go(func() { l.Flush(os.Stdout) })
	wg.Wait()
}
