// Package library_buffer_count_fixed: the mended library_buffer_count. There is a buffer at least.
package library_buffer_count_fixed

import "errors"

// Reader reads ahead.
type Reader struct {
	free, full chan []byte
}

// New makes a reader with so many buffers.
func New(buffers int) (*Reader, error) {
	if buffers <= 0 {
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
		r.full <- <-r.free
	}
}

// Read takes what has been read.
func (r *Reader) Read() []byte {
	b := <-r.full
	defer func() { r.free <- b }()
	return append([]byte(nil), b...)
}
