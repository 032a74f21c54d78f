// Command linkedlist builds a list from two goroutines. Each step along the list
// and each change of it holds the lock, so a race detector is silent. But Add
// takes several steps: two calls can find the same tail, and one of the two nodes
// is lost.
package main

import (
	"fmt"
	"sync"
)

type node struct {
	value int
	next  *node
}

// List is a linked list; its first node holds no value.
type List struct {
	mu     sync.Mutex
	header *node
}

// NewList returns an empty list.
func NewList() *List {
	return &List{header: &node{}}
}

// Add appends a value.
func (l *List) Add(value int) {
	tail := l.first()
	for {
		next := l.next(tail)
		if next == nil {
			break
		}
		tail = next
	}
	l.hang(tail, &node{value: value})
}

func (l *List) first() *node {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.header
}

func (l *List) next(at *node) *node {
	l.mu.Lock()
	defer l.mu.Unlock()
	return at.next
}

func (l *List) hang(at, next *node) {
	l.mu.Lock()
	defer l.mu.Unlock()
	at.next = next
}

// Len returns the number of values.
func (l *List) Len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := 0
	for at := l.header.next; at != nil; at = at.next {
		n++
	}
	return n
}

func main() {
	list := NewList()
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		for i := range 5 {
			list.Add(i)
		}
	}()
	go func() {
		defer wg.Done()
		for i := range 5 {
			list.Add(5 + i)
		}
	}()
	wg.Wait()
	fmt.Println(list.Len(), "of 10 values")
}
