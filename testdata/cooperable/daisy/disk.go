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

func (d *disk) seek(at int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.head = at
}

func (d *disk) read(block *[blockSize]byte) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for i := range block {
		block[i] = d.data[d.head]
		d.head++
	}
}

func (d *disk) write(block *[blockSize]byte) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for i := range block {
		d.data[d.head] = block[i]
		d.head++
	}
}

// readAt reads a block.
func (d *disk) readAt(number int, block *[blockSize]byte) {
	d.seek(number * blockSize)
	d.read(block)
}

// writeAt writes a block.
func (d *disk) writeAt(number int, block *[blockSize]byte) {
	d.seek(number * blockSize)
	d.write(block)
}
