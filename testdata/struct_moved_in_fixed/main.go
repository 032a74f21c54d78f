// Command struct_moved_in_fixed gives each shard a queue of its own.
package main

import (
	"fmt"
	"sync"
)

type queue struct {
	data []int
	next int
}

func newQueue(size int) *queue {
	return &queue{data: make([]int, size)}
}

func (q *queue) push(v int) {
	q.data[q.next%len(q.data)] = v
	q.next++
}

// Shard is a part of a store.
type Shard struct {
	mu      sync.Mutex
	entries queue
	count   int
}

// Push adds an entry.
func (s *Shard) Push(v int) {
	s.mu.Lock()
	s.entries.push(v)
	s.count++
	s.mu.Unlock()
}

func newShards(n int) []*Shard {
	var shards []*Shard
	for range n {
		shards = append(shards, &Shard{entries: *newQueue(8)})
	}
	return shards
}

func main() {
	shards := newShards(2)
	done := make(chan bool)
	go func() {
		shards[0].Push(1)
		done <- true
	}()
	shards[1].Push(2)
	<-done
	fmt.Println("pushed")
}
