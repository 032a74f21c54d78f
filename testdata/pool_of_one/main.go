// Command pool_of_one takes cursors from a pool. To who finds it empty it gives the same
// one each time, whether somebody else has that or not.
package main

import "sync"

// Cursor is a place in a text.
type Cursor struct{ line, column int }

// Move goes to another place.
func (c *Cursor) Move(line, column int) {
	c.line = line
	c.column = column
}

var start = &Cursor{}

var pool = sync.Pool{New: func() any { return start }}

func main() {
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			c := pool.Get().(*Cursor)
			c.Move(i, i)
			pool.Put(c)
		})
	}
	wg.Wait()
}
