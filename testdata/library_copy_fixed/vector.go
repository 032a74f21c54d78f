// Package vector is a library with a generic type and a copy constructor.
package vector

import "sync"

// Vector is a growable list that is safe for concurrent use.
type Vector[T any] struct {
	mu    sync.Mutex
	count int
	data  []T
}

// New returns an empty vector.
func New[T any]() *Vector[T] { return &Vector[T]{data: make([]T, 10)} }

// NewFrom returns a copy of other.
func NewFrom[T any](other *Vector[T]) *Vector[T] {
	other.mu.Lock()
	defer other.mu.Unlock()
	v := &Vector[T]{}
	v.count = other.count
	v.data = make([]T, v.count)
	copy(v.data, other.data)
	return v
}

// Len returns the number of elements.
func (v *Vector[T]) Len() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.count
}

// CopyInto copies the elements to dst.
func (v *Vector[T]) CopyInto(dst []T) {
	v.mu.Lock()
	defer v.mu.Unlock()
	copy(dst, v.data)
}

// Clear removes all elements.
func (v *Vector[T]) Clear() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.count = 0
	v.data = nil
}
