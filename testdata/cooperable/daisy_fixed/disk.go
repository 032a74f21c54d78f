package main

import "sync"

// blockSize and blocks are in bytes, and how many there are.
const (
	blockSize = 8
	blocks    = 64
)

// disk has one head, which stands somewhere.
type disk struct {
	mu   sync.Mutex
	head int
	data [blocks * blockSize]byte
}

// readAt moves the head to a block, and reads it.
func (d *disk) readAt(number int, block *[blockSize]byte) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.head = number * blockSize
	for i := range block {
		block[i] = d.data[d.head]
		d.head++
	}
}

// writeAt moves the head to a block, and writes it.
func (d *disk) writeAt(number int, block *[blockSize]byte) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.head = number * blockSize
	for i := range block {
		d.data[d.head] = block[i]
		d.head++
	}
}
