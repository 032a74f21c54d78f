package main

import "sync"

// Vector is a growable list that is safe for concurrent use.
type Vector struct {
	mu    sync.Mutex
	count int   // how many elements of data are in use
	data  []any // the elements, with room to grow
}

// NewVector returns an empty vector.
func NewVector() *Vector {
	return &Vector{data: make([]any, 10)}
}

// NewVectorFrom returns a copy of src. Each of the two calls locks src by
// itself, so src can change between them.
func NewVectorFrom(src *Vector) *Vector {
	v := new(Vector)
	v.count = src.Len()
	v.data = make([]any, v.count)
	src.CopyInto(v.data)
	return v
}

// Len returns the number of elements.
func (v *Vector) Len() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.count
}

// Add appends an element.
func (v *Vector) Add(x any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.count == len(v.data) {
		grown := make([]any, 2*len(v.data)+1)
		copy(grown, v.data)
		v.data = grown
	}
	v.data[v.count] = x
	v.count++
}

// Get returns element i.
func (v *Vector) Get(i int) any {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.data[i]
}

// Clear removes all elements.
func (v *Vector) Clear() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.count = 0
	v.data = nil
}

// CopyInto copies the elements to dst.
func (v *Vector) CopyInto(dst []any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	copy(dst, v.data)
}
