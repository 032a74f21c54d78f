package hook

// recent is a goroutine's way to the objects that it has accessed, by their keys.
type recent struct {
	ways   []way // a power of two
	shift  uint8
	misses int
	memory []way // to memory that fields lead to: the key is where in it
}

// way is where an object was found.
type way struct {
	key    uint64
	object *object
	cycle  uint32 // collections there had been
	user   *user  // what the goroutine does to it
}

const (
	// rememberAfter is how many objects a goroutine has looked for when it begins to remember them: most
	// goroutines access few.
	rememberAfter = 64
	minWays       = 1 << 6
	maxWays       = 1 << 12
	memoryBits    = 6 // ways to memory are two to the power of that
)

func (r *recent) way(key uint64) *way { return &r.ways[key*0x9e3779b97f4a7c15>>r.shift] }

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
		r.ways, r.shift, r.misses = make([]way, n), 64, rememberAfter
		for ; n > 1; n /= 2 {
			r.shift--
		}
	}
	*r.way(key) = way{key: key, object: o, cycle: platformCycle()}
}
