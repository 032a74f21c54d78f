// Package library_client_channel_fixed reads from a channel that its clients hand over: they may send on it at any time.
package library_client_channel_fixed

// Reader reads.
type Reader struct {
	values chan int
	own    chan int
}

// New makes a reader of a channel.
func New(values chan int) *Reader {
	r := &Reader{values: values, own: make(chan int)}
	close(r.own)
	return r
}

// Read reads once.
func (r *Reader) Read() int { return <-r.values }

// Own reads that there is nothing.
func (r *Reader) Own() int { return <-r.own }
