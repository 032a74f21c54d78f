// Command owned_free_list_fixed sums numbers on a stack; a check beside it has a stack of its own.
package main

import (
	"fmt"
	"sync"
)

// node is an element of a stack.
type node struct {
	v    int
	next *node
}

func newNode(v int, next *node) *node {
	return &node{v, next}
}

type stack struct{ top *node }

func (s *stack) push(v int) { s.top = newNode(v, s.top) }

func (s *stack) drop() {
	s.top = s.top.next
}

// Journal is numbers, and their sum.
type Journal struct {
	mu      sync.Mutex
	numbers stack
	sum     int
}

// Add adds a number.
func (j *Journal) Add(v int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.numbers.push(v)
	j.sum += v
}

// Sum returns the sum of the numbers, and what it should be.
func (j *Journal) Sum() (int, int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	s := 0
	for n := j.numbers.top; n != nil; n = n.next {
		s += n.v
	}
	return s, j.sum
}

// Drop takes the last number away.
func (j *Journal) Drop() {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.numbers.top != nil {
		j.sum -= j.numbers.top.v
		j.numbers.drop()
	}
}

func check() {
	var s stack
	s.push(1)
	s.push(2)
	s.drop()
	fmt.Println(s.top.v)
}

func main() {
	j := &Journal{}
	var wg sync.WaitGroup
	wg.Go(func() { j.Add(4) })
	wg.Go(func() { j.Drop() })
	wg.Go(func() { fmt.Println(j.Sum()) })
	wg.Go(check)
	wg.Wait()
}
