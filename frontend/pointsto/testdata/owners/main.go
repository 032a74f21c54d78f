package main

import (
	"container/heap"
	"container/list"
)

// Two owners, and what they lead to: no method of a part is marked as sensitive.
//
// subject: owner
type owner struct {
	chain  chain
	tree   *tree
	queue  words
	recent list.List
}

func newOwner() *owner { return &owner{tree: newTree()} }

type chain struct{ first *link }

type link struct {
	value *int
	next  *link
}

// add makes links with a function that others use as well.
func (c *chain) add(v *int) { c.first = newLink(v, c.first) }

func newLink(v *int, next *link) *link { return &link{v, next} } // #link

func (c *chain) get() *int { return c.first.next.value }

// tree is made and filled by functions.
type tree struct{ root *node }

type node struct {
	value       *int
	left, right *node
}

func newTree() *tree { return &tree{} }

func insert(n *node, v *int) *node {
	if n == nil {
		return &node{value: v}
	}
	if *v < *n.value {
		n.left = insert(n.left, v)
	} else {
		n.right = insert(n.right, v)
	}
	return n
}

// fill fills what it is handed.
func fill(o *owner, v *int) {
	o.chain.add(v)
	o.chain.add(v)
	o.tree.root = insert(o.tree.root, v)
	o.tree.root = insert(o.tree.root, v)
	heap.Push(&o.queue, v)
	o.recent.PushBack(v)
}

type words []*int

func (w words) Len() int           { return len(w) }
func (w words) Less(i, j int) bool { return *w[i] < *w[j] }
func (w words) Swap(i, j int)      { w[i], w[j] = w[j], w[i] }
func (w *words) Push(x any)        { *w = append(*w, x.(*int)) }
func (w *words) Pop() any          { return nil }

func main() {
	a, b := newOwner(), &owner{tree: &tree{}}
	fill(a, new(int))                      // #x
	fill(b, new(int))                      // #y
	println(a.chain.get())                 // want x
	println(b.chain.get())                 // want y
	println(a.tree.root.right.value)       // want x
	println(b.tree.root.right.value)       // want y
	println(a.queue[0])                    // want x
	println(b.queue[0])                    // want y
	println(a.recent.Front().Value.(*int)) // want x
	println(b.recent.Front().Value.(*int)) // want y
	println(a.chain.first, b.chain.first)  // disjoint

	var other chain                     // of no owner
	other.add(new(int))                 // #z
	other.add(new(int))                 // #z
	println(other.get())                // want z
	println(a.chain.first, other.first) // disjoint
}
