// Package library_client_channel reads from a channel that its clients hand over, and then from one of its own, on
// which nobody sends.
package library_client_channel

// Reader reads.
type Reader struct {
	values chan int
	own    chan int
}

// New makes a reader of a channel.
func New(values chan int) *Reader { return &Reader{values: values, own: make(chan int)} }

// Read reads once.
func (r *Reader) Read() int { return <-r.values }

// Own reads what nobody sends.
func (r *Reader) Own() int { return <-r.own } // want blocked
