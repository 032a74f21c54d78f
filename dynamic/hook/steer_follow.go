package hook

import "slices"

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
	stander *worker // who is kept for the role that is not wanted first
	seen    [2]int  // how many times the role's first event could have been the next one
}

func newFollow(script *script, r random) *follow {
	r.naps = fewNaps
	return &follow{random: r, script: script, objects: map[int]uint32{},
		skip: [2]int{script.roles[0].skip, script.roles[1].skip}}
}

// The classes of goroutines, the best first.
const (
	isComing   = iota // is to come to an event of its own before the next one happens
	hasNext           // stands before the next event
	isBound           // will come to the next event
	couldBe           // could be the one that will
	isOther           // has nothing to do with it
	isNapping         // one of these three that sleeps or yields
	couldOther        // could be the one of the other unit
	isOtherOne        // is the one of the other unit
	isHeld            // stands before a later event
	isLate            // is a timer that would better go off when nothing else can happen
)

func (p *follow) choose(enabled []*worker) *worker {
	enabled = p.awake(enabled)
	p.stander = p.standing(enabled)
	if p.isSkipping() {
		if len(enabled) > 1 {
			enabled = slices.DeleteFunc(enabled, func(w *worker) bool { return w == p.stander })
		}
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
	best, bestClass := enabled[0], isLate+1
	for _, w := range enabled {
		class := p.class(w)
		if class < bestClass || class == bestClass && p.isBefore(w, best) {
			best, bestClass = w, class
		}
	}
	return best, bestClass
}

// standing returns a worker that is kept for the role that is not wanted first: one that
// stands before its first event, or that has not begun yet. It is nil if there is none.
func (p *follow) standing(enabled []*worker) *worker {
	if p.next != 0 || p.isPreparing() || !p.script.forward && !p.script.reserve {
		return nil
	}
	role := 1 - p.script.events[0].role
	j := p.nextOf(role)
	for _, w := range enabled {
		if w.skipped != 0 {
			continue
		}
		if p.script.forward && j >= 0 && (p.matches(w, j) || p.approaches(w, j)) ||
			p.script.reserve && w.at.op == startPoint && !w.isTimer && p.fits(w, role) {
			return w
		}
	}
	return nil
}

// isPreparing tells whether somebody is to have the first event of the other unit, and to
// end that unit, before all: what the first unit does may depend on that.
func (p *follow) isPreparing() bool {
	return p.next == 0 && p.script.forward && p.script.late && p.skip[1-p.script.events[0].role] > 0 &&
		p.nextOf(1-p.script.events[0].role) >= 0
}

// isSkipping tells whether nobody has a role yet, and everybody is to do something before.
func (p *follow) isSkipping() bool {
	if p.next == len(p.script.events) {
		return false
	}
	wanted := p.script.events[p.next].role
	return p.bound[wanted] == nil && p.bound[1-wanted] == nil && (p.skip[wanted] > 0 && !p.script.late || p.script.mix > 0)
}

// class tells how much it would help if the worker went on.
func (p *follow) class(w *worker) int {
	if p.next == len(p.script.events) {
		return isOther
	}
	if w == p.stander {
		return isHeld
	}
	wanted := p.script.events[p.next].role
	switch {
	case w.rests && w.isIn(w.skipped), w.skipped == 0 && w.at.op != pausePoint && p.isPreparing() && p.fits(w, 1-wanted):
		return isComing
	case w.rests:
		return isOtherOne
	}
	isEarly := p.script.forward && p.next == 0 && p.stander == nil // nobody is there for the other unit
	if p.matches(w, p.next) && !isEarly {
		if p.bound[wanted] != nil || p.skip[wanted] == 0 {
			return hasNext
		}
		return couldBe
	}
	for role := range p.bound {
		if j := p.nextOf(role); j > p.next && (p.matches(w, j) || p.approaches(w, j) && !p.approaches(w, p.next)) {
			return isHeld
		}
	}
	class := p.classByRole(w, wanted, isEarly)
	isTimer := w.isTimer && w.at.op == startPoint && class == isOther
	switch {
	case isTimer && !p.script.eager:
		return isLate
	case isTimer, w.at.op == pausePoint && class > hasNext && class <= isOther:
		return isNapping
	}
	return class
}

// classByRole is class for a worker that stands before no event: it goes by the role that the worker
// has or could have.
func (p *follow) classByRole(w *worker, wanted int, isEarly bool) int {
	switch {
	case w.role == wanted:
		return isBound
	case w.role != noRole:
		if p.script.late && p.nextOf(w.role) >= 0 {
			return isComing
		}
		return isOtherOne
	case w.skipped != 0:
		return isOtherOne
	case isEarly && w.at.op != pausePoint && p.fits(w, 1-wanted):
		return isComing
	case p.bound[wanted] == nil && p.fits(w, wanted):
		if isEarly {
			return couldOther
		}
		return couldBe
	case p.bound[1-wanted] == nil && p.fits(w, 1-wanted):
		return couldOther
	}
	return isOther
}

// fewNaps is how many times a worker may sleep or yield and then does what it would do anyway;
// one that does so more often may be waiting for another one in a loop.
const fewNaps = 3

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
	return p.mayHave(w, e.role)
}

// approaches tells whether the worker is about to take the lock under which it would have event
// j. One that waits there for its turn keeps nobody else out; but somebody else may give the
// lock back, so that is not how all runs are led.
func (p *follow) approaches(w *worker, j int) bool {
	e := &p.script.events[j]
	return p.script.late && e.locks[w.at.site] && p.mayHave(w, e.role)
}

// mayHave tells whether the worker has the role, or is in a unit with which it could get it.
func (p *follow) mayHave(w *worker, role int) bool {
	if b := p.bound[role]; b != nil {
		return b == w
	}
	return w.role == noRole && p.fits(w, role) && (p.script.lenient || p.frameOf(w, role) != 0)
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
	if p.isPreparing() {
		role := 1 - p.script.events[0].role
		if w.skipped == 0 && p.matches(w, p.nextOf(role)) {
			p.skip[role]--
			w.skipped, w.rests = p.frameOf(w, role), true
			return
		}
	}
	if p.next == len(p.script.events) || !p.matches(w, p.next) {
		return
	}
	e := &p.script.events[p.next]
	if p.bound[e.role] == nil {
		p.seen[e.role]++
		if p.skip[e.role] > 0 {
			p.skip[e.role]--
			if p.script.late {
				w.skipped = p.frameOf(w, e.role)
			}
			return
		}
		p.bound[e.role], p.unit[e.role] = w, p.frameOf(w, e.role)
		w.role = e.role
	}
	if w.at.object != 0 {
		p.objects[e.location] = w.at.object
	}
	w.naps = 0
	if p.next++; p.next > p.most {
		p.most = p.next
		p.s.log.event(p.most)
	}
}

func (p *follow) isDone() bool { return p.next == len(p.script.events) }

func (p *follow) closed(w *worker) {
	if !w.rests && !w.isIn(w.skipped) {
		w.skipped = 0
	}
	if w.role == noRole || p.next == len(p.script.events) || p.nextOf(w.role) < 0 || p.unit[w.role] == 0 ||
		w.isIn(p.unit[w.role]) {
		return
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
