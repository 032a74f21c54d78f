// Command sites allocates in all the ways that Go has. A comment names a type and
// the columns of its objects that the line allocates.
package main

import "sync"

type T struct {
	mu sync.Mutex
	a  int
	b  int
}

func (t *T) Set(v int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.a, t.b = v, v
}

type P struct{ a, b int }

func (p *P) set(v int) { p.a, p.b = v, v }

func (p P) sum() int { return p.a + p.b }

type outer struct {
	name string
	T
	inner struct{ deep P }
}

type pair[X any] struct{ left, right X }

func (p *pair[X]) set(x X) { p.left, p.right = x, x }

var global T                               // T at main.global
var around outer                           // T at main.around#T // P at main.around#inner.deep
var table = map[string]P{"a": {1, 2}}      // P at none
var pointers = map[string]*P{"a": {1, 2}}  // P at 35
var both = []*P{{1, 2}, {3, 4}}            // P at 17, 25
var literal = P{a: 1}                      // P at main.literal
var pointer = &P{a: 1}                     // P at 15
var two, more = &P{a: 1}, &P{a: 2}         // P at 17, 27
var nested = []struct{ x P }{{x: P{1, 2}}} // P at 14#[].x

func named() (result P) { // P at 15
	result.a = 1
	func() { result.b = 2 }()
	return
}

func unnamed() P { return P{1, 2} } // P at none

func fill[X any](x X) *pair[X] {
	p := &pair[X]{} // pair at 7
	p.set(x)
	return p
}

func byValue(p P, change func(*P)) { change(&p) } // P at 14

func onlyRead(p P) int { return p.a + p.b } // P at none

func main() {
	captured := &T{} // T at 14
	go func() { captured.Set(1) }()

	value := P{a: 1} // P at 2
	go value.set(2)

	slice := make([]T, 3) // T at 11#[]
	go slice[0].Set(1)

	var array [2]P // P at 6#[]
	go array[1].set(1)

	for i := (P{}); i.a < 3; i.a++ { // P at 6
		go i.set(1)
	}

	for _, each := range []P{{1, 2}, {3, 4}} { // P at 9, 23#[]
		go each.set(1)
	}

	fresh := new(T) // T at 11
	go fresh.Set(1)

	x, y := &P{}, &P{} // P at 10, 16
	go x.set(1)
	go y.set(1)

	channel := make(chan P, 1) // P at none
	channel <- P{1, 2}         // P at none
	received := <-channel      // P at 2
	go received.set(1)

	zero := P{}    // P at 2
	copied := zero // P at 2
	go copied.set(zero.a)

	in := &outer{} // T at 8#T // P at 8#inner.deep
	go in.Set(1)
	go in.inner.deep.set(1)

	go fill(1).set(2)     // pair at 5
	go fill("a").set("b") // pair at 5

	n := named() // P at 2
	go n.set(1)
	element := table["a"] // P at 2
	go element.set(1)
	list := []*P{{1, 2}, {3, 4}} // P at 15, 23
	go list[0].set(3)
	var boxed any = P{1, 2} // P at none
	_ = boxed
	iface := interface{ set(int) }(&P{}) // P at 33
	go iface.set(1)
	var declared T // T at 6
	go declared.Set(1)
	var first, second P // P at 6, 13
	go first.set(1)
	go second.set(2)
	byValue(first, func(p *P) { go p.set(1) })
	pointing := &[2]P{{1, 2}, {3, 4}} // P at 14#[]
	go pointing[0].set(1)
	byKey := map[string]*P{"a": {1, 2}, "b": {3, 4}} // P at 30, 43
	go byKey["a"].set(1)
	switch v := boxed.(type) {
	case P: // P at none
		println(v.sum())
	}
	made := func() *P { return &P{1, 2} }() // P at 10, 29
	go made.set(1)
	inline := struct{ p P }{P{1, 2}} // P at 2#p
	go inline.p.set(1)
	ptr := &value // P at none
	go ptr.set(1)
	global = T{}                          // T at none
	println(P{}.sum(), onlyRead(P{1, 2})) // P at none
}
