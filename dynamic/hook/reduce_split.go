package hook

import (
	"slices"

	"github.com/empire-go/empire-go/dynamic/trace"
)

// A loop begins the units of its function anew at each round, those of each set for themselves: what is soft of the
// set is dropped, and the rest stays as it is.

// split ends the units of a frame for what its function accesses itself, and begins the next ones.
func (g *Goroutine) split(site uint32) {
	n := len(g.frames) - 1
	i := n
	for i >= 0 && g.frames[i].site != site {
		i--
	}
	if i >= 0 && !g.frames[i].touched {
		if g.stale {
			g.dropStale()
		}
		return
	}
	if i >= 0 {
		g.frames[i].touched = false
	}
	g.putFrames()
	if i >= 0 && g.frames[i].outermost {
		g.resolve(i, &g.frames[i])
	}
	if i >= 0 && (i == n && g.restart(n) || g.splitSoft(i)) {
		g.renew(&g.frames[n])
		return
	}
	if n >= 0 && g.frames[n].site == site && g.frames[n].outermost && g.frames[n].flags&trace.SiteDirect != 0 &&
		g.frames[n].withs == 0 {
		f := g.frames[n]
		g.ended()
		g.begun(site, f.object)
		return
	}
	g.fix()
	g.record(trace.UnitSplit, site, 0, 0)
	if i < 0 {
		return
	}
	if f := &g.frames[i]; f.outermost && f.flags&trace.SiteDirect != 0 {
		g.leave(f.set)
	}
	g.renew(&g.frames[n])
}

// splitSoft is split where the goroutine is in no conflict.
func (g *Goroutine) splitSoft(i int) bool {
	f := &g.frames[i]
	isWhole := g.isWhole(f) // all of it is soft, or its beginning and what makes it firm
	if !f.outermost {
		if isWhole && !g.endsWith(trace.UnitSplit, f.site) {
			g.put(trace.UnitSplit, f.site, 0, nil)
			g.crosses(i)
		}
		return isWhole
	}
	isInner := i == len(g.frames)-1 // where not all is soft, it is better to end it and to begin another one
	if f.flags&trace.SiteDirect == 0 || f.withs > 0 || len(g.offers) > 0 || isInner && !isWhole ||
		g.inConflict.has(f.set) {
		return false
	}
	isUsed := slices.ContainsFunc(g.users, func(u *user) bool { return u.set == f.set })
	if isWhole && !isUsed && len(g.retirees) == 0 {
		return true // nothing has happened since
	}
	if !g.dropSet(max(f.split, trace.BlockHeader), f.set, true) {
		return false
	}
	g.leave(f.set)
	f.split = g.at
	if !isWhole {
		g.put(trace.UnitSplit, f.site, 0, nil) // the next one takes it back
		g.crosses(i)
	}
	return true
}

// crosses says that the split of frame i was recorded behind the beginnings of the frames in it. It is no part of them:
// where one of these is taken back, or begins anew, all behind its beginning must not go with it. Else what the outer
// frame has done before would be one unit with what it does later, and a unit that lasts longer matches more.
func (g *Goroutine) crosses(i int) {
	g.frames[i].pending = true
	for i++; i < len(g.frames); i++ {
		g.frames[i].crossed = true
	}
}

// endsWith tells whether the last record in the block is soft and such a one.
func (g *Goroutine) endsWith(op trace.Op, site uint32) bool {
	last := g.at - trace.RecordSize
	return last >= trace.BlockHeader && trace.Op(g.block[last]) == op|trace.Soft && g.siteAt(last) == site
}

// dropSet takes back the soft records of a set behind a place, but for frames that are open, and their splits unless
// they begin anew: such a split is what keeps the firm records before it from being one unit with what is still to
// come. It tells whether it could.
func (g *Goroutine) dropSet(from int, set uint16, beginsAnew bool) bool {
	g.soft.lock()
	could := g.dropped(from, set, beginsAnew)
	g.soft.unlock()
	return could
}

func (g *Goroutine) dropped(from int, set uint16, beginsAnew bool) bool {
	h := len(g.held)
	for at := from; at < g.at; at += trace.RecordSize {
		op, site := trace.Op(g.block[at]), g.siteAt(at)
		if op&trace.Soft != 0 {
			h--
		}
		if op&^trace.Soft == trace.UnitBegin && reducedSites[site].Flags&trace.SiteConstructor != 0 {
			return false // what it makes is known by that
		}
	}
	to, kept, open := from, h, g.firstOpen(from)
	nested := g.nested[:0]
	for at := from; at < g.at; at += trace.RecordSize {
		op := trace.Op(g.block[at])
		isSoft := op&trace.Soft != 0
		left := isSoft && reducedSites[g.siteAt(at)].Set == set
		switch op &^ trace.Soft {
		case trace.UnitBegin:
			if open < len(g.frames) && g.frames[open].start == at {
				g.frames[open].start, left = to, false
				open++
			} else {
				nested = append(nested, left)
			}
		case trace.UnitEnd:
			if left = false; len(nested) > 0 {
				left = nested[len(nested)-1]
				nested = nested[:len(nested)-1]
			}
		case trace.Read, trace.Write, trace.RMW, trace.AtomicRead, trace.AtomicWrite:
		case trace.UnitWith:
			if isSoft && len(nested) > 0 {
				left = nested[len(nested)-1]
			}
		case trace.UnitSplit:
			left = left && (beginsAnew || slices.Contains(nested, true)) // or it goes with a frame that has ended
		default:
			left = false
		}
		if isSoft && !left && to > from && g.acquires(to-trace.RecordSize, at) { // nothing is left in between
			left = true
			kept--
			to -= trace.RecordSize
		}
		if isSoft && !left {
			g.held[kept] = g.held[h]
			kept++
		}
		if isSoft {
			h++
		}
		if !left {
			copy(g.block[to:to+trace.RecordSize], g.block[at:at+trace.RecordSize])
			to += trace.RecordSize
		}
	}
	g.nested = nested
	g.cut(from, to, kept)
	return true
}

// splitBy says that records behind a place have been moved.
func (g *Goroutine) splitBy(from int) {
	for i := range g.frames {
		g.frames[i].split = min(g.frames[i].split, from)
	}
}

// cut ends the block, and what is soft in it, after records behind a place have been left out.
func (g *Goroutine) cut(from, to, held int) {
	if to == g.at {
		return
	}
	clear(g.block[to:g.at])
	clear(g.held[held:])
	g.held = g.held[:held]
	g.at, g.low, g.high, g.firm, g.hardened = to, min(g.low, to), to, min(g.firm, to), min(g.hardened, to)
	g.behind = min(g.behind, to)
	g.splitBy(from)
	for _, u := range g.users {
		if u.last > from {
			u.last, u.site = min(u.last, to), 0
		}
	}
}

// restart is split for the innermost frame where all behind its beginning, or behind its last split, is of its set.
func (g *Goroutine) restart(n int) bool {
	f := &g.frames[n]
	if !f.outermost || f.flags&trace.SiteDirect == 0 || f.withs > 0 || f.crossed {
		return false
	}
	start := max(f.start+trace.RecordSize, f.split)
	if g.at == start && len(g.users) == f.users && g.isWhole(f) {
		return true
	}
	return g.restarts(f, start)
}

// restarts is rested for the innermost frame, where all behind a place is soft and of its set, and nothing before it
// is. Users of other sets may have come since it has begun, if they have recorded nothing behind that place.
func (g *Goroutine) restarts(f *opened, start int) bool {
	if f.users > len(g.users) || max(g.firm, g.hardened) > start || len(g.retirees) > 0 || len(g.offers) > 0 {
		return false
	}
	for i, u := range g.users {
		if u.last > start && (i < f.users || u.set != f.set) {
			return false
		}
	}
	if start > f.start+trace.RecordSize && g.hasLocks(start) {
		return false // what is before the place may be the other half of that
	}
	g.soft.lock()
	isSoft := g.isWhole(f) && !g.inConflict.has(f.set)
	if isSoft {
		g.truncate(start)
	}
	g.soft.unlock()
	if !isSoft {
		return false
	}
	left, hadSome := g.users[:f.users], false
	for _, u := range g.users[f.users:] {
		switch {
		case u.set != f.set:
		case u.last > start: // the next round mostly does the same
			u.starts()
			u.passing, u.older, u.last, u.plain = 0, 0, start, 0
			u.isStale, g.stale, hadSome = true, true, true
		default:
			g.free(u)
			hadSome = true
			continue
		}
		left = append(left, u)
	}
	clear(g.users[len(left):])
	if g.users = left; hadSome {
		g.worked()
	}
	return true
}

// dropStale ends the use of objects that were used in a round of a loop, and not in this one. Until it comes, at the
// latest in the next round, or before the goroutine synchronises, others take it for a user that has done what it did
// in the round before: more is recorded than need be.
func (g *Goroutine) dropStale() {
	left := g.users[:0]
	for _, u := range g.users {
		if u.isStale {
			g.free(u)
		} else {
			left = append(left, u)
		}
	}
	clear(g.users[len(left):])
	g.users, g.stale = left, false
	g.inConflict.keep(left)
	g.latent.keep(left)
}

// hasLocks tells whether there is an operation on a lock behind a place in the block.
func (g *Goroutine) hasLocks(from int) bool {
	for at := from; at < g.at; at += trace.RecordSize {
		if op := trace.Op(g.block[at]) &^ trace.Soft; op >= trace.Lock && op <= trace.TryLockFailed {
			return true
		}
	}
	return false
}
