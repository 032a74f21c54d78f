package hook

import "unsafe"

// recent is a goroutine's way to the objects that it has accessed, by their keys.
type recent struct {
	ways   []way // a power of two
	led    []led // for each of them
	shift  uint8
	misses int
	last   way   // the way that was gone last
	block  block // the memory that was looked for last
	memory []way // to memory that fields lead to: the key is where in it
}

// way is where an object was found. Two fill a line of the processor's cache.
type way struct {
	key    uint64
	object *object
	cycle  uint32 // collections there had been
	user   *user  // what the goroutine does to it
}

// led is a field that has led to memory, of the object that a way leads to: where, and how much had been lost then, see
// isLed.
type led struct {
	to     uintptr
	losses uint32
	loss   uint16
	field  uint16
}

// block is memory that is known, with where it is.
type block struct {
	base, size uintptr
	object     *object
	cycle      uint32
}

// rememberAfter is how many objects a goroutine has looked for when it begins to remember them: most
// goroutines access few. Tests change it.
var rememberAfter = 64

const (
	minWays = 1 << 6
	// maxWays is how many there are at most: so many stay in the processor's nearest cache. What is not among them is
	// found in the table of objects, which all goroutines share, at less cost than among more of them.
	maxWays    = 1 << 8
	memoryBits = 6 // ways to memory are two to the power of that
)

// index is where the way to the object with a key is, if the goroutine remembers it.
func (r *recent) index(key uint64) uint64 { return key * 0x9e3779b97f4a7c15 >> (r.shift & 63) }

func (r *recent) way(key uint64) *way { return &r.ways[r.index(key)] }

// recalled returns the object with a key, nil if the goroutine does not remember it.
func (g *Goroutine) recalled(key uint64) *object {
	if w := g.wayTo(key); w != nil {
		return w.object
	}
	return nil
}

// wayTo returns the way to the object with a key, nil if the goroutine does not remember one.
func (g *Goroutine) wayTo(key uint64) *way {
	if len(g.recent.ways) == 0 {
		return nil
	}
	if w := g.recent.way(key); w.key == key && w.cycle == platformCycle() {
		return w
	}
	return nil
}

// again returns the object with a key, if it is the one that was looked for last.
func (g *Goroutine) again(key uint64) *object {
	if l := &g.recent.last; l.key == key && l.cycle == platformCycle() {
		return l.object
	}
	return nil
}

// place is the way to memory at an address.
func (r *recent) place(address uintptr) *way {
	if r.memory == nil {
		r.memory = make([]way, 1<<memoryBits)
	}
	return &r.memory[uint64(address)*0x9e3779b97f4a7c15>>(64-memoryBits)]
}

// remember notes where an object was found. Who forgets much gets more room.
func (g *Goroutine) remember(key uint64, o *object) {
	r := &g.recent
	if r.misses++; !reducing || r.misses < rememberAfter || o == nil {
		return
	}
	if n := len(r.ways); n == 0 || r.misses > 8*n && n < maxWays {
		n = max(minWays, 4*n)
		r.ways, r.led, r.shift, r.misses = make([]way, n), make([]led, n), 64, rememberAfter
		for ; n > 1; n /= 2 {
			r.shift--
		}
	}
	i := r.index(key)
	r.ways[i], r.led[i] = way{key: key, object: o, cycle: platformCycle()}, led{}
}

// isLed is isLed for a field of the object that a way leads to, which is remembered.
func (r *recent) isLed(w *way, field uint16, offset uintptr, p unsafe.Pointer) bool {
	to := *(*uintptr)(p)
	if to == 0 {
		return true
	}
	l := &r.led[r.index(w.key)]
	if l.to == to && l.field == field && l.losses == losses[l.loss&lossMask].Load() {
		return true
	}
	loss, since, is := ledBy(&ownership{w.object, field, true, offset}, p, *(*unsafe.Pointer)(p))
	if is {
		*l = led{to: to, losses: uint32(since), loss: uint16(loss), field: field}
	}
	return is
}
