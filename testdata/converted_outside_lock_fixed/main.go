// Command converted_outside_lock_fixed makes a text of a buffer under the lock.
package main

import (
	"fmt"
	"sync"
)

// Name is a text of two letters.
type Name struct {
	mu      sync.Mutex
	letters []byte
}

// Set sets both letters.
func (n *Name) Set(letter byte) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.letters[0] = letter
	n.letters[1] = letter
}

// Text returns the letters.
func (n *Name) Text() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return string(n.letters)
}

func main() {
	n := &Name{letters: []byte("ab")}
	var wg sync.WaitGroup
	wg.Go(func() { n.Set('c') })
	wg.Go(func() {
		if text := n.Text(); text[0] != text[1] {
			fmt.Println("half a name")
		}
	})
	wg.Wait()
}
