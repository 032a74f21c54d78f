package automata

import (
	"slices"
)

// # When units are paired
//
// A pattern is no order of whole units: its events are at least three blocks of one unit and then the other, and the
// first block is one event. At each of its locations an access of each unit conflicts with one of the other: one of the
// two is no read. Where the third block begins, at a location l, the other unit has accessed l in its block, and so in
// conflict. So two units are paired when one of them accesses a location at which the other one has made a conflicting
// access after the first event of the first one. Until then, of each pattern at most two blocks have been matched: an
// event of one unit, and at most an event of the other one, or what this one has done since it began, if it did so
// later. For the second block has a conflict with the first one: if that is later than the beginning of the second
// unit, the two are paired there at the latest, and that is the first or the second event of the block.
//
// So a unit that begins and ends between two events of another one is looked at when that one goes on where they are in
// conflict, see ended.go. Till then it is kept with the objects that it has accessed, if there is a unit that began
// before it and is in conflict with it. Of those that have done the same one is kept, the one that began last: what the
// first block of a match with another one was is before that one, too, or the two were paired when that one came to it.
// Thus a unit that waits costs nothing, and is held against one unit for each different thing that was done meanwhile,
// not against each that did it.

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
	*p = place{key: key, group: g, unit: u}
	u.at = append(u.at, p)
	return p
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

// meet pairs a unit, before an event, with those that have made a conflicting access to the location since it began.
func (e *Engine) meet(u *Unit, m *mark, a Access) {
	at, search, looked := m.place, e.search(u), m.looked
	m.looked.note(a)
	from := max(looked.since(a.Kind), u.begun)
	for p := at.group.latest; p != nil && p.last > from; p = p.before {
		if v := p.unit; v.conflicts(a, u.begun) && search.isNew(v) {
			e.tryPair(u, v)
		}
	}
	e.meetEnded(&search, at.group, a, from, looked)
	if looked.since(a.Kind) == 0 { // some have ended before the unit came to the object, and are kept elsewhere
		for _, other := range u.at {
			if other != at {
				e.meetEnded(&search, other.group, a, from, looked)
			}
		}
	}
	if g := at.group; g.latest != at {
		if at.last != 0 {
			g.remove(at)
		}
		g.put(at)
	}
	at.last, u.latest = a.Index, a.Index
}

// meetEnded is meet for the units of a group that have ended, and had an event after one.
func (e *Engine) meetEnded(search *search, g *group, a Access, from uint64, looked looks) {
	u := search.unit
	for i := len(g.ended) - 1; i >= 0 && g.ended[i].latest > from; i-- {
		v := g.ended[i]
		if v.conflicts(a, u.begun) && search.isNew(v) && !slices.Contains(v.met, u.serial) {
			v.searched = search.number
			if !e.matchEnded(u, v, a, looked.kind(a.Kind, v.latest)) {
				e.pairEnded(u, v)
			}
		}
	}
}

// looks is when those were last looked for that an access to a location, as a read and as a write, is in conflict with.
type looks [2]uint64

// since returns since when they were not, for an access of a kind.
func (l looks) since(kind Kind) uint64 {
	switch kind {
	case Read:
		return l[Read]
	case Write:
		return l[Write]
	}
	return min(l[Read], l[Write])
}

// kind returns what an access of a kind is for one whose latest event was at an index: it is not looked at twice.
func (l looks) kind(kind Kind, latest uint64) Kind {
	switch {
	case kind <= Write:
		return kind
	case l[Read] > latest:
		return Write
	case l[Write] > latest:
		return Read
	}
	return kind
}

// note notes that they are looked for.
func (l *looks) note(a Access) {
	if a.Kind != Write {
		l[Read] = a.Index
	}
	if a.Kind != Read {
		l[Write] = a.Index
	}
}

// conflicts tells whether a unit has made an access to the location of an access of another one, in conflict with it,
// after an event.
func (u *Unit) conflicts(a Access, since uint64) bool {
	isRead := a.Kind == Read
	if isRead && u.written&a.Location.bit() == 0 {
		return false
	}
	m := u.markOf(a.Location)
	return m != nil && (m.writes.last > since || !isRead && (m.reads.last > since ||
		slices.ContainsFunc(m.passing, func(t touch) bool { return t.last > since })))
}

// mayConflict tells whether two units may have made conflicting accesses to a location.
func (u *Unit) mayConflict(v *Unit) bool {
	return u.accessed&v.written|u.written&v.accessed != 0
}

// bit stands for a location in a summary of many.
func (l Location) bit() uint64 {
	return 1 << ((l.Object*0x9e3779b1 ^ uint32(l.Field)*0x85ebca6b ^ uint32(l.Set)*0xc2b2ae35) >> 26)
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
	if slices.Contains(u.known, ended.did) {
		return
	}
	if u.newAt < ended.begun {
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

// leave takes a unit that has ended out of its groups. It is kept in those that are left if it may be matched with a
// unit of one of them that it is not paired with.
func (e *Engine) leave(u *Unit) {
	search, isInGap := e.search(u), false
	for _, at := range u.at {
		g := at.group
		g.remove(at)
		if g.oldest == nil {
			for _, v := range g.ended {
				e.release(v)
			}
			delete(e.objects, at.key)
		} else {
			isInGap = isInGap || u.isAwaitedIn(g, &search)
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

// maxAwaited is how many units of a group are looked at to know that one that has ended need not be kept.
const maxAwaited = 64

// isAwaitedIn tells whether a unit may be matched, once it has ended, with another one that is alive and that it is not
// paired with: the first event of that one was before, else the conflict with it has paired them.
func (u *Unit) isAwaitedIn(g *group, search *search) bool {
	n := 0
	for p := g.oldest; p != nil; p = p.behind {
		if n++; n > maxAwaited || p.unit.begun < u.begun && u.mayConflict(p.unit) && search.isNew(p.unit) {
			return true
		}
	}
	return false
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

// pairOldest pairs the first of the units that have ended with those that are alive and that it may be matched with.
func (e *Engine) pairOldest(g *group) {
	v := g.ended[0]
	for p := g.oldest; p != nil; p = p.behind {
		u := p.unit
		search := e.search(u)
		if u.begun < v.begun && u.mayConflict(v) && search.isNew(v) && !slices.Contains(v.met, u.serial) {
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
