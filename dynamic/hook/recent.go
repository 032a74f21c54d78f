package hook

// recent is a goroutine's way to the objects that it has accessed, by their keys.
type recent [recentSize]struct {
	key    uint64
	object *object
	cycle  uint32 // collections there had been
}

const (
	recentSize = 256
	// rememberAfter is how many objects a goroutine has looked for when it begins to remember them: most
	// goroutines access few.
	rememberAfter = 64
)

func (r *recent) at(key uint64) *struct {
	key    uint64
	object *object
	cycle  uint32
} {
	return &r[key*0x9e3779b97f4a7c15>>56]
}

// remember notes where an object was found.
func (g *Goroutine) remember(key uint64, o *object) {
	if g.recent == nil {
		if g.misses++; g.misses < rememberAfter || !reducing {
			return
		}
		g.recent = new(recent)
	}
	if o == nil {
		return
	}
	r := g.recent.at(key)
	r.key, r.object, r.cycle = key, o, platformCycle()
}
