// Command frames_put_back_early_fixed draws frames, which are taken from a free list
// and put back.
package main

import "sync"

// Frame is a rectangle that is being drawn.
type Frame struct {
	width  int
	height int
}

// free has frames that nobody uses.
var free = make(chan *Frame, 2)

// get returns a frame that nobody else uses.
func get() *Frame {
	select {
	case frame := <-free:
		return frame
	default:
		return &Frame{}
	}
}

// put gives a frame back.
func put(frame *Frame) {
	select {
	case free <- frame:
	default:
	}
}

// draw draws a frame and returns how many points it has.
func draw(size int) int {
	frame := get()
	frame.width = size
	frame.height = size + 1
	width := frame.width
	height := frame.height
	put(frame)
	return width * height
}

func main() {
	var wg sync.WaitGroup
	for size := range 3 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if points := draw(size + 1); points < 2 {
				panic("no frame")
			}
		}()
	}
	wg.Wait()
}
