// Command two_in_one_struct_fixed has two points in a struct, each with a lock.
// The methods take that of the point that they use.
package main

import "sync"

type point struct {
	mu sync.Mutex
	x  int
	y  int
}

// Line has a start and an end.
type Line struct{ start, end point }

// SetEnd changes the end.
func (l *Line) SetEnd(x, y int) {
	l.end.mu.Lock()
	defer l.end.mu.Unlock()
	l.end.x = x
	l.end.y = y
}

// End returns the end.
func (l *Line) End() (x, y int) {
	l.end.mu.Lock()
	defer l.end.mu.Unlock()
	x = l.end.x
	y = l.end.y
	return x, y
}

func main() {
	l := &Line{}
	go l.SetEnd(3, 4)
	println(l.End())
}
