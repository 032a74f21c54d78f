package automata

import (
	"cmp"
	"slices"
)

// Unit is a unit of work: an activation of the code that is one.
type Unit struct {
	Goroutine uint32
	Data      any // the caller's

	at       []objectKey // where it meets others
	marks    []mark
	pairs    []*pair
	children []uint32 // goroutines started in it, not joined yet
	tokens   uint64   // of reads that may be forgotten
	epoch    uint64   // changes with everything that an event of the unit may extend
	log      []entry  // the events that changed something: any match can be made of them
	writes   bool     // some access is no read
	ended    bool
}

// entry is an event of a unit, or what it forgets just before one.
type entry struct {
	index    uint64
	location Location
	kind     Kind
	token    uint8
	forgets  uint64 // if not 0, it is no event
	ref      Ref
}

// maxLog bounds the log of a unit, so that one that never ends needs no more memory than
// others. A match of an event that the log has no more is reported without its events.
const maxLog = 1 << 14

// recordLate records an event that is not the latest one.
func (u *Unit) recordLate(e entry) {
	i, found := slices.BinarySearchFunc(u.log, e.index, func(e entry, index uint64) int {
		return cmp.Compare(e.index, index)
	})
	for ; found && i < len(u.log) && u.log[i].index == e.index; i++ {
		if u.log[i].forgets == 0 {
			return
		}
	}
	u.log = slices.Insert(u.log, i, e)
}

func (u *Unit) record(e entry) {
	if len(u.log) == maxLog {
		u.log = slices.Delete(u.log, 0, maxLog/2)
	}
	u.log = append(u.log, e)
}

// mark is the accesses of a unit to a location: the summary tuple (u, *, l, *).
type mark struct {
	location Location
	plain    bool // there was an access that is no increment
	stamp    [kinds]uint64
	token    [kinds]uint8
	writes   span
	reads    span    // those that are not forgotten
	passing  []touch // those that may be, by token
}

// span is the indices of the first and the last of some accesses; 0 if there are none.
type span struct {
	first, last uint64
	kind        Kind  // of the last one
	by          uint8 // its token
	ref         Ref
}

// touch is the reads with a token.
type touch struct {
	token uint8
	span
}

// note notes an access; it tells whether it is the first one.
func (s *span) note(a Access) bool {
	isFirst := s.first == 0
	if isFirst {
		s.first = a.Index
	}
	s.last, s.kind, s.by, s.ref = a.Index, a.Kind, a.Token, a.Ref
	return isFirst
}

// mark returns the mark at a location, nil if there is none.
func (u *Unit) mark(l Location) *mark {
	for i := range u.marks {
		if u.marks[i].location == l {
			return &u.marks[i]
		}
	}
	return nil
}

// meets tells whether the two units are paired.
func (u *Unit) meets(v *Unit) bool {
	if len(v.pairs) < len(u.pairs) {
		u, v = v, u
	}
	return slices.ContainsFunc(u.pairs, func(p *pair) bool { return p.other(u) == v })
}

// note notes an access; it tells whether it is the first of its kind and token.
func (m *mark) note(a Access) (isNew bool) {
	if a.Kind != Read {
		isNew = m.writes.note(a)
	}
	switch {
	case a.Kind == Write:
		return isNew
	case a.Token == 0:
		return m.reads.note(a) || isNew
	}
	i := slices.IndexFunc(m.passing, func(t touch) bool { return t.token == a.Token })
	if i < 0 {
		i = len(m.passing)
		m.passing = append(m.passing, touch{token: a.Token})
	}
	return m.passing[i].note(a) || isNew
}

// each calls visit with the accesses of each kind and token.
func (m *mark) each(visit func(kind Kind, token uint8, s span)) {
	if m.reads.first != 0 {
		visit(Read, 0, m.reads)
	}
	if m.writes.first != 0 {
		visit(Write, 0, m.writes)
	}
	for _, t := range m.passing {
		visit(Read, t.token, t.span)
	}
}

// forget drops the reads with the tokens.
func (m *mark) forget(tokens uint64) {
	m.passing = slices.DeleteFunc(m.passing, func(t touch) bool { return tokens&(1<<t.token) != 0 })
}

// recycle keeps a unit that nothing refers to any more for a new one.
func (e *Engine) recycle(u *Unit) {
	if !u.ended || len(u.pairs) > 0 {
		return
	}
	clear(u.log)
	*u = Unit{at: u.at[:0], marks: u.marks[:0], pairs: u.pairs[:0], children: u.children[:0], log: u.log[:0]}
	if cap(u.log) < 1<<12 {
		e.units = append(e.units, u)
	}
}
