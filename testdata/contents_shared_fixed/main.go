// Command contents_shared_fixed has a helper copy the elements of one shard to another one.
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

func newShards() (a, b *Shard) {
	a, b = &Shard{entries: *newQueue(8)}, &Shard{}
	share(a, b)
	return a, b
}

// share has two shards begin with the same entries.
func share(a, b *Shard) {
	b.entries.data = append([]int(nil), a.entries.data...)
}

func main() {
	a, b := newShards()
	done := make(chan bool)
	go func() {
		a.Push(1)
		done <- true
	}()
	b.Push(2)
	<-done
	fmt.Println("pushed")
}
