// Command pool_of_one_fixed takes cursors from a pool. To who finds it empty it gives a new
// one each time.
package main

import "sync"

// Cursor is a place in a text.
type Cursor struct{ line, column int }

// Move goes to another place.
func (c *Cursor) Move(line, column int) {
	c.line = line
	c.column = column
}

var pool = sync.Pool{New: func() any { return &Cursor{} }}

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
