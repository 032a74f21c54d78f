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
	write, read     uint64   // entries
	more            raceList // what the last accesses do not cover
	wroteAt, readAt uint32   // where in the program they are
}

// raceList is a list of entries: the address of its first part (48 bits), which of the eight bytes they are of (8), and
// which those of them that are writes (8). Of both there may be more than the entries have.
type raceList uint64

const (
	raceListBytes  = 48
	raceListWrites = 56
)

// raceMore is a part of a list.
type raceMore struct {
	offHeap
	next  *raceMore
	n     uint32
	items [6]raceItem
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
		read := c.read
		switch isSame := (read^t.epoch)&^raceBytes == 0; {
		case c.more.has(bytes, false):
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
	if !c.more.has(bytes, true) && t.isAfter(write) && t.isAfter(read) {
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
	a := raceArenaOf(address)
	if a == nil {
		return nil
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
	if c.more.has(what, isWrite) || !t.isAfter(write) || isWrite && !t.isAfter(read) {
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
	if c.more != 0 {
		t.accessList(c, what, isWrite, &found)
	}
	if isWrite {
		c.read = t.uncovered(c.read, what)
		c.write, c.wroteAt = t.replaces(c, raceItem{c.write, c.wroteAt, true}, what), at
	} else {
		c.read, c.readAt = t.replaces(c, raceItem{c.read, c.readAt, false}, what), at
	}
	if c.more != 0 {
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
	bytes, writes := uint64(0), uint64(0)
	for l := c.more.first(); l != nil; l = l.next {
		for i := uint32(0); i < l.n; {
			item := &l.items[i]
			if !isWrite && item.isWrite {
				if t.races(item.entry, what) {
					found.add(*item)
				}
				writes |= item.entry
				i++
				continue
			}
			switch isAfter := t.isAfter(item.entry); {
			case !isAfter:
				if isWrite && item.entry&what&raceBytes != 0 && item.entry&what&raceAtomic == 0 {
					found.add(*item)
				}
			case (item.entry|^what)&raceAtomic != 0:
				item.entry &^= what & raceBytes
			}
			switch {
			case item.entry&raceBytes == 0:
				l.n--
				*item = l.items[l.n]
				continue
			case item.isWrite:
				writes |= item.entry
			default:
				bytes |= item.entry
			}
			i++
		}
	}
	for first := c.more.first(); first != nil && first.n == 0; first = c.more.first() {
		c.pop()
	}
	if bytes |= writes; c.more != 0 {
		c.more = c.more&(1<<raceListBytes-1) | raceList(bytes&raceBytes)<<raceListBytes |
			raceList(writes&raceBytes)<<raceListWrites
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

// has tells whether an access is to one of the bytes of those in the list that it may be in a race with.
func (l raceList) has(what uint64, isWrite bool) bool {
	if isWrite {
		return uint64(l>>raceListBytes)&what&raceBytes != 0
	}
	return uint64(l>>raceListWrites)&what != 0
}

func (l raceList) first() *raceMore {
	address := uintptr(l & (1<<raceListBytes - 1))
	return *(**raceMore)(unsafe.Pointer(&address))
}

// push adds an entry to the list of a cell. It takes the place of an earlier one of the same thread that it covers.
func (c *raceCell) push(item raceItem) {
	bytes := item.entry & raceBytes
	c.more |= raceList(bytes) << raceListBytes
	if item.isWrite {
		c.more |= raceList(bytes) << raceListWrites
	}
	lists, room := 0, (*raceMore)(nil)
	for l := c.more.first(); l != nil; l = l.next {
		for i := range l.n {
			old := &l.items[i]
			if old.isWrite == item.isWrite && old.entry>>raceNumberAt == item.entry>>raceNumberAt &&
				(old.entry^item.entry)&raceAtomic == 0 && old.entry&raceBytes&^bytes == 0 {
				*old = item
				return
			}
		}
		if l.n < uint32(len(l.items)) {
			room = l
		}
		lists++
	}
	switch {
	case room != nil:
	case lists == raceMoreLists:
		room = c.more.first()
		copy(room.items[:], room.items[1:])
		room.n--
	default:
		room = (*raceMore)(raceTake(unsafe.Sizeof(raceMore{})))
		room.next = c.more.first()
		c.more = c.more&^(1<<raceListBytes-1) | raceList(uintptr(unsafe.Pointer(room)))
	}
	room.items[room.n] = item
	room.n++
}

// pop drops the first part of the list of a cell.
func (c *raceCell) pop() {
	first := c.more.first()
	if c.more = c.more&^(1<<raceListBytes-1) | raceList(uintptr(unsafe.Pointer(first.next))); first.next == nil {
		c.more = 0
	}
	raceGive(unsafe.Pointer(first), unsafe.Sizeof(raceMore{}))
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
