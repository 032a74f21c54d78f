// Command address_escapes_first makes a list with one node. A goroutine has the
// address of the node's value from before the node was in the list.
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

	l := &List{}
	l.head = n
	l.head.value++ // the goroutine may set it now
	l.head.value *= 2
	wg.Wait()
	return l
}

func main() {
	NewList()
}
