// Command searched_outside_lock_fixed looks for a letter in a buffer under the lock.
package main

import (
	"bytes"
	"fmt"
	"sync"
)

// Word is two letters, which are equal.
type Word struct {
	mu      sync.Mutex
	letters []byte
}

// Set sets both.
func (w *Word) Set(letter byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.letters[0] = letter
	w.letters[1] = letter
}

// Index returns where the letter is first.
func (w *Word) Index(letter byte) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return bytes.IndexByte(w.letters, letter)
}

func main() {
	w := &Word{letters: make([]byte, 2)}
	var wg sync.WaitGroup
	wg.Go(func() { w.Set('x') })
	wg.Go(func() {
		if w.Index('x') == 1 {
			fmt.Println("half set")
		}
	})
	wg.Wait()
}
