// Command linkedlist builds a list from two goroutines. Add walks to the tail and
// hangs a new node there, without a lock: two calls can find the same tail, and
// one of the two nodes is lost.
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
	header *node
}

// NewList returns an empty list.
func NewList() *List {
	return &List{header: &node{}}
}

// Add appends a value.
func (l *List) Add(value int) {
	tail := l.header
	for tail.next != nil {
		tail = tail.next
	}
	tail.next = &node{value: value}
}

// Len returns the number of values.
func (l *List) Len() int {
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
