// Command shards_walked_fixed walks over the shards of a map, each under its own lock.
package main

import "sync"

// Shard is a part of a map, and how often it was written to.
type Shard struct {
	sync.RWMutex
	items  map[string]int
	writes int
}

type shards []*Shard

func (m shards) walk(visit func(string, int)) {
	for i := range m {
		shard := m[i]
		shard.RLock()
		for key, value := range shard.items {
			visit(key, value)
		}
		shard.RUnlock()
	}
}

func (m shards) set(key string, value int) {
	shard := m[len(key)%len(m)]
	shard.Lock()
	defer shard.Unlock()
	shard.items[key] = value
	shard.writes++
}

func main() {
	m := make(shards, 4)
	for i := range m {
		m[i] = &Shard{items: map[string]int{}}
	}
	var wg sync.WaitGroup
	wg.Go(func() { m.walk(func(key string, value int) { println(key, value) }) })
	wg.Go(func() { m.set("ann", 1) })
	wg.Wait()
}
