// Command cache reads through a cache with a lock for readers and one for writers.
package main

import (
	"crypto/sha256"
	"fmt"
	"sync"
)

// Cache keeps the results of a slow function, the oldest first to go.
type Cache struct {
	mu           sync.RWMutex
	values       map[int][32]byte
	order        []int
	hits, misses int
}

const size = 1000

func (c *Cache) Get(key int) [32]byte {
	c.mu.RLock()
	v, ok := c.values[key]
	c.mu.RUnlock()
	if ok {
		return v
	}
	v = slow(key)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.misses++
	if _, ok := c.values[key]; !ok {
		c.values[key] = v
		c.order = append(c.order, key)
		if len(c.order) > size {
			delete(c.values, c.order[0])
			c.order = c.order[1:]
		}
	}
	return v
}

// slow is what the cache saves.
func slow(key int) [32]byte {
	v := sha256.Sum256([]byte(fmt.Sprint(key)))
	for range 10 {
		v = sha256.Sum256(v[:])
	}
	return v
}

func main() {
	c := &Cache{values: map[int][32]byte{}}
	var wg sync.WaitGroup
	sums := make([]int, 4)
	for g := range sums {
		wg.Go(func() {
			seed, sum := uint32(g), 0
			for range 150_000 {
				seed = seed*1664525 + 1013904223
				v := c.Get(int(seed>>16) % 1200)
				for _, b := range v {
					sum += int(b)
				}
			}
			sums[g] = sum
		})
	}
	wg.Wait()
	fmt.Println(sums, len(c.order))
}
