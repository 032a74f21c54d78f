// Command mapmutex counts words in a map behind a mutex, from several goroutines.
package main

import (
	"fmt"
	"hash/fnv"
	"sync"
)

// Counts counts words.
type Counts struct {
	mu    sync.Mutex
	words map[string]int
	total int
}

func (c *Counts) Add(word string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.words[word]++
	c.total++
}

func (c *Counts) Share(word string) float64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return float64(c.words[word]) / float64(c.total)
}

// text is the words of a made-up text.
func text(seed uint32, n int) []string {
	words := make([]string, n)
	for i := range words {
		seed = seed*1664525 + 1013904223
		words[i] = fmt.Sprint("word", seed>>16%512)
	}
	return words
}

// stem cuts a word and hashes it, as a search index would.
func stem(word string) string {
	h := fnv.New32a()
	for range 8 {
		h.Write([]byte(word))
	}
	return word[:4+h.Sum32()%2]
}

func main() {
	c := &Counts{words: map[string]int{}}
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i, w := range text(uint32(g), 200_000) {
				c.Add(stem(w))
				if i%16 == 0 {
					c.Share("word1")
				}
			}
		})
	}
	wg.Wait()
	fmt.Println(c.total)
}
