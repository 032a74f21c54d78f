// Command words counts words: readers split texts, counters put them into tries under a lock for each first letter, and
// totals are atomic.
package main

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
)

type node struct {
	children [26]*node
	count    int
}

// Trie counts words.
type Trie struct {
	mu      sync.Mutex
	root    node
	words   int
	nodes   int
	deepest int
}

// Add counts a word.
func (t *Trie) Add(word string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := &t.root
	for i := range len(word) {
		c := word[i] - 'a'
		if n.children[c] == nil {
			n.children[c] = &node{}
			t.nodes++
			t.deepest = max(t.deepest, i+1)
		}
		n = n.children[c]
	}
	n.count++
	t.words++
}

// Count returns how often a word was counted.
func (t *Trie) Count(word string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := &t.root
	for i := range len(word) {
		if n = n.children[word[i]-'a']; n == nil {
			return 0
		}
	}
	return n.count
}

// Index is a trie for each first letter.
type Index struct {
	tries [26]Trie
	texts atomic.Int64
	bytes atomic.Int64
}

// Read counts the words of a text.
func (x *Index) Read(text string) {
	x.texts.Add(1)
	x.bytes.Add(int64(len(text)))
	for word := range strings.FieldsSeq(text) {
		x.tries[word[0]-'a'].Add(word)
	}
}

func main() {
	x := &Index{}
	texts := make(chan string, 16)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for text := range texts {
				x.Read(text)
				if x.texts.Load()%16 == 0 {
					x.tries[0].Count("abc")
				}
			}
		})
	}
	seed := uint32(1)
	var b strings.Builder
	for range 20_000 {
		b.Reset()
		for range 20 {
			seed = seed*1664525 + 1013904223
			for i := range 3 + seed>>30 {
				b.WriteByte('a' + byte(seed>>(8+4*i)%13))
			}
			b.WriteByte(' ')
		}
		texts <- b.String()
	}
	close(texts)
	wg.Wait()
	words := 0
	for i := range x.tries {
		words += x.tries[i].words
	}
	fmt.Println(words, x.texts.Load(), x.bytes.Load() > 0)
}
