// Command size_scanned scans the size of a picture from a line of text.
package main

import (
	"fmt"
	"sync"
)

// Picture has a size.
type Picture struct {
	mu     sync.Mutex
	width  int
	height int
}

// Scan scans the size.
func (p *Picture) Scan(line string) error {
	// BUG: Sscanf stores one number after the other, and nobody holds the lock
	_, err := fmt.Sscanf(line, "%dx%d", &p.width, &p.height)
	return err
}

// Pixels returns the number of pixels.
func (p *Picture) Pixels() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	width := p.width
	height := p.height
	return width * height
}

func main() {
	picture := &Picture{width: 4, height: 3}
	scanned := make(chan error, 1)
	go func() {
		scanned <- picture.Scan("16x9")
	}()
	if pixels := picture.Pixels(); pixels != 4*3 && pixels != 16*9 {
		panic("distorted")
	}
	if err := <-scanned; err != nil {
		panic(err)
	}
}
