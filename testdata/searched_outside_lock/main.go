// Command searched_outside_lock looks for a letter in a buffer when it has let go of
// the lock. The search is written in assembly.
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
	letters := w.letters
	w.mu.Unlock()
	return bytes.IndexByte(letters, letter)
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
