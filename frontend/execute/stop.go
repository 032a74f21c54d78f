package execute

import "slices"

// Where goroutines are stopped on their way to units of work that are to meet. A unit may begin under a
// lock, so that the other one cannot come to where it begins before the first one has ended: then
// goroutines are stopped earlier. Or it may wait at its beginning for what the others send: then it is
// stopped behind that. Where to stop them is found out in runs of their own; what happens up to there is
// the same in all runs.

// stop is a scheduling point of a goroutine.
type stop struct {
	goroutine, point, object int // by their numbers
}

// From says where the goroutine of a unit is stopped: 0 at its beginning, n before the last but n - 1 of the
// operations before it at which it may wait, -n behind the n-th such operation, or go statement, in it, if
// it has written nothing before that others can see.
type From int

// StopAt returns the meeting in which the goroutines of the two units are stopped elsewhere. If it is wide,
// a unit is any activation of the function that comes to access the object, also in functions that it
// calls.
func (p *Program) StopAt(mt *Meeting, same SameUnit, from [2]From, wide bool) (*Meeting, error) {
	stopped := *mt
	stopped.wide = wide
	for stopped.stops[0] == nil || stopped.stops[1] == nil {
		c := p.newMeeter(&stopped, same, Together, Schedule{})
		c.locates = &locator{from: from}
		c.m.run()
		p.Executed += p.steps - c.m.steps + c.m.initial
		if c.m.err != nil {
			return nil, c.m.err
		}
		if !c.over {
			return nil, ErrNoMeeting
		}
	}
	return &stopped, nil
}

// locator looks for the place to stop one of the goroutines.
type locator struct {
	from    [2]From
	entered map[*frame]moment // activations that may become units
	unit    *begun            // one that is to be stopped later
}

// moment is how far a goroutine was: how many scheduling points, and operations that may wait, it had
// passed.
type moment struct{ points, waits int }

func (g *goroutine) moment() moment { return moment{len(g.acted), len(g.waits)} }

// begun is a unit that has begun, of a role.
type begun struct {
	role, operations int // how many are left that may wait
	*unit
}

// begins notes that the unit of a role begins.
func (l *locator) begins(c *meeter, i int, u *unit) {
	switch {
	case l.unit != nil:
	case l.from[i] < 0:
		l.unit = &begun{i, -int(l.from[i]), u}
	default:
		l.stopBefore(c, i, u.g, u.object, u.g.moment())
	}
}

// stopBefore stops a goroutine before a moment, as From says.
func (l *locator) stopBefore(c *meeter, i int, g *goroutine, o *object, at moment) {
	point, n := at.points, int(l.from[i])
	if n > at.waits {
		point = 0
	} else if n > 0 {
		point = g.waits[at.waits-n]
	}
	l.stop(c, i, &stop{g.id, point, o.id})
}

// stop ends the run: a place is found.
func (l *locator) stop(c *meeter, i int, at *stop) {
	c.stops[i] = at
	c.over, c.m.over, c.m.ended = true, true, "located"
	panic(killed{})
}

// waits notes an operation at which the goroutine may wait, or that it starts another one: behind it is a
// scheduling point.
func (l *locator) waits(c *meeter, g *goroutine, point int) {
	writes := func(e *Event) bool { return e.kind != Read }
	if l.unit == nil || l.unit.g != g || slices.ContainsFunc(l.unit.events, writes) {
		return
	}
	if l.unit.operations--; l.unit.operations == 0 {
		l.stop(c, l.unit.role, &stop{g.id, point, l.unit.object.id})
	}
}

// stopped returns when a goroutine at a scheduling point may go on, if that is where it is stopped.
func (c *meeter) stopped(g *goroutine, ready func() bool) func() bool {
	if ready != nil {
		g.waits = append(g.waits, len(g.acted))
		if c.locates != nil {
			c.locates.waits(c, g, len(g.acted)+1)
		}
	}
	for i, s := range c.stops {
		if s == nil || c.roles[i] != nil || s.goroutine != g.id || s.point != len(g.acted) {
			continue
		}
		r := &role{g: g, object: s.object}
		c.findUnit(i, r)
		c.comes(i, r)
		return func() bool { return c.met() && (ready == nil || ready()) }
	}
	return ready
}

// findUnit looks for the unit of a role among the activations that have begun.
func (c *meeter) findUnit(i int, r *role) {
	for fr := r.g.top; fr != nil; fr = fr.caller {
		if c.wide {
			if c.same(fr.fn.ssa.String(), c.Units[i]) {
				r.is(nil, fr)
			}
			continue
		}
		units := append([]*unit(nil), fr.opened...)
		for _, u := range fr.direct {
			units = append(units, u)
		}
		for _, u := range units {
			if u.object.id == r.object && u.end == 0 && c.same(u.name, c.Units[i]) {
				r.is(u, fr)
			}
		}
	}
}

// enters notes an activation that may be a unit.
func (c *meeter) enters(fr *frame) {
	if !c.wide {
		return
	}
	for i, r := range c.roles {
		if r != nil && r.g == fr.g && r.frame == nil && c.same(fr.fn.ssa.String(), c.Units[i]) {
			r.is(nil, fr)
		}
	}
	if c.locates != nil {
		if c.locates.entered == nil {
			c.locates.entered = map[*frame]moment{}
		}
		c.locates.entered[fr] = fr.g.moment()
	}
}

// accesses notes that a goroutine comes to access an object: its activations of the function are units.
func (c *meeter) accesses(g *goroutine, o *object) {
	if !c.wide || c.locates == nil {
		return
	}
	for i := range c.roles {
		other := c.roles[1-i]
		if c.locates.from[i] < 0 { // it is stopped in a unit that has begun, see begins
			continue
		}
		if c.roles[i] != nil || c.stops[i] != nil || other != nil && (other.g == g || other.object != o.id) {
			continue
		}
		var outermost *frame
		for fr := g.top; fr != nil; fr = fr.caller {
			if c.same(fr.fn.ssa.String(), c.Units[i]) {
				outermost = fr
			}
		}
		at, ok := c.locates.entered[outermost]
		if outermost == nil || !ok {
			continue
		}
		delete(c.locates.entered, outermost) // once
		if c.passed[i] < c.Skip[i] {
			c.passed[i]++
			return
		}
		c.locates.stopBefore(c, i, g, o, at)
	}
}
