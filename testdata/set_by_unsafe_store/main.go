// Command set_by_unsafe_store sets a field of a struct at its offset, by package unsafe.
package main

import (
	"fmt"
	"sync"
	"unsafe"
)

// Point is a place.
type Point struct{ X, Y int32 }

// Cursor has a place, and counts moves.
type Cursor struct {
	mu    sync.Mutex
	at    *Point
	moves int
}

// setAt sets the number at some offset of a point.
func setAt(p *Point, offset uintptr, to int32) {
	*(*int32)(unsafe.Add(unsafe.Pointer(p), offset)) = to
}

// Move moves the cursor.
func (c *Cursor) Move(y int32) {
	setAt(c.at, unsafe.Offsetof(Point{}.Y), y)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.moves++
}

// Place returns the height, and the moves so far.
func (c *Cursor) Place() (int32, int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	y := c.at.Y
	return y, c.moves
}

func main() {
	cursor := &Cursor{at: &Point{}}
	done := make(chan bool)
	go func() {
		cursor.Move(5)
		done <- true
	}()
	cursor.Place()
	<-done
	fmt.Println(cursor.Place())
}
