// Command lock_stripes_fixed counts words in stripes, each with a lock of its own, in arrays of one
// length: with the index of a stripe go its lock and its data.
package main

import (
	"fmt"
	"hash/fnv"
	"sync"
)

// Counts is how often each word was seen.
type Counts struct {
	locks [16]sync.Mutex
	seen  [16]map[string]int
	total [16]int
}

// New returns counts without words.
func New() *Counts {
	c := &Counts{}
	for i := range c.seen {
		c.seen[i] = map[string]int{}
	}
	return c
}

func stripe(word string) int {
	h := fnv.New32a()
	h.Write([]byte(word))
	return int(h.Sum32() % 16)
}

// Add counts a word.
func (c *Counts) Add(word string) {
	i := stripe(word)
	c.locks[i].Lock()
	defer c.locks[i].Unlock()
	c.seen[i][word]++
	c.total[i]++
}

// Of returns how often a word was seen, and how many words have its stripe.
func (c *Counts) Of(word string) (n, total int) {
	i := stripe(word)
	c.locks[i].Lock()
	defer c.locks[i].Unlock()
	return c.seen[i][word], c.total[i]
}

// Move counts a word as another one, in two stripes at once.
func (c *Counts) Move(from, to string) {
	i, j := stripe(from), stripe(to)
	if i == j {
		return
	}
	if i > j {
		i, j, from, to = j, i, to, from
	}
	c.locks[i].Lock()
	c.locks[j].Lock()
	c.total[i]--
	c.total[j]++
	c.locks[j].Unlock()
	c.locks[i].Unlock()
}

func main() {
	c := New()
	var wg sync.WaitGroup
	for _, word := range []string{"a", "b", "c"} {
		wg.Go(func() {
			c.Add(word)
			c.Move(word, "d")
			fmt.Println(c.Of(word))
		})
	}
	wg.Wait()
}
