package automata

import (
	"cmp"
	"slices"
)

// Unit is a unit of work: an activation of the code that is one.
type Unit struct {
	Goroutine uint32
	Data      any // the caller's

	serial   uint64   // no other unit has the same
	code     uint32   // see Engine.Code
	hasCode  bool     // it was asked for
	begun    uint64   // the index of its first event
	latest   uint64   // that of its latest one
	at       []*place // where it meets others
	marks    []mark
	pairs    []*pair
	children []uint32 // goroutines started in it, not joined yet
	joined   []joined // those that were
	tokens   uint64   // of reads that may be forgotten
	epoch    uint64   // changes with everything that an event of the unit may extend
	news     uint64   // changes with each event that is not like an earlier one
	newAt    uint64   // the index of the latest of these
	log      []entry  // the events that changed something: any match can be made of them
	cut      bool     // some of them are not in it any more
	accessed uint64   // the locations of its events, see bit
	written  uint64   // of those that are no reads
	ended    bool
	kept     int      // in how many groups it is one that has ended
	did      uint64   // then: the number of what it did
	met      []uint64 // then: the serials of units that it was paired with
	known    []uint64 // what those did that it was paired with in its gaps, as long as nothing is new to it
	knownAt  uint64
	searched uint64 // see search
}

// entry is an event of a unit, or what it forgets just before one.
type entry struct {
	index    uint64
	location Location
	kind     Kind
	token    uint8
	act      bool   // it is one of those by which units are compared, see deeds
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

// recordLast records the last event of each kind at each location, if it is not before an event.
func (u *Unit) recordLast(from uint64) {
	for i := range u.marks {
		m := &u.marks[i]
		m.each(func(_ Kind, _ uint8, s span) {
			if s.last >= from {
				u.recordLate(entry{s.last, m.location, s.kind, s.by, false, 0, s.ref})
			}
		})
	}
}

// record records an event.
func (e *Engine) record(u *Unit, of entry) {
	if len(u.log) == maxLog {
		e.meetAll(u)
		u.log, u.cut = slices.Delete(u.log, 0, maxLog/2), true
	}
	u.log = append(u.log, of)
}

// mark is the accesses of a unit to a location: the summary tuple (u, *, l, *).
type mark struct {
	location Location
	place    *place // while the unit is alive
	looked   looks
	plain    bool // there was an access that is no increment
	stamp    [kinds]uint64
	act      [kinds]uint64 // what was new to the unit when such an event was recorded
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

// codeOf returns the number of what a unit does, 0 if nobody numbers that.
func (e *Engine) codeOf(u *Unit) uint32 {
	if !u.hasCode && e.Code != nil {
		u.code, u.hasCode = e.Code(u), true
	}
	return u.code
}

// recycle keeps a unit that nothing refers to any more for a new one.
func (e *Engine) recycle(u *Unit) {
	if !u.ended || len(u.pairs) > 0 || u.kept > 0 {
		return
	}
	clear(u.log)
	*u = Unit{at: u.at[:0], marks: u.marks[:0], pairs: u.pairs[:0], children: u.children[:0], joined: u.joined[:0],
		log: u.log[:0], met: u.met[:0], known: u.known[:0]}
	if cap(u.log) < 1<<12 {
		e.units = append(e.units, u)
	}
}
