// Command filled_by_assembly masks a frame with a key, as in a websocket. What does it is
// written in assembly on most machines.
package main

import (
	"crypto/subtle"
	"fmt"
	"sync"
)

// Frame has a text, masked or not.
type Frame struct {
	mu     sync.Mutex
	text   []byte
	masked bool
}

// Mask masks the text, or takes the mask off.
func (f *Frame) Mask(key []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	subtle.XORBytes(f.text, f.text, key)
	f.masked = !f.masked
}

// First returns the first byte, and whether it is masked.
func (f *Frame) First() (byte, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	first := f.text[0]
	return first, f.masked
}

func main() {
	frame := &Frame{text: []byte("hello, frame")}
	done := make(chan bool)
	go func() {
		frame.Mask([]byte("0123456789ab"))
		done <- true
	}()
	frame.First()
	<-done
	fmt.Println(frame.First())
}
