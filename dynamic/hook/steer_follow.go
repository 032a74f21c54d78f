package hook

// follow leads the run along the events of a counterexample. A role is bound to the first
// goroutine that comes to the role's first event in the right unit, and a location to the
// object that is accessed there. The goroutine that has the next event runs as far as it can;
// one that stands before a later event is held there; the others run where the first cannot
// go on. When the unit of a bound goroutine ends before its last event, the run goes back to
// the first event: what the program does next may fit.
type follow struct {
	random
	script  *script
	next    int // event
	most    int // events that have happened, in the best attempt
	bound   [2]*worker
	unit    [2]uint64 // the serial of the frame
	objects map[int]uint32
	skip    [2]int
	seen    [2]int // how many times the role's first event could have been the next one
}

func newFollow(script *script, r random) *follow {
	return &follow{random: r, script: script, objects: map[int]uint32{}, skip: [2]int{script.roles[0].skip, script.roles[1].skip}}
}

// The classes of goroutines, the best first.
const (
	hasNext    = iota // stands before the next event
	isBound           // will come to the next event
	couldBe           // could be the one that will
	isOther           // has nothing to do with it
	couldOther        // could be the one of the other unit
	isOtherOne        // is the one of the other unit
	isHeld            // stands before a later event
)

func (p *follow) choose(enabled []*worker) *worker {
	enabled = p.awake(enabled)
	if p.isSkipping() {
		return p.picked(p.mixed(enabled, p.script.mix))
	}
	if p.script.noise > 0 && p.source.IntN(1000) < p.script.noise {
		return p.picked(enabled[p.source.IntN(len(enabled))])
	}
	best, bestClass := p.best(enabled)
	if bestClass >= isOtherOne && p.s.isPatient() {
		return nil
	}
	return p.picked(best)
}

// best returns the best of those who can go on, and its class.
func (p *follow) best(enabled []*worker) (*worker, int) {
	best, bestClass := enabled[0], isHeld+1
	for _, w := range enabled {
		class := p.class(w)
		if class < bestClass || class == bestClass && p.isBefore(w, best) {
			best, bestClass = w, class
		}
	}
	return best, bestClass
}

// isSkipping tells whether nobody has a role yet, and everybody is to do something before.
func (p *follow) isSkipping() bool {
	if p.next == len(p.script.events) {
		return false
	}
	wanted := p.script.events[p.next].role
	return p.bound[wanted] == nil && p.bound[1-wanted] == nil && (p.skip[wanted] > 0 || p.script.mix > 0)
}

// isBefore decides between workers of one class.
func (p *follow) isBefore(a, b *worker) bool {
	if b == p.s.holder {
		return false
	}
	return a == p.s.holder || a.priority < b.priority
}

// class tells how much it would help if the worker went on.
func (p *follow) class(w *worker) int {
	if p.next == len(p.script.events) {
		return isOther
	}
	wanted := p.script.events[p.next].role
	if p.matches(w, p.next) {
		if p.bound[wanted] != nil || p.skip[wanted] == 0 {
			return hasNext
		}
		return couldBe
	}
	for role := range p.bound {
		if j := p.nextOf(role); j > p.next && p.matches(w, j) {
			return isHeld
		}
	}
	switch {
	case w.role == wanted:
		return isBound
	case w.role != noRole:
		return isOtherOne
	case p.bound[wanted] == nil && p.fits(w, wanted):
		return couldBe
	case p.bound[1-wanted] == nil && p.fits(w, 1-wanted):
		return couldOther
	}
	return isOther
}

// nextOf returns the role's next event.
func (p *follow) nextOf(role int) int {
	for j := p.next; j < len(p.script.events); j++ {
		if p.script.events[j].role == role {
			return j
		}
	}
	return -1
}

// fits tells whether the worker could have the role, by where it was started.
func (p *follow) fits(w *worker, role int) bool {
	r := &p.script.roles[role]
	isMain := w.gid == mainGoroutine
	if p.script.lenient || w.origin == 0 && !isMain {
		return true
	}
	if isMain {
		return r.main
	}
	return !r.main && len(r.origins) == 0 || r.origins[w.origin]
}

// matches tells whether the worker stands before event j.
func (p *follow) matches(w *worker, j int) bool {
	e := &p.script.events[j]
	if !e.sites[w.at.site] {
		return false
	}
	if o := p.objects[e.location]; o != 0 && o != w.at.object {
		return false
	}
	if b := p.bound[e.role]; b != nil {
		return b == w
	}
	return w.role == noRole && p.fits(w, e.role) && (p.script.lenient || p.frameOf(w, e.role) != 0)
}

// frameOf returns the serial of the worker's frame that is the unit of the role, 0 if
// there is none.
func (p *follow) frameOf(w *worker, role int) uint64 {
	units := p.script.roles[role].units
	for _, f := range w.frames {
		if len(units) == 0 || units[f.site] {
			return f.serial
		}
	}
	if p.script.lenient && len(w.frames) > 0 {
		return w.frames[0].serial
	}
	return 0
}

func (p *follow) passes(w *worker) {
	if p.next == len(p.script.events) || !p.matches(w, p.next) {
		return
	}
	e := &p.script.events[p.next]
	if p.bound[e.role] == nil {
		p.seen[e.role]++
		if p.skip[e.role] > 0 {
			p.skip[e.role]--
			return
		}
		p.bound[e.role], p.unit[e.role] = w, p.frameOf(w, e.role)
		w.role = e.role
	}
	if w.at.object != 0 {
		p.objects[e.location] = w.at.object
	}
	if p.next++; p.next > p.most {
		p.most = p.next
		p.s.log.event(p.most)
	}
}

func (p *follow) isDone() bool { return p.next == len(p.script.events) }

func (p *follow) closed(w *worker) {
	if w.role == noRole || p.next == len(p.script.events) || p.nextOf(w.role) < 0 || p.unit[w.role] == 0 {
		return
	}
	for _, f := range w.frames {
		if f.serial == p.unit[w.role] {
			return
		}
	}
	p.s.log.left(p.next)
	p.next = 0
	clear(p.objects)
	for role, b := range p.bound {
		if b != nil {
			b.role = noRole
		}
		p.bound[role] = nil
	}
}
