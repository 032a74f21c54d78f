package racing

import "unsafe"

// Memory is in arenas of 64 MiB, and these in pages of 4 KiB.
const (
	raceArenaBits  = 26
	raceArenaCells = 1 << (raceArenaBits - 3)
	raceArenaPages = 1 << 12 // bytes of a page
	racePageCells  = raceArenaPages / 8
)

// raceArena is what is known of an arena.
type raceArena struct {
	offHeap
	cells   *raceCells
	touched [1 << raceArenaBits / raceArenaPages]uint8      // what a page has: raceTouched, raceListed
	syncs   [1 << raceArenaBits / raceArenaPages]*raceSyncs // of pages that have an object
}

type raceCells struct {
	offHeap
	of [raceArenaCells]raceCell
}

const (
	raceTouched = 1 // a page has accesses
	raceListed  = 2 // and one of its cells may have a list
)

// raceSyncs are the objects of a page, each in a list by the eight bytes that its address is in.
type raceSyncs struct {
	offHeap
	of [racePageCells]*raceSync
}

var (
	raceArenas       [1 << (48 - raceArenaBits)]*raceArena
	raceArenaCellsOf [1 << (48 - raceArenaBits)]*raceCells // their cells
	raceArenasLock   uint32
	raceSyncsLock    uint32
	raceCellLocks    [raceCellLockCount]struct {
		word uint32
		_    [60]byte
	}
)

const raceCellLockCount = 1 << 10

func raceIndex(address uintptr) uintptr { return address % (1 << raceArenaBits) }

// raceCellOf is the cell of an address, nil if its arena has none.
func raceCellOf(address uintptr) *raceCell {
	cells := raceArenaCellsOf[address>>raceArenaBits%uintptr(len(raceArenas))]
	if cells == nil {
		return nil
	}
	return &cells.of[address>>3%raceArenaCells]
}

// raceArenaOf is the arena of an address, which begins to be known here; nil if it cannot be.
func raceArenaOf(address uintptr) *raceArena {
	at := address >> raceArenaBits
	if at >= uintptr(len(raceArenas)) {
		return nil
	}
	if a := raceArenas[at]; a != nil {
		return a
	}
	raceHold(&raceArenasLock)
	a := raceArenas[at]
	if a == nil {
		if a = (*raceArena)(raceMap(unsafe.Sizeof(raceArena{}))); a != nil {
			a.cells = (*raceCells)(raceMap(unsafe.Sizeof(raceCells{})))
			racePublish()
			raceArenas[at] = a
			racePublish()
			raceArenaCellsOf[at] = a.cells
		}
	}
	raceLoose(&raceArenasLock)
	return raceArenas[at]
}

// raceSyncOf is the object at an address, nil if there is none and none is to be made.
func raceSyncOf(address uintptr, make bool) *raceSync {
	at := address >> raceArenaBits
	if at >= uintptr(len(raceArenas)) || !make && raceArenas[at] == nil {
		return nil
	}
	a := raceArenaOf(address)
	if a == nil {
		return nil
	}
	page, word := raceIndex(address)/raceArenaPages, address>>3%racePageCells
	if s := a.syncs[page].find(word, address); s != nil || !make {
		return s
	}
	raceHold(&raceSyncsLock)
	if a.syncs[page] == nil {
		all := (*raceSyncs)(raceTake(unsafe.Sizeof(raceSyncs{})))
		racePublish() // readers take no lock
		a.syncs[page] = all
	}
	s := a.syncs[page].find(word, address)
	if s == nil {
		s = (*raceSync)(raceTake(unsafe.Sizeof(raceSync{})))
		s.address, s.next = address, a.syncs[page].of[word]
		racePublish()
		a.syncs[page].of[word] = s
	}
	raceLoose(&raceSyncsLock)
	return s
}

// find is the object at an address, nil if there is none.
func (all *raceSyncs) find(word, address uintptr) *raceSync {
	if all == nil {
		return nil
	}
	s := all.of[word]
	for s != nil && s.address != address {
		s = s.next
	}
	return s
}

// raceNew forgets all about memory that is new.
func raceNew(address, size uintptr) {
	for end := address + size; address < end; {
		next := min(address&^(raceArenaPages-1)+raceArenaPages, end)
		if at := address >> raceArenaBits; at < uintptr(len(raceArenas)) && raceArenas[at] != nil {
			raceArenas[at].forgets(address, next)
		}
		address = next
	}
}

// forgets forgets all about a part of a page.
func (a *raceArena) forgets(address, end uintptr) {
	page := raceIndex(address) / raceArenaPages
	first, last := address>>3%raceArenaCells, (end-1)>>3%raceArenaCells
	if a.touched[page] == raceListed {
		cells := a.cells.of[first : last+1]
		for i := range cells {
			for cells[i].more != 0 {
				cells[i].pop()
			}
		}
	}
	if a.touched[page] != 0 {
		cells := a.cells.of[first : last+1]
		clear(cells)
		if len(cells) == racePageCells {
			a.touched[page] = 0
		}
	}
	if all := a.syncs[page]; all != nil {
		syncs := all.of[first%racePageCells : last%racePageCells+1]
		for i := range syncs {
			for s := syncs[i]; s != nil; s = syncs[i] {
				syncs[i] = s.next
				s.clock.free()
				raceGive(unsafe.Pointer(s), unsafe.Sizeof(raceSync{}))
			}
		}
	}
}

// raceFree is memory that is free.
type raceFree struct {
	offHeap
	next *raceFree
}

// racePool has memory by its size, of which the logarithm to the base of two counts.
var racePool struct {
	lock uint32
	free [20]*raceFree
	rest *raceFree // of the chunk that is being given out: where, and how much
	size uintptr
}

const raceChunk = 1 << 20

// raceTake is memory of a size, up to a quarter of a chunk, which is all 0.
func raceTake(size uintptr) unsafe.Pointer {
	class, whole := raceClass(size)
	raceHold(&racePool.lock)
	f := racePool.free[class]
	if f != nil {
		racePool.free[class] = f.next
	} else {
		if racePool.size < whole {
			racePool.rest, racePool.size = (*raceFree)(raceMap(raceChunk)), raceChunk
		}
		f = racePool.rest
		racePool.rest = (*raceFree)(unsafe.Add(unsafe.Pointer(f), whole))
		racePool.size -= whole
	}
	raceLoose(&racePool.lock)
	clear(unsafe.Slice((*uint64)(unsafe.Pointer(f)), whole/8))
	return unsafe.Pointer(f)
}

// raceGive gives memory of a size back.
func raceGive(p unsafe.Pointer, size uintptr) {
	class, _ := raceClass(size)
	f := (*raceFree)(p)
	raceHold(&racePool.lock)
	f.next = racePool.free[class]
	racePool.free[class] = f
	raceLoose(&racePool.lock)
}

// raceClass is the class of a size, and what that takes: a power of two from 32 on.
func raceClass(size uintptr) (class int, whole uintptr) {
	for whole = 32; whole < size; whole *= 2 {
		class++
	}
	return class, whole
}
