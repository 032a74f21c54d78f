package main

import "sync"

// List is a linked list that knows its length.
type List struct {
	mu     sync.Mutex
	head   *node
	length int
}

// node is an element of a List.
type node struct {
	value string
	next  *node
}

// Push adds a value at the front.
func (l *List) Push(value string) {
	l.mu.Lock()
	l.head = &node{value, l.head}
	l.length++
	l.mu.Unlock()
}

// Pop removes the value at the front. It reports false if there is none.
func (l *List) Pop() (value string, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	first := l.head
	if first == nil {
		return "", false
	}
	value = first.value
	l.head = first.next
	l.length--
	return value, true
}

// Len returns the number of values.
func (l *List) Len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.length
}
