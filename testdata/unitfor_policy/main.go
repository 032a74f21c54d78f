// Command unitfor_policy has boxes that are filled from other boxes, which are handed over as
// different kinds of parameters.
package main

import "sync"

// Sized is whatever has a size and a weight.
type Sized interface {
	Size() int
	Weight() int
	Both() (size, weight int)
}

// Box has a size and a weight that belong together.
type Box struct {
	mu     sync.Mutex
	size   int
	weight int
}

// Size returns the size.
func (b *Box) Size() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.size
}

// Weight returns the weight.
func (b *Box) Weight() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.weight
}

// Both returns both.
func (b *Box) Both() (size, weight int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	size = b.size
	weight = b.weight
	return size, weight
}

// Set sets both.
func (b *Box) Set(size, weight int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.size = size
	b.weight = weight
}

// FillFrom copies what an interface of this package hides.
func (b *Box) FillFrom(other Sized) {
	size := other.Size()
	weight := other.Weight() // may be that of another size
	b.Set(size, weight)
}

// FillFromAny copies what may be anything.
func (b *Box) FillFromAny(value any) {
	other, ok := value.(Sized)
	if !ok {
		return
	}
	size := other.Size()
	weight := other.Weight() // may be that of another size
	b.Set(size, weight)
}

// FillFromMarked is FillFromAny, but says that the two boxes belong together.
//
//empire:unitfor value
func (b *Box) FillFromMarked(value any) {
	other, ok := value.(Sized)
	if !ok {
		return
	}
	size := other.Size()
	weight := other.Weight() // may be that of another size
	b.Set(size, weight)
}

func main() {
	byInterface := &Box{}
	byAny := &Box{}
	byMark := &Box{}
	other := &Box{size: 1, weight: 1}
	done := make(chan bool)
	go func() {
		other.Set(2, 2)
		done <- true
	}()
	byInterface.FillFrom(other)
	byAny.FillFromAny(other)
	byMark.FillFromMarked(other)
	<-done
	println(byInterface.size, byAny.size, byMark.size)
}
