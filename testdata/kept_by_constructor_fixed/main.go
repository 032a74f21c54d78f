// Command kept_by_constructor_fixed makes a node whose constructor makes a second one and
// keeps it in a field; the second one is shared.
package main

import "sync"

// Node is a pair of numbers with a neighbour.
type Node struct {
	mu   sync.Mutex
	a, b int
	next *Node
}

// New returns a node and its neighbour.
func New() *Node {
	n := &Node{}
	n.next = &Node{}
	return n
}

// Set stores v in both numbers.
func (n *Node) Set(v int) {
	n.mu.Lock()
	n.a = v
	n.b = v
	n.mu.Unlock()
}

func main() {
	n := New()
	go n.next.Set(1)
	n.next.Set(2)
}
