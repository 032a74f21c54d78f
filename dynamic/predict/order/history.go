package order

import (
	"fmt"
	"slices"
	"sort"
)

// History is the latest events of a run, with the state that orders the next ones.
type History struct {
	Finished bool // there is nothing more to come
	// Unforked is how many threads have begun that no other one has started. As long as there may come more, nothing
	// is proved.
	Unforked int

	start   int // the number of the first event that is kept; numbers count all events from 0
	events  []Event
	threads []thread
	slots   []int32 // by the caller's number of a thread: its number here and 1
	free    []int32
	vars    []variable
	locks   map[uint32]*lock
	objects map[key]*object

	released map[ID]ID // releases in the window of what was acquired before it, by acquire
}

// key tells objects of different sorts with one number apart.
type key struct {
	sort   byte
	number uint32
}

type thread struct {
	name   uint32 // the caller's
	clock  *Clock
	born   int32 // events of an earlier thread with the number
	base   int32 // events that are kept no more
	at     []int // the numbers of those that are kept
	news   []news
	held   *Held
	before *Held  // what was held at the beginning of the window
	sent   signal // a send after which the thread has had no event yet, with its channel and number
	on     *object
	number int
	joined bool
	forked bool
	begun  bool
	ended  bool
	gone   bool // and its number is free
}

// news are where a thread has learned something in the window: the index of its first event that comes after more.
type news struct {
	index int32
	clock *Clock
}

func (t *thread) last() int32 { return t.base + int32(len(t.at)) }

// variable is the state of a variable, and its accesses in the window, by thread.
type variable struct {
	writer ID
	clock  *Clock
	by     []Accesses
	old    bool // some of them leave the window
}

// Accesses are those of one thread to one variable in the window: the indices of its events, ascending. An update is
// in both.
type Accesses struct {
	Thread        int32
	Reads, Writes []int32
}

type lock struct {
	holders  []ID
	shared   bool
	acquires []ID // in the window, in the order of the run
	looks    gathered
}

// New returns the history of a run that has not begun.
func New() *History {
	return &History{locks: map[uint32]*lock{}, objects: map[key]*object{},
		released: map[ID]ID{}}
}

var nothing = &Clock{}

// Thread is the number that a thread of the caller's, whose numbers are small, has here.
func (h *History) Thread(name uint32) int32 {
	for int(name) >= len(h.slots) {
		h.slots = append(h.slots, make([]int32, max(64, len(h.slots)))...)
	}
	if n := h.slots[name]; n > 0 {
		return n - 1
	}
	n := int32(len(h.threads))
	if last := len(h.free) - 1; last >= 0 {
		n, h.free = h.free[last], h.free[:last]
		base := h.threads[n].base
		h.threads[n] = thread{name: name, clock: nothing, born: base, base: base}
	} else {
		h.threads = append(h.threads, thread{name: name, clock: nothing})
	}
	h.slots[name] = n + 1
	return n
}

// reuse frees the numbers of threads that have ended, and of which all others that go on know that, once no event of
// them is in the window. Events of a later thread with the number have higher indices, so nobody can
// tell that it is not the old one going on.
func (h *History) reuse() {
	for i := range h.threads {
		t := &h.threads[i]
		if !t.ended || t.gone || len(t.at) > 0 {
			continue
		}
		known := true
		for j := range h.threads {
			if o := &h.threads[j]; known && j != i && !o.gone && !(o.ended && len(o.at) == 0) {
				known = o.clock.At(int32(i)) >= t.base
			}
		}
		if known {
			t.gone = true
			h.free = append(h.free, int32(i))
			h.slots[t.name] = 0
		}
	}
}

// Threads is how many threads there are.
func (h *History) Threads() int { return len(h.threads) }

// Name is the caller's number of a thread.
func (h *History) Name(thread int32) uint32 { return h.threads[thread].name }

// Complete tells whether no event of a thread is still to come, or only such that must come after an event.
func (h *History) Complete(thread int32, event ID) bool {
	t := &h.threads[thread]
	return h.Finished || t.ended || t.joined || t.clock.At(event.Thread) >= event.Index
}

// Len is how many events are kept.
func (h *History) Len() int { return len(h.events) }

// Born is how many events an earlier thread has had with the number.
func (h *History) Born(thread int32) int32 { return h.threads[thread].born }

// Base is how many events of a thread are kept no more, Last how many it has had.
func (h *History) Base(thread int32) int32 { return h.threads[thread].base }

// Last is the index of the last event of a thread.
func (h *History) Last(thread int32) int32 { return h.threads[thread].last() }

// Start is the number of the first event that is kept.
func (h *History) Start() int { return h.start }

// Event is the event with a number, which is kept.
func (h *History) Event(number int) *Event { return &h.events[number-h.start] }

// Kept tells whether an event is kept.
func (h *History) Kept(id ID) bool { return id.Index > h.threads[id.Thread].base }

// Number is the number of an event that is kept: events are numbered in the order of the run.
func (h *History) Number(id ID) int { t := &h.threads[id.Thread]; return t.at[id.Index-t.base-1] }

// Find is an event that is kept.
func (h *History) Find(id ID) *Event { return &h.events[h.Number(id)-h.start] }

// Until is the index of the last event of a thread that comes before a number.
func (h *History) Until(thread int32, number int) int32 {
	t := &h.threads[thread]
	n, _ := slices.BinarySearch(t.at, number)
	return t.base + int32(n)
}

// FirstAfter is the index of the first event of another thread that must come after an event; Last and 1 if none does.
func (h *History) FirstAfter(thread int32, id ID) int32 {
	t := &h.threads[thread]
	i := sort.Search(len(t.news), func(i int) bool { return t.news[i].clock.has(id) })
	if i == len(t.news) {
		return t.last() + 1
	}
	return t.news[i].index
}

// HeldAt is what a thread holds after the event with an index; it is kept or the last one that is not.
func (h *History) HeldAt(thread, index int32) *Held {
	if index <= h.threads[thread].base {
		return h.threads[thread].before
	}
	return h.Find(ID{thread, index}).Held
}

// Variables is one more than the highest number of a variable may be.
func (h *History) Variables() int { return len(h.vars) }

// Accesses are those to a variable.
func (h *History) Accesses(variable uint32) []Accesses { return h.vars[variable].by }

// ReleaseOf is the release in the window of a critical section that was entered in it or before it.
func (h *History) ReleaseOf(acquire ID) (ID, bool) {
	if h.Kept(acquire) {
		pair := h.Find(acquire).Pair
		return pair, pair.Index > 0
	}
	id, ok := h.released[acquire]
	return id, ok
}

// Acquires are those of a lock in the window, in the order of the run.
func (h *History) Acquires(l uint32) []ID { return h.locks[l].acquires }

func (h *History) sync(sort byte, number uint32) *object {
	k := key{sort, number}
	o := h.objects[k]
	if o == nil {
		o = &object{}
		h.objects[k] = o
	}
	return o
}

func (h *History) lock(number uint32) *lock {
	l := h.locks[number]
	if l == nil {
		l = &lock{}
		h.locks[number] = l
	}
	return l
}

// variable is the state of a variable.
func (h *History) variable(number uint32) *variable {
	for int(number) >= len(h.vars) {
		h.vars = append(h.vars, make([]variable, max(64, len(h.vars)))...)
	}
	return &h.vars[number]
}

// learn lets a thread come after an event.
func (t *thread) learn(own int32, e ID, before *Clock) { t.clock = t.clock.with(own, e, before.at) }

// sorts tells which objects an operation is on.
func sortOf(op Op) byte {
	switch op {
	case OpSend, OpReceive, OpClose, OpPresend, OpPostsend, OpLook:
		return 'c'
	case OpAdd, OpDone, OpWait:
		return 'g'
	case OpRan, OpHasRun:
		return 'o'
	}
	return 'w'
}

// Add adds the next event of the run. The error says that no run can have it there.
func (h *History) Add(name uint32, op Op, on, ref uint32) error {
	slot := h.Thread(name)
	t := &h.threads[slot]
	if t.joined || t.ended {
		return fmt.Errorf("the thread goes on after its end")
	}
	if !t.begun && !t.forked {
		h.Unforked++
	}
	t.begun = true
	h.move(slot, t)
	e := Event{Object: on, Ref: ref, ID: ID{slot, t.last() + 1}, Enter: t.clock, Kind: Sync}
	var err error
	switch op {
	case OpRead, OpWrite, OpUpdate:
		h.access(t, &e, op)
	case OpAcquire, OpReadAcquire:
		err = h.acquire(t, &e, op == OpReadAcquire)
	case OpRelease, OpReadRelease:
		err = h.release(t, &e, op == OpReadRelease)
	case OpEnd:
		t.ended = true
	case OpTryFailed:
		h.tryFailed(t, &e)
	case OpFork:
		err = h.fork(t, &e, on)
	case OpJoin:
		err = h.join(t, &e, on)
	case OpPostsend:
		err = h.postsend(t, &e)
	default:
		h.order(t, &e, op)
		err = h.channel(t, &e, op)
	}
	if err != nil {
		return err
	}
	h.keep(&e)
	return nil
}

// keep puts an event into the window.
func (h *History) keep(e *Event) {
	t := &h.threads[e.Thread]
	e.Before, e.Held = t.clock, t.held
	if n := len(t.news); n == 0 || t.news[n-1].clock != t.clock {
		t.news = append(t.news, news{e.Index, t.clock})
	}
	t.at = append(t.at, h.start+len(h.events))
	h.events = append(h.events, *e)
}

// order lets an event come after those of its object that it may not change places with.
func (h *History) order(t *thread, e *Event, op Op) {
	r := rules[op]
	if r.is == 0 && r.after == 0 {
		return
	}
	o := h.sync(sortOf(op), e.Object)
	for i := range o.by {
		if r.after&(1<<i) != 0 {
			t.clock = t.clock.with(e.Thread, e.ID, o.by[i].at)
		}
	}
	for i := range o.by {
		if r.is&(1<<i) != 0 {
			o.by[i].add(e.ID, t.clock)
		}
	}
}

func (h *History) access(t *thread, e *Event, op Op) {
	v := h.variable(e.Object)
	e.Kind = [...]Kind{OpRead: Read, OpWrite: Write, OpUpdate: Update}[op]
	a := v.accesses(e.Thread)
	if e.Kind.Reads() {
		e.Writer = v.writer
		if known := e.Writer.Thread == e.Thread || t.clock.has(e.Writer); e.Writer.Index > 0 && !known {
			t.learn(e.Thread, e.Writer, v.clock)
		}
		a.Reads = append(a.Reads, e.Index)
	}
	if e.Kind.Writes() {
		v.writer, v.clock = e.ID, t.clock
		a.Writes = append(a.Writes, e.Index)
	}
}

func (v *variable) accesses(thread int32) *Accesses {
	for i := range v.by {
		if v.by[i].Thread == thread {
			return &v.by[i]
		}
	}
	v.by = append(v.by, Accesses{Thread: thread})
	return &v.by[len(v.by)-1]
}

func (h *History) acquire(t *thread, e *Event, shared bool) error {
	l := h.lock(e.Object)
	if len(l.holders) > 0 && !(shared && l.shared) {
		return fmt.Errorf("the lock is held already")
	}
	t.clock = t.clock.with(e.Thread, e.ID, l.looks.at)
	l.holders, l.shared = append(l.holders, e.ID), shared
	l.acquires = append(l.acquires, e.ID)
	e.Kind = Acquire
	if shared {
		e.Kind = ReadAcquire
	}
	t.held = &Held{e.ID, e.Object, shared, t.held}
	return nil
}

// release ends the latest critical section of the thread, or, where another thread has taken the lock, that one's;
// then what that one does next comes later.
func (h *History) release(t *thread, e *Event, shared bool) error {
	l := h.lock(e.Object)
	if len(l.holders) == 0 || l.shared != shared {
		return fmt.Errorf("the lock is not held")
	}
	i := len(l.holders) - 1
	for i > 0 && l.holders[i].Thread != e.Thread {
		i--
	}
	e.Pair, e.Kind = l.holders[i], Release
	if shared {
		e.Kind = ReadRelease
	}
	l.holders = slices.Delete(l.holders, i, i+1)
	holder := &h.threads[e.Pair.Thread]
	holder.held = holder.held.without(e.Pair)
	if h.Kept(e.Pair) {
		a := h.Find(e.Pair)
		a.Pair = e.ID
		t.learn(e.Thread, e.Pair, a.Before)
	} else {
		h.released[e.Pair] = e.ID
	}
	t.clock = t.clock.with(e.Thread, e.ID, l.looks.at)
	if e.Pair.Thread != e.Thread {
		holder.learn(e.Pair.Thread, e.ID, t.clock)
	}
	return nil
}

// without is what is held without a lock.
func (x *Held) without(acquire ID) *Held {
	switch {
	case x == nil:
		return nil
	case x.Acquire == acquire:
		return x.Next
	}
	return &Held{x.Acquire, x.Lock, x.Shared, x.Next.without(acquire)}
}

// tryFailed comes while the lock is held by who holds it, and before its next holders.
func (h *History) tryFailed(t *thread, e *Event) {
	l := h.lock(e.Object)
	for _, holder := range l.holders {
		if h.Kept(holder) {
			t.learn(e.Thread, holder, h.Find(holder).Before)
		}
	}
	l.looks.add(e.ID, t.clock)
}

func (h *History) fork(t *thread, e *Event, child uint32) error {
	known := int(child) < len(h.slots) && h.slots[child] > 0
	slot := h.Thread(child)
	if slot == e.Thread {
		return fmt.Errorf("the thread forks itself")
	}
	if known && h.threads[slot].begun {
		return fmt.Errorf("the thread that is forked has had events before")
	}
	own := &h.threads[e.Thread] // h.threads may have moved
	h.threads[slot].forked = true
	h.threads[slot].learn(slot, e.ID, own.clock)
	return nil
}

func (h *History) join(t *thread, e *Event, child uint32) error {
	slot := h.Thread(child)
	if slot == e.Thread {
		return fmt.Errorf("the thread joins itself")
	}
	own, c := &h.threads[e.Thread], &h.threads[slot]
	if c.last() > 0 {
		own.learn(e.Thread, ID{slot, c.last()}, c.clock)
	}
	c.joined = true
	return nil
}

// Slide forgets the oldest events: what comes before a number.
func (h *History) Slide(to int) {
	n := to - h.start
	if n <= 0 {
		return
	}
	defer h.reuse()
	touched := map[uint32]bool{}
	var old []*variable
	for i := range h.events[:n] {
		e := &h.events[i]
		t := &h.threads[e.Thread]
		t.base, t.before = e.Index, e.Held
		switch {
		case e.Kind.IsAccess():
			if v := &h.vars[e.Object]; !v.old {
				v.old = true
				old = append(old, v)
			}
		case e.Kind.Acquires():
			touched[e.Object] = true
			if e.Pair.Index > 0 {
				h.released[e.ID] = e.Pair
			}
		}
	}
	for _, v := range old {
		v.old = false
		for i := range v.by {
			a := &v.by[i]
			a.Reads, a.Writes = above(a.Reads, h.threads[a.Thread].base), above(a.Writes, h.threads[a.Thread].base)
		}
	}
	for acquire, release := range h.released {
		if h.threads[release.Thread].base >= release.Index {
			delete(h.released, acquire)
		}
	}
	h.start = to
	h.events = append(h.events[:0], h.events[n:]...)
	for i := range h.threads {
		t := &h.threads[i]
		t.at = trimmed(t.at, len(t.at)-countFrom(t.at, to))
		t.news = t.newsFrom(t.base + 1)
	}
	for number := range touched {
		l := h.locks[number]
		l.acquires = slices.DeleteFunc(l.acquires, func(id ID) bool { return !h.Kept(id) })
	}
}

// newsFrom is what is new from an event on: what has been learned until then is new with that.
func (t *thread) newsFrom(index int32) []news {
	n, exact := slices.BinarySearchFunc(t.news, index, func(x news, index int32) int { return int(x.index - index) })
	if !exact && n > 0 {
		n--
		t.news[n].index = index
	}
	return trimmed(t.news, n)
}

// countFrom is how many of ascending numbers are no less than one.
func countFrom(at []int, number int) int {
	n, _ := slices.BinarySearch(at, number)
	return len(at) - n
}

// trimmed is a slice without its first elements, in memory of its own when much of the old is unused.
func trimmed[T any](s []T, n int) []T { return append(s[:0], s[n:]...) }

// above are those of ascending indices that are above one.
func above(indices []int32, base int32) []int32 {
	n, _ := slices.BinarySearch(indices, base+1)
	return trimmed(indices, n)
}
