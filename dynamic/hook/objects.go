package hook

import (
	"reflect"
	"slices"
	"sync/atomic"
	"unsafe"
	"weak"

	"github.com/empire-go/empire-go/dynamic/trace"
)

// object is the identity of an object of the program, which it does not keep alive. What every access needs comes
// first, in one line of the processor's cache: its size is a multiple of that of a line (see TestSize), so that the
// allocator puts it at the beginning of one.
type object struct {
	key      uint64 // address | class<<48
	next     atomic.Pointer[object]
	number   uint32
	cycle    atomic.Uint32 // collections there had been when it was last known to be alive
	static   bool          // not in the heap: it lives for ever
	roomTold bool          // of a channel: how much it holds is recorded
	exact    spin          // held by an atomic operation while it takes effect
	uses     atomic.Uint64 // see used
	use
	version atomic.Uint64 // the next
	turn    atomic.Uint64 // see turnTo
	alive   weak.Pointer[byte]
	from    atomic.Pointer[[]ownership] // of memory that other objects own
	typ     *reflect.Type               // of an object of a generic type, where it is followed
}

// objectTable finds objects by address. Readers take no lock: they may miss an object while
// the table grows, and then look again with the lock.
type objectTable struct {
	buckets atomic.Pointer[[]atomic.Pointer[object]]
	lock    spin
	count   int
	numbers uint32
	classes map[uint16][]*object // where objects are followed
}

var objects objectTable

func init() {
	objects.buckets.Store(new(make([]atomic.Pointer[object], 1<<10)))
	objects.numbers = noObject
	objects.classes = map[uint16][]*object{}
}

func objectKey(address uintptr, class uint16) uint64 { return uint64(address) ^ uint64(class)<<48 }

func bucket(buckets []atomic.Pointer[object], key uint64) *atomic.Pointer[object] {
	return &buckets[(key*0x9e3779b97f4a7c15>>32)&uint64(len(buckets)-1)]
}

// find returns the object with a key if it is known and was not collected.
func (t *objectTable) find(key uint64) *object {
	for o := bucket(*t.buckets.Load(), key).Load(); o != nil; o = o.next.Load() {
		if o.key == key && (o.static || o.cycle.Load() == platformCycle()) {
			return o
		}
	}
	return nil
}

// known is find for an object that may not have been used since the last collection.
func (t *objectTable) known(key uint64) *object {
	for o := bucket(*t.buckets.Load(), key).Load(); o != nil; o = o.next.Load() {
		switch {
		case o.key != key:
			continue
		case o.static || o.cycle.Load() == platformCycle():
			return o
		}
		if o.refresh() {
			return o
		}
	}
	return nil
}

// objectAt returns the object of a class at an address, nil if it is on a stack, where nobody
// else can reach it.
func (g *Goroutine) objectAt(p unsafe.Pointer, class uint16) *object {
	key := objectKey(uintptr(p), class)
	if o := g.recalled(key); o != nil {
		return o
	}
	return g.lookFor(p, class, key)
}

// lookFor is objectAt for an object that is not remembered.
func (g *Goroutine) lookFor(p unsafe.Pointer, class uint16, key uint64) *object {
	if o := g.again(key); o != nil {
		return o
	}
	o := objects.find(key)
	if o == nil {
		o = objects.add(g, p, class, key, false)
	}
	if o != nil {
		g.remember(key, o)
		l := &g.recent.last
		l.key, l.object, l.cycle = key, o, platformCycle()
	}
	return o
}

// add is the slow path of objectAt: an object that is new, or was not used since the last
// collection. Who made it is known if it isNew: only then can it be one that nobody else can
// reach.
func (t *objectTable) add(g *Goroutine, p unsafe.Pointer, class uint16, key uint64, isNew bool) *object {
	place := platformPlace(p)
	if place == onStack || p == nil {
		return nil
	}
	if !isNew { // what was there before is no more, or it is found below
		if o := t.known(key); o != nil {
			return o
		}
	}
	o := &object{key: key, static: place != onHeap}
	if !o.static {
		o.cycle.Store(platformCycle())
		o.alive = weak.Make((*byte)(hide(whole(p)))) // without the lock: it takes longer than all of the rest
	}
	t.lock.lock()
	for other := bucket(*t.buckets.Load(), key).Load(); other != nil; other = other.next.Load() {
		if other.key == key && other.refresh() {
			t.lock.unlock()
			return other
		}
	}
	t.numbers++
	o.number = t.numbers
	dead := t.grow()
	first := bucket(*t.buckets.Load(), key)
	o.next.Store(first.Load())
	first.Store(o)
	t.count++
	if steering != nil && hasOwner(class) {
		t.classes[class] = append(t.classes[class], o)
	}
	t.lock.unlock()
	if len(dead) > 0 {
		g.speaks()
	}
	if steering == nil { // when a collection comes is nobody's choice
		for _, gone := range dead {
			g.ends(gone)
		}
	}
	if hasOwner(class) {
		g.tells(trace.ObjectMade, uint32(class), o.number)
		if g.fresh = g.fresh || isNew; isNew {
			g.makes(o)
		} else {
			o.owner.Store(everybody)
			g.tells(trace.Escape, uint32(class), o.number)
		}
	}
	return o
}

// ends records the end of an object, and of each order that something of it is in.
func (g *Goroutine) ends(o *object) {
	g.record(trace.ObjectGone, 0, o.number, o.version.Load())
	order := uint32(0)
	for other := o.others.Load(); other != nil; other = other.next.Load() {
		if order++; other.version.Load() > 0 {
			g.record(trace.ObjectGone, order, o.number, other.version.Load())
		}
	}
}

// pointer is where an object is, nil if it is no more.
func (o *object) pointer() unsafe.Pointer {
	if o.static { // it has no weak pointer
		address := uintptr(o.key & (1<<48 - 1))
		return *(*unsafe.Pointer)(unsafe.Pointer(&address))
	}
	if o.alive.Value() == nil {
		return nil
	}
	address := o.address()
	return *(*unsafe.Pointer)(unsafe.Pointer(&address))
}

// whole is the allocation that an address is in: what is there lives as long as that. Many weak pointers into one
// allocation, as to each element of a slice, would make a list that the runtime goes through for each.
func whole(p unsafe.Pointer) unsafe.Pointer {
	if base := platformBase(p); base != 0 {
		return *(*unsafe.Pointer)(unsafe.Pointer(&base))
	}
	return p
}

// address is where an object is, or was.
func (o *object) address() uintptr { return uintptr(o.key & (1<<48 - 1)) }

// current is pointer for an object that was used lately: until the next collection has ended nothing else can be
// where it is.
func (o *object) current() unsafe.Pointer {
	if o.cycle.Load() != platformCycle() {
		return o.pointer()
	}
	address := o.address()
	return *(*unsafe.Pointer)(unsafe.Pointer(&address))
}

// ofClass returns the objects of a class that are alive.
func (t *objectTable) ofClass(class uint16) []*object {
	t.lock.lock()
	defer t.lock.unlock()
	live := slices.DeleteFunc(slices.Clone(t.classes[class]), func(o *object) bool { return o.pointer() == nil })
	t.classes[class] = live
	return live
}

// refresh tells whether o is still what is at its address, for somebody who has that: what is there lives, so it is o
// if that lives.
func (o *object) refresh() bool {
	if o.static {
		return true
	}
	cycle := platformCycle()
	if o.cycle.Load() != cycle {
		if o.alive.Value() == nil {
			return false
		}
		o.cycle.Store(cycle)
	}
	return true
}

// sparse is how many buckets there are for each object: most of what is looked for is not known, or in no bucket
// with others.
const sparse = 2

// grow drops what was collected when the table is full, and makes it larger if that was little. It returns
// what it has dropped.
func (t *objectTable) grow() (dead []*object) {
	old := *t.buckets.Load()
	if sparse*t.count < len(old) {
		return nil
	}
	live := make([]*object, 0, t.count)
	for i := range old {
		for o := old[i].Load(); o != nil; o = o.next.Load() {
			if o.refresh() {
				live = append(live, o)
			} else {
				dead = append(dead, o)
			}
		}
	}
	size := len(old)
	for size < 4*sparse*len(live) { // to move an object costs more than room for another one
		size *= 2
	}
	grown := make([]atomic.Pointer[object], size)
	for _, o := range live {
		first := bucket(grown, o.key)
		o.next.Store(first.Load())
		first.Store(o)
	}
	t.count = len(live)
	t.buckets.Store(&grown)
	return dead
}

// hide keeps escape analysis from moving what p points to to the heap.
//
//go:nosplit
func hide(p unsafe.Pointer) unsafe.Pointer {
	x := uintptr(p)
	return *(*unsafe.Pointer)(unsafe.Pointer(&x))
}

// place is where an object is.
type place uint8

const (
	elsewhere place = iota // a variable of a package, or memory that is not Go's
	onHeap
	onStack
)
