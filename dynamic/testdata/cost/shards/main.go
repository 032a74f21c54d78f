// Command shards has eight goroutines read and write through a cache in shards, each of which drops what was
// used least recently.
package main

import (
	"fmt"
	"sync"
)

// entry is a key with its value, in the order of use.
type entry struct {
	key, value uint64
	prev, next *entry
}

// shard is a part of the cache. Its list is a ring around root.
type shard struct {
	mu           sync.Mutex
	items        map[uint64]*entry
	root         entry
	capacity     int
	hits, misses uint64
}

func newShard(capacity int) *shard {
	s := &shard{items: map[uint64]*entry{}, capacity: capacity}
	s.root.prev, s.root.next = &s.root, &s.root
	return s
}

func (s *shard) unlink(e *entry) {
	e.prev.next = e.next
	e.next.prev = e.prev
}

func (s *shard) pushFront(e *entry) {
	e.prev, e.next = &s.root, s.root.next
	e.prev.next = e
	e.next.prev = e
}

// Get returns the value of a key, which is then the one that was used last.
func (s *shard) Get(key uint64) (uint64, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, ok := s.items[key]
	if !ok {
		s.misses++
		return 0, false
	}
	s.hits++
	if s.root.next != e {
		s.unlink(e)
		s.pushFront(e)
	}
	return e.value, true
}

// Put sets the value of a key.
func (s *shard) Put(key, value uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e, ok := s.items[key]; ok {
		e.value = value
		if s.root.next != e {
			s.unlink(e)
			s.pushFront(e)
		}
		return
	}
	if len(s.items) >= s.capacity {
		oldest := s.root.prev
		s.unlink(oldest)
		delete(s.items, oldest.key)
	}
	e := &entry{key: key, value: value}
	s.items[key] = e
	s.pushFront(e)
}

// Cache is the whole of the shards.
type Cache struct{ shards [16]*shard }

func (c *Cache) shard(key uint64) *shard { return c.shards[key*0x9e3779b97f4a7c15>>60] }

// Get returns the value of a key.
func (c *Cache) Get(key uint64) (uint64, bool) { return c.shard(key).Get(key) }

// Put sets the value of a key.
func (c *Cache) Put(key, value uint64) { c.shard(key).Put(key, value) }

func main() {
	c := &Cache{}
	for i := range c.shards {
		c.shards[i] = newShard(256)
	}
	var wg sync.WaitGroup
	sums := make([]uint64, 8)
	for g := range sums {
		wg.Go(func() {
			seed, sum := uint64(g+1), uint64(0)
			for range 200_000 {
				seed ^= seed << 13
				seed ^= seed >> 7
				seed ^= seed << 17
				key := seed % 8192
				if seed&1 == 0 {
					key %= 1024
				}
				v, ok := c.Get(key)
				if !ok {
					v = key * key
					c.Put(key, v)
				}
				sum += v
			}
			sums[g] = sum
		})
	}
	wg.Wait()
	fmt.Println(sums)
}
