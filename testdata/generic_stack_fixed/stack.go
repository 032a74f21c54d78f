package main

import "sync"

// Stack is a stack that is safe for concurrent use.
type Stack[T any] struct {
	mu    sync.Mutex
	items []T
	n     int // how many items there are
}

// NewStack returns an empty stack.
func NewStack[T any]() *Stack[T] {
	return &Stack[T]{}
}

// Push puts an item on top.
func (s *Stack[T]) Push(item T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items = append(s.items, item)
	s.n++
}

// Clear removes all items.
func (s *Stack[T]) Clear() {
	s.mu.Lock()
	s.items = nil
	s.n = 0
	s.mu.Unlock()
}

// Len returns the number of items.
func (s *Stack[T]) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.n
}
