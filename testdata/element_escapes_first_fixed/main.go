// Command element_escapes_first_fixed makes a buffer. A goroutine sets an
// element before the slice is in the buffer.
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
	wg.Wait()

	b := &Buffer{}
	b.data = data
	b.data[0]++
	b.data[0] *= 2
	return b
}

func main() {
	NewBuffer()
}
