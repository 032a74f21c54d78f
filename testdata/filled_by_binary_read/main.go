// Command filled_by_binary_read reads the head of a message into a struct, and counts messages.
// encoding/binary fills the struct by reflection, with no lock held.
package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"sync"
)

// Head begins a message.
type Head struct {
	Kind, Size uint32
	Flags      [2]uint16
}

// Inbox has the head of the last message.
type Inbox struct {
	mu    sync.Mutex
	head  Head
	count int
}

// Take reads a message.
func (b *Inbox) Take(message []byte) error {
	if err := binary.Read(bytes.NewReader(message), binary.BigEndian, &b.head); err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.count++
	return nil
}

// Last returns the kind of the last message and how many there were.
func (b *Inbox) Last() (uint32, int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	kind := b.head.Kind
	return kind, b.count
}

func main() {
	box := &Inbox{}
	done := make(chan error)
	go func() { done <- box.Take([]byte{0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 2}) }()
	fmt.Println(box.Last())
	fmt.Println(<-done)
}
