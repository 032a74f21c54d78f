// Command library_helper_fixed encodes numbers in bytes with a function that the standard library
// uses for its own bytes, too.
package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"sync"
)

// Frame is a number, encoded, and its checksum.
type Frame struct {
	mu   sync.Mutex
	head []byte
	sum  uint32
}

// Set sets the number.
func (f *Frame) Set(v uint32) {
	f.mu.Lock()
	binary.LittleEndian.PutUint32(f.head, v)
	f.sum = v % 7
	f.mu.Unlock()
}

// IsValid compares the number with its checksum.
func (f *Frame) IsValid() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	v := binary.LittleEndian.Uint32(f.head)
	return v%7 == f.sum
}

// size returns how many bytes a number takes.
func size(v uint32) int {
	var b bytes.Buffer
	if err := binary.Write(&b, binary.LittleEndian, v); err != nil {
		return 0
	}
	return b.Len()
}

func main() {
	f := &Frame{head: make([]byte, 4)}
	done := make(chan bool)
	go func() {
		f.Set(9)
		fmt.Println(size(9))
		done <- true
	}()
	if !f.IsValid() {
		panic("not valid")
	}
	fmt.Println(size(8))
	<-done
}
