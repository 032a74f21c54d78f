// Command list_hand_over_hand_fixed has a sorted list whose nodes are locked hand over hand.
package main

import (
	"fmt"
	"sync"
)

type node struct {
	mu   sync.Mutex
	key  int
	hits int
	last string
	next *node
}

// List is sorted.
type List struct{ head *node }

// NewList returns an empty list.
func NewList() *List { return &List{head: &node{key: -1}} }

// Add adds a key or counts it.
func (l *List) Add(key int, by string) {
	pred := l.head
	pred.mu.Lock()
	curr := pred.next
	for curr != nil {
		curr.mu.Lock()
		if curr.key >= key {
			break
		}
		pred.mu.Unlock()
		pred = curr
		curr = curr.next
	}
	if curr != nil && curr.key == key {
		curr.hits++
		curr.last = by
	} else {
		pred.next = &node{key: key, hits: 1, last: by, next: curr}
	}
	if curr != nil {
		curr.mu.Unlock()
	}
	pred.mu.Unlock()
}

// Find returns hits and last of a key.
func (l *List) Find(key int) (int, string) {
	pred := l.head
	pred.mu.Lock()
	curr := pred.next
	for curr != nil {
		curr.mu.Lock()
		pred.mu.Unlock()
		if curr.key == key {
			hits := curr.hits
			last := curr.last
			curr.mu.Unlock()
			return hits, last
		}
		pred, curr = curr, curr.next
	}
	pred.mu.Unlock()
	return 0, ""
}

func main() {
	l := NewList()
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() { l.Add(i%2, fmt.Sprint(i)) })
		wg.Go(func() { fmt.Println(l.Find(i)) })
	}
	wg.Wait()
}
