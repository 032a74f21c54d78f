// Package words counts words; the environment says what is between them.
package words

import (
	"bytes"
	"cmp"
	"os"
	"sync"
)

var separator = cmp.Or(os.Getenv("WORDS_SEPARATOR"), " ")

// Counter counts words.
type Counter struct {
	mu sync.Mutex
	n  int
}

// New returns a counter.
func New() *Counter {
	return &Counter{}
}

// Add counts the words of a text.
func (c *Counter) Add(text []byte) {
	n := c.Words()
	for i := 0; i >= 0; {
		n++
		i = bytes.IndexByte(text, separator[0])
		text = text[i+1:]
	}
	c.mu.Lock() // what was counted since is lost
	defer c.mu.Unlock()
	c.n = n
}

// Words returns the number of words.
func (c *Counter) Words() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n
}
