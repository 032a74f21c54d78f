// Command address_escapes_first_fixed makes a list with one node. A goroutine
// sets the node's value before the node is in the list.
package main

import "sync"

type node struct{ value int }

// List is a list of numbers.
type List struct{ head *node }

// NewList returns a list of one number.
func NewList() *List {
	n := &node{}
	value := &n.value

	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		*value = 7
	}()
	wg.Wait()

	l := &List{}
	l.head = n
	l.head.value++
	l.head.value *= 2
	return l
}

func main() {
	NewList()
}
