// Package library has a stack that goroutines may share, and options that they may not.
package library

import "sync"

// Stack is a stack. Goroutines may share it.
type Stack struct {
	mu       sync.Mutex
	elements []int
	top      int
	onPush   func(int)
}

// Options are filled in by the caller.
type Options struct{ Size int }

// Grow makes it larger.
func (o *Options) Grow() { o.Size *= 2 }

// New returns a stack. What it pushes first needs no lock.
func New(o Options, onPush func(int)) *Stack {
	s := &Stack{onPush: onPush}
	s.elements = make([]int, o.Size)
	s.push(0)
	return s
}

// Push puts an element on top.
func (s *Stack) Push(n int) {
	s.mu.Lock()
	s.push(n)
	s.mu.Unlock()
	s.onPush(n)
}

func (s *Stack) push(n int) {
	s.elements[s.top] = n
	s.top++
}

// Len returns the number of elements.
func (s *Stack) Len() int { return s.top }
