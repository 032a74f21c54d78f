// Package door is a library of which numbers are shared by functions of package sync/atomic.
package door

import "sync/atomic"

// Door lets in so many.
type Door struct {
	inside int32
	closed int32
}

// New returns an open door.
func New() *Door { return &Door{} }

// Enter lets somebody in, unless the door is closed.
func (d *Door) Enter() bool {
	atomic.AddInt32(&d.inside, 1)
	return true
}

// Close closes the door, and tells how many are inside: nobody else will be.
func (d *Door) Close() int32 {
	atomic.StoreInt32(&d.closed, 1)
	return atomic.LoadInt32(&d.inside)
}
