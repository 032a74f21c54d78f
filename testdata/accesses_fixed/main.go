// Command accesses_fixed is accesses with one critical section for each method.
package main

import (
	"container/list"
	"sync"
)

// Whole is written and read as a whole, but also in part.
type Whole struct {
	mu   *sync.Mutex
	a, b int
}

// Reset writes both fields at once.
func (w *Whole) Reset() {
	w.mu.Lock()
	mu := w.mu
	*w = Whole{mu: mu}
	w.mu.Unlock()
}

// Copy reads one field and then both.
func (w *Whole) Copy() (a int, all Whole) {
	w.mu.Lock()
	a = w.a
	all = *w
	w.mu.Unlock()
	return a, all
}

// Built is written by built-in functions.
type Built struct {
	mu    sync.Mutex
	slice []int
	names map[string]int
}

// Fill writes to what the two fields lead to.
func (b *Built) Fill(from []int) {
	b.mu.Lock()
	copy(b.slice, from)
	delete(b.names, "x")
	b.mu.Unlock()
}

// Look reads it.
func (b *Built) Look() (first, n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	first = b.slice[0]
	n = len(b.names)
	return first, n
}

// Listed has a list of the standard library.
type Listed struct {
	mu    sync.Mutex
	items *list.List
	n     int
}

// Push writes to the list and to the number of its elements.
func (l *Listed) Push(v int) {
	l.mu.Lock()
	l.items.PushFront(v)
	l.n++
	l.mu.Unlock()
}

// Look reads both.
func (l *Listed) Look() (items, n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	items = l.items.Len()
	n = l.n
	return items, n
}

// Alias is written through a local variable.
type Alias struct {
	mu    sync.Mutex
	cells []int
	n     int
}

// Put writes to the memory of cells without naming the field.
func (a *Alias) Put(v int) {
	a.mu.Lock()
	cells := a.cells
	cells[0] = v
	a.n = v
	a.mu.Unlock()
}

// Look reads both.
func (a *Alias) Look() (first, n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	first = a.cells[0]
	n = a.n
	return first, n
}

// Nested has the fields in a struct of its own.
type Nested struct {
	mu    sync.Mutex
	inner struct{ array [3]int }
	n     int
}

// Put writes an element of an array in a struct in the struct.
func (n *Nested) Put(v int) {
	n.mu.Lock()
	n.inner.array[1] = v
	n.n = v
	n.mu.Unlock()
}

// Look reads both.
func (n *Nested) Look() (second, all int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	second = n.inner.array[1]
	all = n.n
	return second, all
}

func main() {
	whole := &Whole{mu: &sync.Mutex{}, a: 1, b: 1}
	built := &Built{slice: make([]int, 2), names: map[string]int{"x": 1}}
	listed := &Listed{items: list.New()}
	alias := &Alias{cells: make([]int, 2)}
	nested := &Nested{}
	var all sync.WaitGroup
	all.Go(func() {
		whole.Reset()
		built.Fill([]int{1, 2})
		listed.Push(1)
		alias.Put(1)
		nested.Put(1)
	})
	whole.Copy()
	println(built.Look())
	println(listed.Look())
	println(alias.Look())
	println(nested.Look())
	all.Wait()
}
