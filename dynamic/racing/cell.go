package racing

import "unsafe"

// An entry is an access in one word: the number of the thread (16 bits), the time of its clock (32), what kind of
// access (8) and which of the eight bytes (8). 0 is none: no thread has the number 0.
const (
	raceBytes    = 1<<8 - 1
	raceAtomic   = 1 << 8 // kind: atomic
	raceTimeUnit = 1 << 16
	raceNumberAt = 48
)

// raceCell has the last accesses to eight bytes.
type raceCell struct {
	offHeap
	write, read     uint64    // entries
	more            *raceMore // what the last accesses do not cover
	wroteAt, readAt uint32    // where in the program they are
}

// raceMore is a list of entries.
type raceMore struct {
	offHeap
	next   *raceMore
	n      uint32
	writes uint32 // how many items are writes, in the first part of a list
	items  [6]raceItem
}

type raceItem struct {
	entry   uint64
	at      uint32
	isWrite bool
}

// raceTold is how many races of an access are told at most.
const raceTold = 6

// raceMoreLists is how many lists there are behind a cell at most: then the oldest entries go.
const raceMoreLists = 8

// raceIsLike tells whether the access of an entry stands for one at a time to bytes.
func raceIsLike(entry, epoch, bytes uint64) bool {
	other := entry ^ epoch
	return other&^raceBytes == 0 && other&bytes == bytes
}

// hasLike tells whether the last accesses to a cell stand for one at a time to bytes.
func (c *raceCell) hasLike(epoch, bytes uint64, isWrite bool) bool {
	return raceIsLike(c.write, epoch, bytes) || !isWrite && raceIsLike(c.read, epoch, bytes)
}

// knows tells whether an access happens before what the thread does now.
func (t *raceThread) knows(entry uint64) bool {
	return t.clock.at(uint32(entry>>raceNumberAt)) >= uint32(entry>>16)
}

// races tells whether an access is in a data race with one that the thread makes now, if one of them is a write; what
// is that one's kind and bytes.
func (t *raceThread) races(entry, what uint64) bool {
	return entry&what&raceBytes != 0 && entry&what&raceAtomic == 0 && !t.knows(entry)
}

// covers tells whether an access need not be kept beside one that the thread makes now: what is in a race with it
// later is in one with that, too.
func (t *raceThread) covers(entry, what uint64) bool {
	return t.uncovered(entry, what) == 0
}

// uncovered is what need be kept of an access: of the bytes that the new one does not cover.
func (t *raceThread) uncovered(entry, what uint64) uint64 {
	if (entry|^what)&raceAtomic != 0 && t.isAfter(entry) {
		entry &^= what & raceBytes
	}
	if entry&raceBytes == 0 {
		return 0
	}
	return entry
}

// access makes an access to some of the eight bytes at an address, of which the cell is known, or nil; what is its kind
// and which bytes.
func (t *raceThread) access(c *raceCell, address uintptr, what uint64, isWrite bool, at uint32) {
	if c == nil || c.write|c.read == 0 {
		if c = raceTouch(address); c == nil {
			return
		}
	}
	if !t.isFirst(c, what, isWrite, at) {
		t.accessBeside(c, address, what, isWrite, at)
	}
}

// reads is access for a plain read. Mostly the last accesses happen before it.
func (t *raceThread) reads(c *raceCell, address uintptr, bytes uint64, at uint32) {
	if c != nil && (c.write|c.read) != 0 && t.isAfter(c.write) {
		read, more := c.read, c.more
		switch isSame := (read^t.epoch)&^raceBytes == 0; {
		case more != nil && more.writes != 0:
		case isSame:
			c.read = read | bytes
			return
		case read&raceBytes&^bytes == 0 && t.isAfter(read):
			c.readAt, c.read = at, t.epoch|bytes
			return
		}
	}
	t.access(c, address, bytes, false, at)
}

// writes is access for a plain write.
func (t *raceThread) writes(c *raceCell, address uintptr, bytes uint64, at uint32) {
	if c == nil || c.write|c.read == 0 {
		if c = raceTouch(address); c == nil {
			return
		}
	}
	write, read := c.write, c.read
	if c.more == nil && t.isAfter(write) && t.isAfter(read) {
		isSame := (write^t.epoch)&^raceBytes == 0
		if isSame || write&raceBytes&^bytes == 0 {
			if isSame {
				bytes |= write & raceBytes
			}
			c.wroteAt, c.write = at, t.epoch|bytes
			if read&raceBytes&^bytes == 0 {
				c.read = 0
			}
			return
		}
	}
	t.accessBeside(c, address, bytes, true, at)
}

// raceTouch is the cell of an address at which nobody has made an access since its memory was new, or perhaps nobody;
// nil if it can have none.
func raceTouch(address uintptr) *raceCell {
	a := raceArenas[address>>raceArenaBits%uintptr(len(raceArenas))]
	if a == nil {
		if a = raceArenaOf(address); a == nil {
			return nil
		}
	}
	if page := &a.touched[raceIndex(address)/raceArenaPages]; *page == 0 {
		*page = raceTouched
	}
	return &a.cells.of[address>>3%raceArenaCells]
}

// isFirst makes an access to a cell, if all of its accesses happen before that and it need not keep more than one
// read and one write. It takes no lock: who comes in between is in no order with this access, and may be missed.
func (t *raceThread) isFirst(c *raceCell, what uint64, isWrite bool, at uint32) bool {
	write, read, entry := c.write, c.read, t.epoch|what
	if c.more != nil || !t.isAfter(write) || isWrite && !t.isAfter(read) {
		return false
	}
	last := read
	if isWrite {
		last = write
	}
	switch {
	case (last^entry)&^raceBytes == 0:
		entry |= last
	case !t.covers(last, what):
		return false
	}
	if !isWrite {
		c.readAt, c.read = at, entry
		return true
	}
	c.wroteAt, c.write = at, entry
	if t.covers(read, what) {
		c.read = 0
	}
	return true
}

// isAfter is knows, for an entry that mostly is of the thread itself, or none.
func (t *raceThread) isAfter(entry uint64) bool {
	return entry == 0 || entry>>raceNumberAt == t.epoch>>raceNumberAt || t.knows(entry)
}

// accessBeside makes an access to a cell that has others which need not happen before it.
func (t *raceThread) accessBeside(c *raceCell, address uintptr, what uint64, isWrite bool, at uint32) {
	lock := &raceCellLocks[address>>3%raceCellLockCount].word
	raceHold(lock)
	var found raceFindings
	if t.races(c.write, what) {
		found.add(raceItem{c.write, c.wroteAt, true})
	}
	if isWrite && t.races(c.read, what) {
		found.add(raceItem{c.read, c.readAt, false})
	}
	if c.more != nil {
		t.accessList(c, what, isWrite, &found)
	}
	if isWrite {
		c.read = t.uncovered(c.read, what)
		c.write, c.wroteAt = t.replaces(c, raceItem{c.write, c.wroteAt, true}, what), at
	} else {
		c.read, c.readAt = t.replaces(c, raceItem{c.read, c.readAt, false}, what), at
	}
	if c.more != nil {
		raceArenaOf(address).touched[raceIndex(address)/raceArenaPages] = raceListed
	}
	raceLoose(lock)
	for _, first := range found.items[:found.n] {
		raceFound(t, what, isWrite, at, first)
	}
}

// raceFindings are the accesses that are in a race with one.
type raceFindings struct {
	n     int
	items [raceTold]raceItem
}

func (f *raceFindings) add(item raceItem) {
	if f.n < len(f.items) {
		f.items[f.n] = item
		f.n++
	}
}

// accessList compares an access with those in the list of a cell, and drops what it covers of them.
func (t *raceThread) accessList(c *raceCell, what uint64, isWrite bool, found *raceFindings) {
	writes := c.more.writes
	for l := c.more; l != nil; l = l.next {
		for i := uint32(0); i < l.n; {
			item := &l.items[i]
			if !isWrite && item.isWrite {
				if t.races(item.entry, what) {
					found.add(*item)
				}
				i++
				continue
			}
			switch isAfter := t.isAfter(item.entry); {
			case !isAfter:
				if (isWrite || item.isWrite) && item.entry&what&raceBytes != 0 && item.entry&what&raceAtomic == 0 {
					found.add(*item)
				}
			case (item.entry|^what)&raceAtomic != 0:
				item.entry &^= what & raceBytes
			}
			if item.entry&raceBytes != 0 {
				i++
				continue
			}
			if item.isWrite {
				c.more.writes--
			}
			l.n--
			*item = l.items[l.n]
			if writes == 0 && !isWrite {
				return // what else it covers costs nothing but its place
			}
		}
	}
	for c.more != nil && c.more.n == 0 {
		c.pop()
	}
}

// replaces returns the entry of an access that takes the place of an old one, which goes into the list if it has to be
// kept.
func (t *raceThread) replaces(c *raceCell, old raceItem, what uint64) uint64 {
	entry := t.epoch | what
	if (old.entry^entry)&^raceBytes == 0 {
		return old.entry | entry
	}
	if old.entry = t.uncovered(old.entry, what); old.entry != 0 {
		c.push(old)
	}
	return entry
}

// push adds an entry to the list of a cell.
func (c *raceCell) push(item raceItem) {
	lists := 0
	l := c.more
	for ; l != nil && l.n == uint32(len(l.items)); l = l.next {
		lists++
	}
	switch {
	case l != nil:
	case lists == raceMoreLists:
		l = c.more
		if l.items[0].isWrite {
			l.writes--
		}
		copy(l.items[:], l.items[1:])
		l.n--
	default:
		l = (*raceMore)(raceTake(unsafe.Sizeof(raceMore{})))
		if l.next = c.more; l.next != nil {
			l.writes = l.next.writes
		}
		c.more = l
	}
	l.items[l.n] = item
	l.n++
	if item.isWrite {
		c.more.writes++
	}
}

// pop drops the first part of the list of a cell.
func (c *raceCell) pop() {
	l := c.more
	if c.more = l.next; c.more != nil {
		c.more.writes = l.writes
	}
	raceGive(unsafe.Pointer(l), unsafe.Sizeof(raceMore{}))
}

// accessRange makes an access to memory of a size.
func (t *raceThread) accessRange(address, size uintptr, kind uint64, isWrite bool, at uint32) {
	for end := address + size; address < end; {
		next := min(address&^7+8, end)
		bytes := uint64(raceBytes) >> (8 - (next - address)) << (address & 7)
		switch c := raceCellOf(address); {
		case c != nil && c.hasLike(t.epoch|kind, bytes, isWrite):
		case kind != 0:
			t.access(c, address, bytes|kind, isWrite, at)
		case isWrite:
			t.writes(c, address, bytes, at)
		default:
			t.reads(c, address, bytes, at)
		}
		address = next
	}
}
