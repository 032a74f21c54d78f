package automata

// A unit that has ended before another one has come into conflict with it can only be the middle of a match: some event
// of the other one, then both of its own, then an event of the other one. So the match is found at that last event, in
// what is known of the locations of each of the two, and they need not be paired.

// matchEnded matches an event of a unit, as one of a kind, with what one has done that has ended, and that it is not
// paired with. It does nothing and returns false if a location of both may be a counter: then it matters what is done
// to that later.
func (e *Engine) matchEnded(u, ended *Unit, a Access, as Kind) bool {
	last := ended.mark(a.Location)
	if u.mayCount(ended, a) {
		return false
	}
	if e.Apart != nil && e.Apart(u, ended, a.Location) {
		return true
	}
	for i := range u.marks {
		m := &u.marks[i]
		n := ended.markOf(m.location)
		if n == nil || e.Apart != nil && e.Apart(u, ended, m.location) {
			continue
		}
		if ends := e.table.around(m, n, last, as, ended.begun); ends != 0 {
			e.report(u, ended, m.location, a.Location, ends, a)
		}
	}
	return true
}

// middles is which patterns are matched by an event of the first unit, by kind, then one of the second unit at that
// location and one at another one, by their kinds, then an event of the first unit at that one, by kind.
type middles struct {
	single [2][2][kinds]state       // there is one location
	double [2][2][2][2][kinds]state // the first index: whether the other location is the first one of the second unit
}

// findMiddles fills in what is asked for where a unit has ended.
func (t *table) findMiddles() {
	for before := Read; before <= Write; before++ {
		for one := Read; one <= Write; one++ {
			begun := t.start[before]
			here := t.step(begun, second, 0, one)
			for after := range kinds {
				t.middles.single[before][one][after] = t.step(here, first, 0, after) & t.ends
				for other := Read; other <= Write; other++ {
					there := t.step(here, second, 1, other)
					t.middles.double[0][before][one][other][after] = t.step(there, first, 1, after) & t.ends
					there = t.step(t.step(begun, second, 1, other), second, 0, one)
					t.middles.double[1][before][one][other][after] = t.step(there, first, 1, after) & t.ends
				}
			}
		}
	}
}

// around returns the patterns that are matched by an event of the first unit at a location before the second one began,
// what that has done there and at another location, which may be the same, and an event of the first one at that.
func (t *table) around(m, one, other *mark, after Kind, begun uint64) (matched state) {
	for before := Read; before <= Write; before++ {
		if first, last := m.extent(before); last == 0 || first >= begun {
			continue
		}
		for kind := Read; kind <= Write; kind++ {
			oneFirst, oneLast := one.extent(kind)
			if oneLast == 0 {
				continue
			}
			if one == other {
				matched |= t.middles.single[before][kind][after]
				continue
			}
			for otherKind := Read; otherKind <= Write; otherKind++ {
				otherFirst, otherLast := other.extent(otherKind)
				if oneFirst < otherLast {
					matched |= t.middles.double[0][before][kind][otherKind][after]
				}
				if otherFirst < oneLast && otherLast != 0 {
					matched |= t.middles.double[1][before][kind][otherKind][after]
				}
			}
		}
	}
	return matched
}

// extent returns the indices of the first and the last access, as a read or as a write, that is not forgotten; the last
// one is 0 if there is none.
func (m *mark) extent(kind Kind) (first, last uint64) {
	if kind == Write {
		return m.writes.first, m.writes.last
	}
	first, last = m.reads.first, m.reads.last
	for i := range m.passing {
		t := &m.passing[i]
		if first == 0 || t.first < first {
			first = t.first
		}
		last = max(last, t.last)
	}
	return first, last
}

// mayCount tells whether two units, of which one makes an access, have done nothing but increments to some location.
func (u *Unit) mayCount(ended *Unit, a Access) bool {
	for i := range ended.marks {
		n := &ended.marks[i]
		if n.plain || n.location == a.Location && a.Kind != Increment {
			continue
		}
		if m := u.markOf(n.location); m != nil && !m.plain {
			return true
		}
	}
	return false
}

// markOf is mark, for locations that the unit may well not have accessed.
func (u *Unit) markOf(l Location) *mark {
	if u.accessed&l.bit() == 0 {
		return nil
	}
	return u.mark(l)
}
