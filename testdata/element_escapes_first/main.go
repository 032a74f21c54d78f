// Command element_escapes_first makes a buffer. A goroutine has the address of
// an element from before the slice was in the buffer.
package main

import "sync"

// Buffer has numbers.
type Buffer struct{ data []int }

// NewBuffer returns a buffer of four numbers.
func NewBuffer() *Buffer {
	data := make([]int, 4)
	first := &data[0]

	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		*first = 7
	}()

	b := &Buffer{}
	b.data = data
	b.data[0]++ // the goroutine may set it now
	b.data[0] *= 2
	wg.Wait()
	return b
}

func main() {
	NewBuffer()
}
