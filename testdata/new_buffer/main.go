// Command new_buffer copies the buffer of a frame to a queue of bytes with a function
// that is handed new memory elsewhere, and in one place the buffer without the lock.
package main

import "sync"

// queue holds bytes.
type queue struct {
	array []byte
	tail  int
}

// push copies the bytes to the end.
func (q *queue) push(data []byte) { q.tail += copy(q.array[q.tail:], data) }

// pad pushes zeros.
func (q *queue) pad(n int) { q.push(make([]byte, n)) }

// Frame is a buffer and its checksum.
type Frame struct {
	mu   sync.Mutex
	head []byte
	sum  byte
}

// Set fills the buffer.
func (f *Frame) Set(v byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.head[0], f.head[1] = v, v
	f.sum = v + v
}

// CopyTo pushes the buffer, with its checksum.
func (f *Frame) CopyTo(q *queue) {
	f.mu.Lock()
	defer f.mu.Unlock()
	q.push(f.head)
	q.push([]byte{f.sum})
}

// hurry pushes the buffer of a frame that may be half set.
func hurry(f *Frame, q *queue) { q.push(f.head) }

func main() {
	f := &Frame{head: make([]byte, 2)}
	done := make(chan bool)
	go func() {
		f.Set(9)
		f.CopyTo(&queue{array: make([]byte, 8)})
		done <- true
	}()
	other := &queue{array: make([]byte, 8)}
	other.pad(3)
	hurry(f, other)
	f.CopyTo(other)
	<-done
}
