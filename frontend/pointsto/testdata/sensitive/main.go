package main

import "io"

type vector struct {
	items []*int
	last  *int
	inner cell
}

type cell struct{ p *int }

//pointsto:receiver
func (c *cell) set(p *int) { c.p = p }

//pointsto:receiver
func (c *cell) get() *int { return c.p }

//pointsto:receiver
func (v *vector) add(p *int) {
	v.items = append(v.items, p)
	v.keep(p)
}

//pointsto:receiver
func (v *vector) keep(p *int) { v.last = p }

//pointsto:receiver
func (v *vector) get() *int { return v.items[0] }

//pointsto:receiver
func (v *vector) each(f func(*int)) {
	for _, p := range v.items {
		func() { f(p) }()
	}
}

//pointsto:receiver
func (v *vector) empty() bool { return v == nil }

//pointsto:callsite
func newVector() *vector {
	return &vector{items: make([]*int, 0, 4)} // #v
}

func twin() (*vector, *vector) { return newVector(), newVector() }

type container interface {
	add(*int)
	get() *int
}

//pointsto:callsite
func newAdder(v *vector) func(*int) {
	return func(p *int) { v.add(p) }
}

type locked struct{ vector }

// merged is analysed once, for all vectors.
func merged(v *vector) *int { return v.last }

//pointsto:callsite
func recursive(n int) *vector {
	if n == 0 {
		return newVector()
	}
	return recursive(n - 1)
}

func main() {
	readers()
	x := new(int) // #x
	y := new(int) // #y
	z := new(int) // #z
	v, w := newVector(), newVector()
	println(v, w) // disjoint
	v.add(x)
	w.add(y)
	println(v.get(), w.get())         // want x; y
	println(v.last, w.last)           // want x; y
	println(&v.items[0], &w.items[0]) // disjoint
	println(merged(v))                // want x y
	println(merged(w))                // want x y

	var c container = v
	println(c.get()) // want x
	c = w
	println(c.get()) // want y
	get := v.get
	println(get()) // want x
	other := w.get
	println(other()) // want y

	a, b := twin()
	newAdder(a)(x)
	newAdder(b)(y)
	println(a.get(), b.get())           // want x; y
	v.each(func(p *int) { println(p) }) // want x
	w.each(func(p *int) { println(p) }) // want y

	var l, m locked
	l.add(x)
	m.add(z)
	println(l.get(), m.get()) // want x; z
	c = &l
	println(c.get()) // want x

	var d, e vector
	d.inner.set(x)
	e.inner.set(y)
	println(d.inner.get(), e.inner.get()) // want x; y

	r := recursive(4)
	r.add(z)
	println(r.get()) // want z
	var none *vector
	println(none.empty()) // calls (*main.vector).empty
}

// What calls what it is handed is analysed once per call: a reader is not called with the memory of
// another one.

type source struct{ last *byte }

//pointsto:receiver
func (s *source) Read(p []byte) (int, error) {
	println(p) // want forSource
	s.last = &p[0]
	return len(p), nil
}

type sink struct{ last *byte }

//pointsto:receiver
func (s *sink) Read(p []byte) (int, error) {
	println(p) // want forSink
	s.last = &p[0]
	return len(p), nil
}

//pointsto:callsite
func newSource() *source { return &source{} }

//pointsto:callsite
func newSink() *sink { return &sink{} }

func readers() {
	newSource()
	newSink()
	forSource := make([]byte, 8) // #forSource
	io.ReadFull(newSource(), forSource)
	forSink := make([]byte, 8) // #forSink
	io.ReadFull(newSink(), forSink)
}
