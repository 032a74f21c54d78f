// A map in shards, each with its own lock. The shards are in an array that is
// passed by value.
package main

import (
	"fmt"
	"hash/fnv"
	"sync"
)

const shards = 4

type shard struct {
	sync.RWMutex
	m      map[string]int
	newest string // the key that was put last
}

// Map is a map that several goroutines can use.
type Map [shards]*shard

// New returns an empty map.
func New() Map {
	var m Map
	for i := range m {
		m[i] = &shard{m: make(map[string]int)}
	}
	return m
}

func (m Map) of(key string) *shard {
	h := fnv.New32a()
	h.Write([]byte(key))
	return m[h.Sum32()%shards]
}

// Put sets the value of a key.
func (m Map) Put(key string, n int) {
	s := m.of(key)
	s.Lock()
	defer s.Unlock()
	s.m[key] = n
	s.newest = key
}

// Newest returns a key like this one that was put last, and how many there are.
func (m Map) Newest(key string) (string, int) {
	s := m.of(key)
	s.RLock()
	defer s.RUnlock()
	n := len(s.m)
	return s.newest, n
}

// Len returns the number of keys.
func (m Map) Len() int {
	n := 0
	for _, s := range m {
		s.RLock()
		n += len(s.m)
		s.RUnlock()
	}
	return n
}

func main() {
	m := New()
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			m.Put(fmt.Sprint(i), i)
			m.Newest(fmt.Sprint(i))
		})
	}
	wg.Wait()
	fmt.Println(m.Len())
}
