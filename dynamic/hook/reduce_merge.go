package hook

import (
	"sync/atomic"

	"github.com/empire-go/empire-go/dynamic/trace"
)

// Which accesses of a user are like one that it has recorded already.

// turns counts, for each set of which something is incremented, how often a unit has begun to access a location in
// another way. What increments alone match does not count, until then: so an access before it is not like one behind
// it, which may be the last one of such a match.
var turns [setCount]atomic.Uint32

// turned comes with a record of a user for a set of which something is incremented.
func (u *user) turned(s *trace.ReducedSite) {
	turn := &turns[u.set%setCount]
	bit := uint32(1) << (s.Field % trace.MaxPlain)
	switch {
	case s.Flags&trace.SiteCounts == 0 && (u.plain&bit == 0 || s.Field >= trace.MaxPlain):
		u.plain |= bit
		u.turn = turn.Add(1)
		shifts.Add(1)
		u.starts()
	case turn.Load() != u.turn:
		u.turn = turn.Load()
		u.starts()
	}
}

// isAlone tells whether nobody has been in conflict with the user since its last record.
func (u *user) isAlone() bool {
	if turn := turns[u.set%setCount].Load(); turn != 0 && turn != u.turn {
		return false
	}
	if u.version == noVersion {
		return !u.g.inConflict.has(u.set)
	}
	return u.version == u.at.Load() && !u.disturbed.Load()
}

// repeats tells whether an access is to be left out since the user has one like it, by what can be seen at a glance.
func (u *user) repeats(s *trace.ReducedSite, op trace.Op) bool {
	g := u.g
	if op > trace.Write || s.Flags&trace.SitePlain == 0 || u.epoch != g.epoch || u.function != s.Function ||
		!u.has(s, op, 1<<(2*(s.Field%trace.MaxPlain)+uint8(op-trace.Read))) {
		return false
	}
	if s.Forgets|uint64(s.Token) != 0 && (!g.isOfOne(u.set) || u.forgotten(s, op, true) != 0) {
		return false
	}
	return !u.idle.Load() && (op == trace.Read || u.writes.Load()) && u.isAlone()
}

// has tells whether the user has recorded an access like one at a site, whose bit is known.
func (u *user) has(s *trace.ReducedSite, op trace.Op, bit uint64) bool {
	if op.IsLook() && s.Token != 0 {
		return bit != 0 && (u.mask&bit != 0 || u.reads&s.Like != 0)
	}
	return u.mask&bit != 0
}

// sees returns the bit for an access at a site, 0 if it is not merged with others, after what was accessed
// under other units has been forgotten.
func (u *user) sees(s *trace.ReducedSite, op trace.Op) uint64 {
	g := u.g
	if u.epoch != g.epoch {
		u.epoch = g.epoch
		view, based := g.view(u)
		if view != u.view || based != u.based {
			u.view, u.based, u.plain = view, based, 0
			u.starts()
			u.older |= u.passing
			u.passing = 0
		}
	}
	if u.function != s.Function { // what a frame's own code accesses decides what joins its unit
		u.function = s.Function
		if !u.based || g.isDirect(s) {
			u.starts()
		}
	}
	hasForgotten, isOfOne := u.forgets(s, op)
	if s.Flags&trace.SitePlain == 0 || !isOfOne || op > trace.Write {
		return 0
	}
	bit := uint64(1) << (2*(s.Field%trace.MaxPlain) + uint8(op-trace.Read))
	if hasForgotten { // that is known by its record: none that is there may stand for it, not even one of another token
		u.mask &^= bit
		u.reads &^= 1<<s.Token | s.Like
	}
	return bit
}

// starts says that nothing from here on is like what the user has recorded.
func (u *user) starts() { u.mask, u.reads, u.exact, u.site = 0, 0, 0, 0 }

// records says what the user has recorded, with the version behind it: the bits are those of what is like it, none if
// nothing is. What it has recorded before counts for later accesses as long as nobody has come in between.
func (u *user) records(s *trace.ReducedSite, op trace.Op, next, mask, exact uint64) {
	if s.Flags&trace.SiteMixed != 0 {
		u.turned(s)
	} else {
		u.turn = turns[u.set%setCount].Load() // of another set
	}
	isNext := next == noVersion || u.version != noVersion && next == trace.NextVersion(op, u.version)
	if !isNext || mask|exact == 0 {
		u.starts()
	}
	if op.IsLook() && s.Token != 0 && mask != 0 {
		u.reads |= 1 << s.Token
	} else {
		u.mask |= mask
	}
	u.passing |= 1 << s.Token &^ 1
	u.exact, u.version, u.last, u.op, u.isStale = u.exact|exact, next, u.g.at, op, false
}

// seesExactly is sees for an atomic operation. Those that read and write at once are merged as others are: each is the
// two in one step, and whoever comes between two of them is in a conflict. The bits are those in mask and exact.
func (u *user) seesExactly(s *trace.ReducedSite, op trace.Op) (mask, exact uint64) {
	switch op {
	case trace.AtomicRead:
		return u.sees(s, trace.Read), 0
	case trace.AtomicWrite:
		return u.sees(s, trace.Write), 0
	}
	u.sees(s, op)
	if s.Forgets|uint64(s.Token) != 0 {
		return 0, 0
	}
	exact = 1 << (2 * (s.Field % trace.MaxPlain))
	switch {
	case s.Flags&trace.SiteCounts != 0:
		return 0, 2 * exact
	case s.Flags&trace.SitePlain != 0:
		return 0, exact
	}
	return 0, 0
}

// isDirect tells whether a frame of the function that a site is in is a unit on what its own code accesses.
func (g *Goroutine) isDirect(s *trace.ReducedSite) bool {
	for i := len(g.frames) - 1; i >= 0 && g.frames[i].function == s.Function; i-- {
		if f := &g.frames[i]; f.set == s.Set && f.flags&trace.SiteDirect != 0 {
			return true
		}
	}
	return false
}

// forgets notes which reads an access at a site forgets. It tells whether it forgets any, and whether that is known
// exactly enough: what belongs to units of several objects is not. What is left of the accesses before still counts for
// those from then on, where all of them are of one unit: what an access like one of them extends, that one has
// extended, and it is forgotten with that.
func (u *user) forgets(s *trace.ReducedSite, op trace.Op) (hasForgotten, isOfOne bool) {
	if s.Forgets|uint64(s.Token) == 0 {
		return false, true
	}
	isOfOne = u.g.isOfOne(u.set)
	forgotten := u.forgotten(s, op, isOfOne)
	if forgotten != 0 {
		if !u.based || !isOfOne || forgotten&u.older != 0 {
			u.starts()
		}
		u.reads &^= s.Forgets
		u.site = 0
		if u.based {
			u.passing &^= s.Forgets
		}
	}
	return forgotten != 0, isOfOne
}

// forgotten returns the tokens of the reads that are forgotten by an access. A read that is made again is none of them:
// if nobody has come in between, it is as if what the user has done since then had been done before it, and all of that
// was forgotten with it, and extended anew. So a loop that reads a field at each round, for as long as that lasts, has
// read it once.
func (u *user) forgotten(s *trace.ReducedSite, op trace.Op, isOfOne bool) uint64 {
	forgotten := s.Forgets & (u.passing | u.older)
	if op.IsLook() && u.based && isOfOne {
		forgotten &^= u.reads & (1 << s.Token) &^ u.older
	}
	return forgotten
}

// view names the units that are open for what a user does. Within a method on the object the unit is that of the
// outermost one, whatever it calls.
func (g *Goroutine) view(u *user) (view uint64, based bool) {
	isOfOne := g.isOfOne(u.set)
	for i := range g.frames {
		f := &g.frames[i]
		f.touched = f.touched || f.set == u.set // it is no unit on the object if a method outside of it is
		if isOfOne && f.set == u.set && f.object == u.object.number && f.flags&trace.SiteMethod != 0 {
			return f.serial, true
		}
	}
	return g.epoch, false
}

// isOfOne tells whether what is done to an object for a set is of units on that object alone: no object has joined a
// unit of the set that is open, or may join it because it is made there.
func (g *Goroutine) isOfOne(set uint16) bool {
	if g.withs == 0 && g.makers == 0 {
		return true
	}
	for i := range g.frames {
		if f := &g.frames[i]; f.set == set && (f.withs > 0 || f.flags&trace.SiteConstructor != 0) {
			return false
		}
	}
	return true
}
