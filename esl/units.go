package esl

// UnitName names the units of one label on one object.
type UnitName struct {
	Object int
	Label  string // Stmt.Unit of the UnitBegin
}

// UnitAccesses is a static fact about a program: which kinds of accesses to which
// locations each unit can make.
type UnitAccesses struct {
	kinds map[unitLocation]map[AccessKind]bool
}

type unitLocation struct {
	unit     UnitName
	location int
}

// AccessesOf computes the accesses of all units of a valid program: the accesses
// at statements between a unit's UnitBegin and UnitEnd, and in all functions that
// are called from there, directly or not, as far as control can reach them when
// every call returns. It errs on the side of more: a nested UnitBegin counts as a
// unit of its own, and accesses to unitfor objects count with or without With. It
// takes O(functions x statements) time.
func AccessesOf(p *Program) *UnitAccesses {
	u := &UnitAccesses{map[unitLocation]map[AccessKind]bool{}}
	nestings := make([]nesting, len(p.Functions))
	for i := range p.Functions {
		nestings[i], _, _ = p.Functions[i].nest()
	}
	called := map[UnitName]map[int]bool{}
	for i, f := range p.Functions {
		for j, s := range f.Body {
			if !nestings[i].reached[j] {
				continue
			}
			for _, open := range nestings[i].open[j] {
				unit := UnitName{open.object, open.unit}
				switch s.Op {
				case Access:
					u.add(unit, s)
				case Call:
					if called[unit] == nil {
						called[unit] = map[int]bool{}
					}
					u.addCalled(p, nestings, unit, s.Arg, called[unit])
				}
			}
		}
	}
	return u
}

func (u *UnitAccesses) add(unit UnitName, s Stmt) {
	at := unitLocation{unit, s.Arg}
	if u.kinds[at] == nil {
		u.kinds[at] = map[AccessKind]bool{}
	}
	u.kinds[at][s.Access] = true
}

// addCalled adds the accesses of a function that the unit calls.
func (u *UnitAccesses) addCalled(p *Program, nestings []nesting, unit UnitName, function int, seen map[int]bool) {
	if seen[function] {
		return
	}
	seen[function] = true
	for j, s := range p.Functions[function].Body {
		if !nestings[function].reached[j] {
			continue
		}
		switch s.Op {
		case Access:
			u.add(unit, s)
		case Call:
			u.addCalled(p, nestings, unit, s.Arg, seen)
		}
	}
}

// Can tells whether the unit can make an access of the kind to the location.
func (u *UnitAccesses) Can(unit UnitName, kind AccessKind, location int) bool {
	return u.kinds[unitLocation{unit, location}][kind]
}

// Commute tells whether all accesses that the two units can make to the location
// are increments. They commute, so that they match no event of any pattern.
func (u *UnitAccesses) Commute(a, b UnitName, location int) bool {
	for _, unit := range []UnitName{a, b} {
		for kind := Read; kind < Increment; kind++ {
			if u.Can(unit, kind, location) {
				return false
			}
		}
	}
	return u.Can(a, Increment, location) && u.Can(b, Increment, location)
}
