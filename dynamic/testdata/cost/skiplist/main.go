// Command skiplist looks keys up in an ordered list with shortcuts while others are put into it and taken out.
package main

import (
	"fmt"
	"sync"
)

const maxHeight = 12

// node is a key of the list, with the next node on each level.
type node struct {
	key, value int
	next       []*node
}

// List is ordered by key. A lock lets readers in at the same time.
type List struct {
	mu     sync.RWMutex
	head   *node
	height int
	length int
	seed   uint32
}

// NewList returns an empty list.
func NewList() *List {
	return &List{head: &node{next: make([]*node, maxHeight)}, height: 1, seed: 1}
}

// before finds the last node before a key on each level.
func (l *List) before(key int, path *[maxHeight]*node) *node {
	n := l.head
	for level := l.height - 1; level >= 0; level-- {
		for next := n.next[level]; next != nil && next.key < key; next = n.next[level] {
			n = next
		}
		path[level] = n
	}
	return n.next[0]
}

// Get returns the value of a key.
func (l *List) Get(key int) (int, bool) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	n := l.head
	for level := l.height - 1; level >= 0; level-- {
		for n.next[level] != nil && n.next[level].key < key {
			n = n.next[level]
		}
	}
	if n = n.next[0]; n != nil && n.key == key {
		return n.value, true
	}
	return 0, false
}

// Set sets the value of a key.
func (l *List) Set(key, value int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var path [maxHeight]*node
	if n := l.before(key, &path); n != nil && n.key == key {
		n.value = value
		return
	}
	height := l.random()
	for l.height < height {
		path[l.height] = l.head
		l.height++
	}
	n := &node{key: key, value: value, next: make([]*node, height)}
	for level := range n.next {
		n.next[level] = path[level].next[level]
		path[level].next[level] = n
	}
	l.length++
}

// Delete takes a key out.
func (l *List) Delete(key int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	var path [maxHeight]*node
	n := l.before(key, &path)
	if n == nil || n.key != key {
		return false
	}
	for level := range n.next {
		path[level].next[level] = n.next[level]
	}
	l.length--
	return true
}

// Sum sums some values from a key on.
func (l *List) Sum(key, count int) int {
	l.mu.RLock()
	defer l.mu.RUnlock()
	var path [maxHeight]*node
	sum := 0
	for n := l.before(key, &path); n != nil && count > 0; n = n.next[0] {
		sum += n.value
		count--
	}
	return sum
}

// random returns a height: each level has half of the nodes of the one below.
func (l *List) random() int {
	height := 1
	for height < maxHeight {
		l.seed = l.seed*1664525 + 1013904223
		if l.seed>>31 == 0 {
			break
		}
		height++
	}
	return height
}

func main() {
	l := NewList()
	for key := range 2000 {
		l.Set(key*2, key)
	}
	var wg sync.WaitGroup
	sums := make([]int, 4)
	for g := range sums {
		wg.Go(func() {
			seed, sum := uint32(g+1), 0
			for i := range 100_000 {
				seed = seed*1664525 + 1013904223
				key := int(seed>>8) % 4000
				switch {
				case i%20 == 0:
					l.Set(key, i)
				case i%20 == 10:
					l.Delete(key)
				case i%50 == 7:
					sum += l.Sum(key, 20)
				default:
					v, _ := l.Get(key)
					sum += v
				}
			}
			sums[g] = sum
		})
	}
	wg.Wait()
	fmt.Println(len(sums), l.length > 0)
}
