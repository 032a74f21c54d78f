package preserving

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/empire-go/empire-go/dynamic/predict/order"
)

// Bounds are on the work for one window.
type Bounds struct {
	Threads int // that wait for each other
	Circles int // abstract patterns that are looked at
	Paths   int // and beginnings of them
	Steps   int // events that are looked at for races, and as many for deadlocks
}

// Defaults are generous for programs with some hundred threads and locks.
var Defaults = Bounds{Threads: 4, Circles: 20_000, Paths: 1_000_000, Steps: 20_000_000}

// Deadlock is threads that wait for each other's locks after a run.
type Deadlock struct {
	Waits []order.ID // the acquires for which they wait: each for a lock that the next one holds, the last for the first
	Holds []order.ID // the acquire of that lock by the next one
	Run   []order.ID // after which they wait, in the window
}

// Deadlocks looks for deadlocks in a window, and calls found with the first one of each abstract pattern: threads,
// locks, and what is held. It tells how many patterns were given up. Acquires that do not wait are to be left out. For
// each pattern the time is that of one Closure (PLDI 2023, algorithms 1 and 2); how many there are is bounded, since
// there may be exponentially many.
func Deadlocks(h *order.History, isTry func(order.ID) bool, b Bounds, found func(Deadlock)) (given int) {
	f := &deadlocks{h: h, bounds: b, found: found}
	f.collect(isTry)
	f.trim()
	for i, a := range f.all {
		f.extend([]*abstract{a}, i)
	}
	return f.given
}

// hold is a lock that is held.
type hold struct {
	lock   uint32
	shared bool
}

func (x hold) compare(y hold) int { return cmp.Compare(x.code(), y.code()) }

// code is a number for the hold.
func (x hold) code() uint64 {
	n := uint64(x.lock) << 1
	if x.shared {
		n++
	}
	return n
}

func (x hold) appendTo(key []byte) []byte { return binary.AppendUvarint(key, x.code()) }

// abstract is acquires of a thread that take the same while the same is held.
type abstract struct {
	thread int32
	hold
	held   []hold // without itself
	events []order.ID
}

type deadlocks struct {
	h      *order.History
	bounds Bounds
	found  func(Deadlock)
	all    []*abstract
	byHeld map[uint32][]int // by lock: the abstract acquires that hold it
	paths  int              // beginnings of patterns
	tried  int
	steps  int
	given  int
}

// collect finds the abstract acquires that hold something.
func (f *deadlocks) collect(isTry func(order.ID) bool) {
	known := map[string]*abstract{}
	own := map[order.ID]bool{} // see isOwn
	var key []byte
	var held []hold
	for n := f.h.Start(); n < f.h.Start()+f.h.Len(); n++ {
		e := f.h.Event(n)
		if !e.Kind.Acquires() || e.Held == nil || e.Held.Next == nil || isTry(e.ID) {
			continue
		}
		held = held[:0]
		for l := e.Held.Next; l != nil; l = l.Next {
			is, seen := own[l.Acquire]
			if !seen {
				is = f.isOwn(l)
				own[l.Acquire] = is
			}
			if x := (hold{l.Lock, l.Shared}); is && !slices.Contains(held, x) {
				held = append(held, x)
			}
		}
		slices.SortFunc(held, hold.compare)
		take := hold{e.Object, e.Kind == order.ReadAcquire}
		key = take.appendTo(binary.AppendUvarint(key[:0], uint64(e.Thread)))
		for _, x := range held {
			key = x.appendTo(key)
		}
		a := known[string(key)]
		if a == nil {
			a = &abstract{thread: e.Thread, hold: take, held: slices.Clone(held)}
			known[string(key)] = a
			f.all = append(f.all, a)
		}
		a.events = append(a.events, e.ID)
	}
}

// trim leaves only acquires that may be part of a circle: others take what they hold, and hold what they take. Where
// locks are taken in one order, none is left.
func (f *deadlocks) trim() {
	for before := -1; before != len(f.all); {
		before = len(f.all)
		taken, held := map[uint32]bool{}, map[uint32]bool{}
		for _, a := range f.all {
			taken[a.lock] = true
			for _, x := range a.held {
				held[x.lock] = true
			}
		}
		f.all = slices.DeleteFunc(f.all, func(a *abstract) bool {
			return !held[a.lock] || !slices.ContainsFunc(a.held, func(x hold) bool { return taken[x.lock] })
		})
	}
	f.byHeld = map[uint32][]int{}
	for i, a := range f.all {
		for _, x := range a.held {
			f.byHeld[x.lock] = append(f.byHeld[x.lock], i)
		}
	}
}

// isOwn tells whether nobody else releases what is held.
func (f *deadlocks) isOwn(l *order.Held) bool {
	release, known := f.h.ReleaseOf(l.Acquire)
	return !known || release.Thread == l.Acquire.Thread
}

// excludes tells whether two threads cannot hold both at the same time.
func (x hold) excludes(y hold) bool { return x.lock == y.lock && !(x.shared && y.shared) }

// waitsFor tells whether an acquire waits for what another one holds.
func (a *abstract) waitsFor(b *abstract) bool {
	return slices.ContainsFunc(b.held, a.excludes)
}

// apart tells whether both can hold what they hold.
func (a *abstract) apart(b *abstract) bool {
	return !slices.ContainsFunc(a.held, func(x hold) bool { return slices.ContainsFunc(b.held, x.excludes) })
}

// extend looks at the circles that begin so, of which the first is the one that comes first.
func (f *deadlocks) extend(path []*abstract, first int) {
	last := path[len(path)-1]
	if len(path) > 1 && last.waitsFor(path[0]) {
		f.check(path)
	}
	if f.paths++; len(path) == f.bounds.Threads {
		return
	}
	if f.paths > f.bounds.Paths {
		f.given++
		return
	}
	for _, i := range f.byHeld[last.lock] {
		next := f.all[i]
		if i <= first || !last.waitsFor(next) ||
			slices.ContainsFunc(path, func(a *abstract) bool { return a.thread == next.thread || !a.apart(next) }) {
			continue
		}
		f.extend(append(slices.Clip(path), next), first)
	}
}

// check looks for the first acquires of a pattern that can be reached together. Those that are in the closure of some
// are in that of all later ones, so that each is looked at once.
func (f *deadlocks) check(path []*abstract) {
	if f.tried++; f.tried > f.bounds.Circles || f.steps > f.bounds.Steps {
		f.given++
		return
	}
	c := NewClosure(f.h)
	defer func() { f.steps += c.steps }()
	at := make([]int, len(path))
	for {
		for i, a := range path {
			c.Reach(a.events[at[i]])
		}
		if c.Failed() {
			return
		}
		reached := true
		for i, a := range path {
			for c.Has(a.events[at[i]]) {
				reached = false
				if at[i]++; at[i] == len(a.events) {
					return
				}
			}
		}
		if reached {
			break
		}
	}
	d := Deadlock{Run: c.Run()}
	for i, a := range path {
		next := path[(i+1)%len(path)]
		d.Waits = append(d.Waits, a.events[at[i]])
		for l := f.h.Find(next.events[at[(i+1)%len(path)]]).Held.Next; l != nil; l = l.Next {
			if a.excludes(hold{l.Lock, l.Shared}) {
				d.Holds = append(d.Holds, l.Acquire)
				break
			}
		}
	}
	f.found(d)
}
