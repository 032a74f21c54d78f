package automata

import (
	"slices"
)

// # When units are paired
//
// A pattern is no order of whole units: its events are at least three blocks of one unit and then the other, and the
// first block is one event. Where the third block begins, at a location l, the other unit has accessed l in its block,
// and one of the two accesses is no read. So two units are paired when one of them accesses an object that the other
// one has accessed after the first event of the first one, and one of them has written something. Until then, of
// each pattern at most two blocks have been matched: an event of one unit, and at most an event of the other one, or
// what this one has done since it began, if it did so later.
//
// So a unit that begins and ends between two events of another one is paired with it when that one goes on. Till then
// it is kept with the objects that it has accessed. Of those that have done the same in such a gap one is kept, the
// one that began last: any gap that has another one in it has that, too. A unit that was paired with one that did the
// same, in an earlier gap, and has done nothing new since, would match nothing else. Thus a unit that waits costs
// nothing, and is paired with one unit for each different thing that was done meanwhile, not with each that did it.

// group is the units that have accessed an object: those that are alive, and those that have ended and were not paired
// yet with some that are alive.
type group struct {
	oldest, latest *place  // by their latest access to the object
	ended          []*Unit // by their latest event
}

// place is a unit at an object.
type place struct {
	key            objectKey
	group          *group
	unit           *Unit
	before, behind *place // in the order of the group
	last           uint64 // its latest access; 0 before the first one
	from           uint64 // those with an access after that were not looked at yet
}

// joined is a goroutine that a unit has waited for, up to an event.
type joined struct {
	goroutine uint32
	until     uint64
}

// placeOf returns the place of a unit at an object.
func (e *Engine) placeOf(u *Unit, key objectKey) *place {
	if i := slices.IndexFunc(u.at, func(p *place) bool { return p.key == key }); i >= 0 {
		return u.at[i]
	}
	g := e.objects[key]
	if g == nil {
		g = &group{}
		e.objects[key] = g
	}
	var p *place
	if n := len(e.places); n > 0 {
		p, e.places = e.places[n-1], e.places[:n-1]
	} else {
		p = &place{}
	}
	*p = place{key: key, group: g, unit: u, from: u.begun}
	e.meetAgain(u, key)
	u.at = append(u.at, p)
	return p
}

// meetAgain pairs a unit, before its first event at an object, with those that have ended, were there, and have come in
// between its events elsewhere.
func (e *Engine) meetAgain(u *Unit, key objectKey) {
	search := e.search(u)
	for _, at := range u.at {
		ended := at.group.ended
		for i := len(ended) - 1; i >= 0 && ended[i].latest > at.from; i-- {
			if v := ended[i]; v.wasAt(key) && search.isNew(v) && !slices.Contains(v.met, u.serial) {
				v.searched = search.number
				e.pairEnded(u, v)
			}
		}
	}
}

// wasAt tells whether a unit has accessed an object.
func (u *Unit) wasAt(key objectKey) bool {
	return slices.ContainsFunc(u.marks, func(m mark) bool {
		return m.location.Object == key.object && m.location.Set == key.set
	})
}

// put makes a place the latest one of the group.
func (g *group) put(p *place) {
	p.before, p.behind = g.latest, nil
	if g.latest != nil {
		g.latest.behind = p
	} else {
		g.oldest = p
	}
	g.latest = p
}

// remove removes a place from the group.
func (g *group) remove(p *place) {
	if p.before != nil {
		p.before.behind = p.behind
	} else {
		g.oldest = p.behind
	}
	if p.behind != nil {
		p.behind.before = p.before
	} else {
		g.latest = p.before
	}
}

// meet pairs a unit, before an event, with those that have come in between its events at the object.
func (e *Engine) meet(u *Unit, at *place, a Access) {
	hasWritten := u.writes
	if a.Kind != Read && !u.writes {
		u.writes = true // from now on more matters of those that were looked at
		for _, p := range u.at {
			p.from = u.begun
		}
	}
	g := at.group
	search := e.search(u)
	for p := g.latest; p != nil && p.last > at.from; p = p.before {
		if v := p.unit; (u.writes || v.writes) && search.isNew(v) {
			e.tryPair(u, v)
		}
	}
	for i := len(g.ended) - 1; i >= 0 && g.ended[i].latest > at.from; i-- {
		if v := g.ended[i]; (hasWritten || v.writes) && search.isNew(v) && !slices.Contains(v.met, u.serial) {
			e.pairEnded(u, v)
		}
	}
	if g.latest != at {
		if at.last != 0 {
			g.remove(at)
		}
		g.put(at)
	}
	at.last, at.from, u.latest = a.Index, a.Index, a.Index
}

// search finds units that a unit is not paired with.
type search struct {
	engine *Engine
	unit   *Unit
	number uint64 // 0: not begun
}

func (e *Engine) search(u *Unit) search { return search{e, u, 0} }

// isNew tells whether the unit is to be paired with another one: it was not, and the other one is not part of its work.
func (s *search) isNew(v *Unit) bool {
	u := s.unit
	if v.Goroutine == u.Goroutine {
		return false
	}
	if s.number == 0 {
		s.engine.searches++
		s.number = s.engine.searches
		for _, p := range u.pairs {
			p.other(u).searched = s.number
		}
	}
	return v.searched != s.number && !u.hasJoined(v) && !v.hasJoined(u)
}

// hasJoined tells whether what v did is part of the work of u.
func (u *Unit) hasJoined(v *Unit) bool {
	return slices.ContainsFunc(u.joined, func(j joined) bool { return j.goroutine == v.Goroutine && v.begun <= j.until })
}

// tryPair pairs two units, unless there are too many pairs.
func (e *Engine) tryPair(u, v *Unit) *pair {
	if e.live == maxPairs {
		e.stats.Unpaired++
		return nil
	}
	return e.pair(u, v)
}

// pairEnded pairs a unit with one that has ended, unless no match can come of that: none does if the unit has done
// nothing new since it was paired with one that did the same.
func (e *Engine) pairEnded(u, ended *Unit) {
	if u.knownAt != u.news || len(u.known) == maxKept {
		u.known, u.knownAt = u.known[:0], u.news
	}
	if u.latest < ended.begun {
		if slices.Contains(u.known, ended.did) {
			return
		}
		u.known = append(u.known, ended.did)
	}
	ended.met = append(ended.met, u.serial)
	if p := e.tryPair(u, ended); p != nil && !e.isUseful(p, ended) {
		e.drop(p)
	}
}

// meetAll pairs a unit with all that are alive where it is.
func (e *Engine) meetAll(u *Unit) {
	search := e.search(u)
	for _, at := range u.at {
		for p := at.group.latest; p != nil; p = p.before {
			if search.isNew(p.unit) {
				p.unit.searched = search.number
				e.tryPair(u, p.unit)
			}
		}
	}
}

// leave takes a unit that has ended out of its groups. It is kept in those that are left if there is an object that
// another one has not accessed since the unit began: at that one the first of the two conflicts of a pattern may be.
func (e *Engine) leave(u *Unit) {
	isInGap := false
	for _, at := range u.at {
		g := at.group
		g.remove(at)
		if g.oldest == nil {
			for _, v := range g.ended {
				e.release(v)
			}
			delete(e.objects, at.key)
		} else if g.oldest.last < u.begun {
			isInGap = true
		}
	}
	for _, at := range u.at {
		if isInGap && !u.cut && at.group.oldest != nil {
			e.keep(at.group, u)
		}
	}
	if u.kept > 0 {
		for _, p := range u.pairs {
			u.met = append(u.met, p.other(u).serial)
		}
	}
	e.places = append(e.places, u.at...)
}

// maxKept bounds the units of a group that have ended: beyond, the oldest is paired with all that are alive.
const maxKept = 64

// keep keeps a unit that has ended, unless one that did the same and began later is kept.
func (e *Engine) keep(g *group, u *Unit) {
	if u.did == 0 {
		u.did = e.deeds.number(e, u)
	}
	for i, v := range g.ended {
		if v.did != u.did {
			continue
		}
		if v.begun >= u.begun {
			return
		}
		g.ended = slices.Delete(g.ended, i, i+1)
		e.release(v)
		break
	}
	if len(g.ended) == maxKept {
		e.pairOldest(g)
	}
	i := len(g.ended)
	for i > 0 && g.ended[i-1].latest > u.latest {
		i--
	}
	g.ended = slices.Insert(g.ended, i, u)
	u.kept++
}

// pairOldest pairs the first of the units that have ended with those that are alive and have made no event since.
func (e *Engine) pairOldest(g *group) {
	v := g.ended[0]
	for p := g.oldest; p != nil && p.last < v.begun; p = p.behind {
		u := p.unit
		search := e.search(u)
		if (u.writes || v.writes) && search.isNew(v) && !slices.Contains(v.met, u.serial) {
			e.pairEnded(u, v)
		}
	}
	g.ended = slices.Delete(g.ended, 0, 1)
	e.release(v)
}

// release says that one group less keeps a unit.
func (e *Engine) release(u *Unit) {
	u.kept--
	e.recycle(u)
}

// since returns what a unit has recorded from an event on.
func (u *Unit) since(index uint64) []entry {
	i := len(u.log)
	for i > 0 && u.log[i-1].index >= index {
		i--
	}
	return u.log[i:]
}
