package racing

import "unsafe"

// raceClock has for each number of a thread the time of it that happens before.
type raceClock struct {
	offHeap
	times        *raceTimes
	length, room uint32
}

type raceTimes struct {
	offHeap
	of [raceMaxThreads]uint32
}

// raceMaxThreads is how many threads there are at a time. Further ones share the last number, and no race between
// these is found.
const raceMaxThreads = 1 << 16

func (c *raceClock) at(number uint32) uint32 {
	if number < c.length {
		return c.times.of[number]
	}
	return 0
}

// reserve makes room for so many numbers.
func (c *raceClock) reserve(length uint32) {
	if length <= c.length {
		return
	}
	if length > c.room {
		room := max(c.room, 8)
		for room < length {
			room *= 2
		}
		times := (*raceTimes)(raceTake(uintptr(room) * 4))
		copy(times.of[:c.length], c.slice())
		c.free()
		c.times, c.room = times, room
	}
	clear(c.times.of[c.length:length])
	c.length = length
}

func (c *raceClock) slice() []uint32 {
	if c.length == 0 {
		return nil
	}
	return c.times.of[:c.length]
}

func (c *raceClock) free() {
	if c.room > 0 {
		raceGive(unsafe.Pointer(c.times), uintptr(c.room)*4)
	}
	c.times, c.room = nil, 0
}

// join tells whether the other clock had anything new.
func (c *raceClock) join(other *raceClock) (isNew bool) {
	c.reserve(other.length)
	own := c.slice()
	for i, time := range other.slice() {
		if time > own[i] {
			own[i], isNew = time, true
		}
	}
	return isNew
}

// set makes the clock a copy of another one.
func (c *raceClock) set(other *raceClock) {
	c.reserve(other.length)
	clear(c.slice()[copy(c.slice(), other.slice()):])
}

// raceThread is a goroutine, or a thing that runs like one, as the functions of timers.
type raceThread struct {
	offHeap
	epoch   uint64 // its number and its time, as in an entry
	learned uint64 // changes when it learns of others; no other thread has the same one
	clock   raceClock
	number  uint32
	created uint32 // where it was started
	next    *raceThread
}

// raceSync is an object by which threads learn of each other.
type raceSync struct {
	offHeap
	next    *raceSync
	address uintptr
	last    uint64 // an entry: if it is not 0, the clock is the one that its thread had then
	learned uint64 // of that thread, then
	lock    uint32
	clock   raceClock
}

// raceOccupant is who has a number from a time on.
type raceOccupant struct {
	goroutine uint64 // in the order in which they have begun
	since     uint32
	created   uint32
}

// raceOccupants are the last ones of a number.
type raceOccupants struct {
	offHeap
	n  uint32
	of [8]raceOccupant
}

// raceEnded is a number whose thread has ended at a time.
type raceEnded struct{ number, time uint32 }

// raceThreads are all threads.
var raceThreads struct {
	lock      uint32
	numbers   uint32 // that were given
	free      *raceThread
	ended     [raceMaxThreads]raceEnded // a ring
	first, n  uint32
	learned   uint64
	occupants [raceMaxThreads]*raceOccupants
	of        [raceMaxThreads]*raceThread // who has, or has had, a number last
	last      [raceMaxThreads]uint32      // the time at which a number was given up
}

const (
	// raceLooked is how many ended numbers are looked at for one whose end happens before a new thread.
	raceLooked = 8
	// raceWaiting is how many ended numbers wait for such a thread before any may have them.
	raceWaiting = 64
)

// raceBegin begins a thread that another one starts, nil if it is not known which.
func raceBegin(parent *raceThread, created uint32) *raceThread {
	raceHold(&raceThreads.lock)
	t := raceThreads.free
	if t != nil {
		raceThreads.free = t.next
	} else {
		t = (*raceThread)(raceTake(unsafe.Sizeof(raceThread{})))
	}
	raceThreads.learned += 1 << 32
	t.learned = raceThreads.learned
	t.created = created
	number, time := raceNumber(parent)
	t.occupies(number, time)
	raceLoose(&raceThreads.lock)
	if parent != nil {
		t.clock.set(&parent.clock)
		parent.tick()
	} else {
		t.clock.length = 0
	}
	t.takes(number, time)
	return t
}

// occupies notes who has a number from a time on. The threads are held.
func (t *raceThread) occupies(number, time uint32) {
	o := raceThreads.occupants[number]
	if o == nil {
		o = (*raceOccupants)(raceTake(unsafe.Sizeof(raceOccupants{})))
		raceThreads.occupants[number] = o
	}
	o.of[o.n%uint32(len(o.of))] = raceOccupant{t.learned >> 32, time, t.created}
	o.n++
}

// raceNumber is the number for a new thread, with its time.
func raceNumber(parent *raceThread) (number, time uint32) {
	all := &raceThreads
	for i := range min(all.n, raceLooked) {
		e := all.ended[(all.first+i)%raceMaxThreads]
		if parent != nil && parent.clock.at(e.number) >= e.time || all.n > raceWaiting {
			all.ended[(all.first+i)%raceMaxThreads] = all.ended[all.first]
			all.first, all.n = (all.first+1)%raceMaxThreads, all.n-1
			return e.number, e.time + 1
		}
	}
	if all.numbers < raceMaxThreads-1 {
		all.numbers++
	}
	return all.numbers, 1
}

// takes gives the thread a number.
func (t *raceThread) takes(number, time uint32) {
	t.clock.reserve(number + 1)
	t.clock.times.of[number] = time
	t.number, t.epoch = number, uint64(number)<<raceNumberAt|uint64(time)*raceTimeUnit
	raceThreads.of[number] = t
}

// learnsAll lets all that was done so far happen before what the thread does from here on: what a finalizer is called
// for nobody else has any more.
func (t *raceThread) learnsAll() {
	raceHold(&raceThreads.lock)
	length := raceThreads.numbers + 1
	raceLoose(&raceThreads.lock)
	t.clock.reserve(length)
	for number := range length {
		time := raceThreads.last[number]
		if other := raceThreads.of[number]; other != nil && uint32(other.epoch>>raceNumberAt) == number {
			time = uint32(other.epoch >> 16) // it has not ended, and goes on under this number
		}
		t.clock.times.of[number] = max(t.clock.times.of[number], time)
	}
	t.learned++
}

// end ends the thread.
func (t *raceThread) end() {
	raceHold(&raceThreads.lock)
	all := &raceThreads
	time := t.clock.at(t.number)
	all.last[t.number] = time
	if all.n < raceMaxThreads && time < ^uint32(0)>>1 {
		all.ended[(all.first+all.n)%raceMaxThreads] = raceEnded{t.number, time}
		all.n++
	}
	t.epoch = 0
	t.next, all.free = all.free, t
	raceLoose(&raceThreads.lock)
}

// tick goes on to the next time, where others have learned of this one.
func (t *raceThread) tick() {
	time := t.clock.times.of[t.number] + 1
	if time == 0 { // it goes on under another number
		raceHold(&raceThreads.lock)
		raceThreads.last[t.number] = time - 1
		number, time := raceNumber(t)
		t.occupies(number, time)
		raceLoose(&raceThreads.lock)
		t.takes(number, time)
		t.learned++
		return
	}
	t.clock.times.of[t.number] = time
	t.epoch += raceTimeUnit
}

// raceOccupantOf is who has made the access of an entry, as far as it is remembered.
func raceOccupantOf(entry uint64) (found raceOccupant) {
	o := raceThreads.occupants[entry>>raceNumberAt]
	if o == nil {
		return raceOccupant{}
	}
	for i := range o.of {
		if c := o.of[i]; c.since <= uint32(entry>>16) && c.since > found.since {
			found = c
		}
	}
	return found
}

// hasAll tells whether the thread knows all that the object's clock has.
func (t *raceThread) hasAll(s *raceSync) bool { return s.last != 0 && t.knows(s.last) }

// learns joins what the object has.
func (t *raceThread) learns(s *raceSync) {
	if !t.hasAll(s) && t.clock.join(&s.clock) {
		t.learned++
	}
}

// leaves makes the object's clock that of the thread.
func (t *raceThread) leaves(s *raceSync) {
	if s.last != 0 && s.learned == t.learned {
		s.clock.times.of[t.number] = t.clock.times.of[t.number]
	} else {
		s.clock.set(&t.clock)
	}
	s.last, s.learned = t.epoch, t.learned
	t.tick()
}

// merges joins the thread's clock to the object's.
func (t *raceThread) merges(s *raceSync) {
	if t.hasAll(s) || s.clock.length == 0 {
		t.leaves(s)
		return
	}
	s.clock.join(&t.clock)
	s.last = 0
	t.tick()
}

// raceSyncing is what a thread does to an object.
type raceSyncing uint8

const (
	raceAcquires raceSyncing = 1 << iota
	raceReleases             // what it has learned is all that is left there
	raceMerges               // it is added to what is there
)

// syncs learns of others by the object at an address, or lets them learn.
func (t *raceThread) syncs(address uintptr, what raceSyncing) {
	s := raceSyncOf(address, what != raceAcquires)
	if s == nil || what == raceAcquires && t.hasAll(s) {
		return
	}
	raceHold(&s.lock)
	t.syncsHeld(s, what)
	raceLoose(&s.lock)
}

// syncsHeld is syncs while the object is held.
func (t *raceThread) syncsHeld(s *raceSync, what raceSyncing) {
	if what&raceAcquires != 0 {
		t.learns(s)
	}
	if what&raceReleases != 0 {
		t.leaves(s)
	} else if what&raceMerges != 0 {
		t.merges(s)
	}
}
