// Command struct_in_array counts in the shards of an array, each of which has a lock.
package main

import "sync"

// Shard is a part of the counters.
type Shard struct {
	mu         sync.Mutex
	sum, count int
}

func (s *Shard) Add(n int) {
	s.mu.Lock()
	s.sum += n
	s.mu.Unlock()
	s.mu.Lock() // the sum is ahead of the count here
	s.count++
	s.mu.Unlock()
}

func (s *Shard) Mean() (sum, count int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sum = s.sum
	count = s.count
	return sum, count
}

type table struct {
	name   string
	shards [4]Shard
}

func main() {
	t := &table{name: "t"}
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range t.shards {
			t.shards[i].Add(i)
		}
	})
	wg.Go(func() { println(t.shards[2].Mean()) })
	wg.Wait()
}
