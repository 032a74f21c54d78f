// Package library_buffer_count: its clients say how many buffers a reader hands round. With none it has
// nothing to hand round, and whoever reads waits for ever.
package library_buffer_count

import "errors"

// Reader reads ahead.
type Reader struct {
	free, full chan []byte
}

// New makes a reader with so many buffers.
func New(buffers int) (*Reader, error) {
	if buffers < 0 {
		return nil, errors.New("no buffers")
	}
	r := &Reader{free: make(chan []byte, 8), full: make(chan []byte, 8)}
	r.begin(make([][]byte, buffers))
	return r, nil
}

func (r *Reader) begin(buffers [][]byte) {
	for _, b := range buffers {
		select {
		case r.free <- b:
		default:
		}
	}
	go r.run()
}

func (r *Reader) run() {
	for {
		r.full <- <-r.free // want deadlock
	}
}

// Read takes what has been read.
func (r *Reader) Read() []byte {
	b := <-r.full // want deadlock
	defer func() { r.free <- b }()
	return append([]byte(nil), b...)
}
