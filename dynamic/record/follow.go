package record

import (
	"cmp"
	"io"
	"os"

	"github.com/empire-go/empire-go/dynamic/trace"
)

// follower reads the blocks that a program writes while it runs. A goroutine that comes to no
// hook for long keeps what it has recorded, and what others record after it can be put in no order
// without. So now and then the follower looks into the slots: what has been there since it looked
// last comes as a block before its time. When the program writes it, it comes once more.
type follower struct {
	blocks  io.Reader
	slots   *os.File
	written progress
	since   int // bytes of blocks since the slots were looked at
	every   int // bytes after which they are
	least   int // at least
	kept    map[uint32]kept
	early   []byte // blocks that come before their time
}

// kept is what a goroutine had in its slot at the last look.
type kept struct {
	first uint64 // of the records
	there int    // how many there were
	early int    // how many of them have come before their time
}

// lookEvery is how many bytes of other goroutines' records may have to be held for one goroutine,
// about.
const lookEvery = 8 << 20

// newFollower returns a follower that looks into the slots each so many bytes, or each lookEvery
// if that is 0.
func newFollower(blocks io.Reader, slots *os.File, every int) *follower {
	every = cmp.Or(every, lookEvery)
	return &follower{blocks: blocks, slots: slots, written: progress{next: map[uint32]uint64{}}, every: every,
		least: every, kept: map[uint32]kept{}}
}

func (f *follower) Read(p []byte) (int, error) {
	left := f.written.left()
	if len(f.early) == 0 && left == 0 && f.since >= f.every {
		f.look()
	}
	if left == 0 && len(f.early) > 0 {
		n := copy(p, f.early)
		f.early = f.early[n:]
		return n, nil
	}
	if left > 0 && f.since >= f.every {
		p = p[:min(len(p), left)] // to the end of the block
	}
	n, err := f.blocks.Read(p)
	f.written.Write(p[:n])
	f.since += n
	return n, err
}

// look looks into the slots.
func (f *follower) look() {
	now, size := map[uint32]kept{}, 0
	eachSlot(f.slots, func(slot []byte, at int64) {
		size += len(slot)
		goroutine, first := owner(slot)
		if goroutine == 0 {
			return
		}
		k := f.kept[goroutine]
		if k.first != first {
			k = kept{first: first}
		}
		if k.there > k.early && first >= f.written.next[goroutine] && f.isStill(slot, at) {
			k.early = k.there
			f.early = append(f.early, sealed(slot, k.there)...)
		}
		k.there = firmIn(slot)
		if end := trace.BlockHeader + k.there*trace.RecordSize; k.there > 0 &&
			trace.Op(slot[end-trace.RecordSize]) == trace.End {
			k.there-- // after that nothing may come once more
		}
		now[goroutine] = k
	})
	f.kept, f.since, f.every = now, 0, max(f.least, 4*size)
}

// isStill tells whether the goroutine has not begun to write or empty the slot since it was read.
func (f *follower) isStill(slot []byte, at int64) bool {
	again := make([]byte, trace.BlockHeader)
	_, err := f.slots.ReadAt(again, at)
	g, first := owner(slot)
	h, second := owner(again)
	return err == nil && g == h && first == second
}
