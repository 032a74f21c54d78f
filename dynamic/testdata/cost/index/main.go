// Command index looks up words by their beginnings in a tree that few change, and keeps the last answers.
package main

import (
	"fmt"
	"sync"
)

// node is a letter of words, with those that come behind it.
type node struct {
	letter byte
	word   bool
	weight int
	below  []*node
}

// child returns the node below for a letter, nil if there is none.
func (n *node) child(letter byte) *node {
	for _, c := range n.below {
		if c.letter == letter {
			return c
		}
	}
	return nil
}

// Index has the words, and the last answers.
type Index struct {
	mu    sync.RWMutex
	root  node
	words int
	total int // of the weights

	lastMu sync.Mutex
	last   map[string]int
	order  []string
	hits   int
	misses int
}

// NewIndex returns an index without words.
func NewIndex() *Index { return &Index{last: map[string]int{}} }

// Add adds a word, or makes it weigh more.
func (x *Index) Add(word string, weight int) {
	x.mu.Lock()
	n := &x.root
	for i := range len(word) {
		c := n.child(word[i])
		if c == nil {
			c = &node{letter: word[i]}
			n.below = append(n.below, c)
		}
		n = c
	}
	if !n.word {
		n.word = true
		x.words++
	}
	n.weight += weight
	x.total += weight
	x.mu.Unlock()

	x.lastMu.Lock()
	for i := range len(word) {
		delete(x.last, word[:i+1])
	}
	x.lastMu.Unlock()
}

// sum is the weight of all words from a node on, with the lock held.
func (n *node) sum() int {
	s := n.weight
	for _, c := range n.below {
		s += c.sum()
	}
	return s
}

// Weight returns the weight of all words that begin so.
func (x *Index) Weight(prefix string) int {
	x.lastMu.Lock()
	if w, ok := x.last[prefix]; ok {
		x.hits++
		x.lastMu.Unlock()
		return w
	}
	x.misses++
	x.lastMu.Unlock()

	x.mu.RLock()
	n := &x.root
	for i := 0; i < len(prefix) && n != nil; i++ {
		n = n.child(prefix[i])
	}
	w := 0
	if n != nil {
		w = n.sum()
	}
	x.mu.RUnlock()

	x.lastMu.Lock()
	defer x.lastMu.Unlock()
	x.last[prefix] = w
	x.order = append(x.order, prefix)
	if len(x.order) > 256 {
		delete(x.last, x.order[0])
		x.order = x.order[1:]
	}
	return w
}

// Size returns how many words there are, and what they weigh on average.
func (x *Index) Size() (words, average int) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.words, x.total / max(x.words, 1)
}

func main() {
	x := NewIndex()
	letters := "etaoinshrdlu"
	word := func(seed uint32) string {
		w := make([]byte, 3+seed>>28%4)
		for i := range w {
			seed = seed*1664525 + 1013904223
			w[i] = letters[seed>>24%uint32(len(letters))]
		}
		return string(w)
	}
	for i := range uint32(2_000) {
		x.Add(word(i*2654435761), 1)
	}
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			seed, sum := uint32(g+1), 0
			for i := range 30_000 {
				seed = seed*1664525 + 1013904223
				switch {
				case i%64 == 0:
					x.Add(word(seed), 1)
				case i%16 == 1:
					_, average := x.Size()
					sum += average
				default:
					sum += x.Weight(word(seed)[:2+seed>>30%2])
				}
			}
		})
	}
	wg.Wait()
	fmt.Println(x.words > 0, x.hits > 0)
}
