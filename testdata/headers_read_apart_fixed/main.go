// Command headers_read_apart_fixed takes the headers of messages off a connection, or out of a file.
package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"sync"
)

// Header begins a message.
type Header struct {
	Kind, Length uint16
}

// Inbox knows the header of the last message, and how many there were.
type Inbox struct {
	mu    sync.Mutex
	last  Header
	count int
}

// Receive takes a header off a connection, which may take a while.
func (b *Inbox) Receive(from io.Reader) error {
	var header Header
	if err := binary.Read(from, binary.BigEndian, &header); err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.last = header
	b.count++
	return nil
}

// Restore takes a header out of a file.
func (b *Inbox) Restore(file []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.count++
	return binary.Read(bytes.NewReader(file), binary.BigEndian, &b.last)
}

// Last returns the last header, and how many there were.
func (b *Inbox) Last() (Header, int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.last, b.count
}

func main() {
	inbox := &Inbox{}
	if err := inbox.Restore([]byte{0, 1, 0, 8}); err != nil {
		fmt.Println(err)
	}
	done := make(chan error)
	go func() { done <- inbox.Receive(bytes.NewReader([]byte{0, 2, 0, 4})) }()
	fmt.Println(inbox.Last())
	fmt.Println(<-done)
}
