// Package words reads words, and keeps what it knows of each in a cache for all readers.
package words

import "sync"

var (
	mu    sync.RWMutex
	cache map[string]int
)

// Reader reads the words of a text. It is for one goroutine at a time.
type Reader struct {
	text []string
	next int
}

// NewReader returns a reader at the first word.
func NewReader(text ...string) *Reader { return &Reader{text: text} }

// Length reads a word, and returns how long it is; 0 at the end.
func (r *Reader) Length() int {
	if r.next == len(r.text) {
		return 0
	}
	r.next++
	return length(r.text[r.next-1])
}

// length looks into the cache, and fills it if the word is not there: each who does fills in the same.
func length(word string) int {
	mu.RLock()
	n, ok := cache[word]
	mu.RUnlock()
	if ok {
		return n
	}
	mu.Lock()
	defer mu.Unlock()
	if cache == nil {
		cache = map[string]int{}
	}
	cache[word] = len(word)
	return len(word)
}
