package hook

import (
	"encoding/binary"

	"github.com/empire-go/empire-go/dynamic/trace"
)

// Blocks that are being filled lie in slots of a file that the program maps into its memory,
// if it was given one: so nothing that was recorded is lost when the program is killed, panics,
// or hangs. The file is segments of SegmentSize bytes. A segment begins with the size of its
// slots (4 bytes); the first slot is at SegmentHeader. A slot is a block whose mark and
// checksum mean nothing: its records end before the first one whose operation is 0, and it is
// free if its goroutine is 0.
const (
	SegmentSize   = 256 << 10
	SegmentHeader = 64
)

// slots hands out blocks.
type slots struct {
	spin
	open       bool
	descriptor int
	segments   int64
	free       map[int][][]byte // by size
}

var slotFile = slots{free: map[int][][]byte{}}

// take returns a block of zeroes, and whether it is a slot.
func (s *slots) take(size int) ([]byte, bool) {
	if !s.open {
		return make([]byte, size), false
	}
	s.lock()
	defer s.unlock()
	if len(s.free[size]) == 0 {
		s.grow(size)
	}
	all := s.free[size]
	if len(all) == 0 {
		return make([]byte, size), false
	}
	s.free[size] = all[:len(all)-1]
	return all[len(all)-1], true
}

// grow adds a segment of slots, if there is room on the disk.
func (s *slots) grow(size int) {
	segment := mapSegment(s.descriptor, s.segments*SegmentSize, SegmentSize)
	if segment == nil {
		return
	}
	s.segments++
	binary.LittleEndian.PutUint32(segment, uint32(size))
	for at := SegmentHeader; at+size <= len(segment); at += size {
		s.free[size] = append(s.free[size], segment[at:at+size:at+size])
	}
}

// give takes a slot of zeroes back.
func (s *slots) give(block []byte) {
	s.lock()
	s.free[len(block)] = append(s.free[len(block)], block)
	s.unlock()
}

// freeBlock gives up the block of a goroutine, which has been flushed.
func (g *Goroutine) freeBlock() {
	if g.isSlot {
		clear(g.block[:trace.BlockHeader])
		slotFile.give(g.block)
	}
	g.block, g.at, g.isSlot = nil, 0, false
}
