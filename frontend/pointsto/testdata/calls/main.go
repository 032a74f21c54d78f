package main

type node struct {
	left, right *node
	value       *int
}

func (n *node) find(v *int) *node {
	if n.value == v {
		return n
	}
	if l := n.left.find(v); l != nil {
		return l
	}
	return n.right.find(v)
}

func build(depth int, v *int) *node {
	if depth == 0 {
		return nil
	}
	return &node{build(depth-1, v), odd(depth, v), v} // #n
}

func odd(depth int, v *int) *node { return build(depth-2, v) }

func pair(a, b *int) (*int, *int) { return b, a }

func named(a *int) (r *int) {
	defer func() { r = a }()
	return nil
}

func variadic(all ...*int) *int { return all[0] }

type hook struct{ f func(*int) }

var sink *int

func (h *hook) run(p *int) { h.f(p) } // calls main.store

func store(p *int) { sink = p }

func nothing(p *int) { println(p) } // want x

func main() {
	x := new(int) // #x
	y := new(int) // #y
	root := build(3, x)
	println(root)         // want n
	println(root.find(x)) // want n
	println(root.value)   // want x
	a, b := pair(x, y)
	println(a, b)           // want y; x
	println(named(y))       // want y
	println(variadic(x, y)) // want x y
	h := &hook{store}
	go h.run(x)
	defer h.run(y)
	println(sink) // want x y
	defer nothing(x)
	var f func(*int)
	if root == nil {
		f = nothing
	} else {
		f = store
	}
	f(x) // calls main.nothing main.store
}
