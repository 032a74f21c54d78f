package hook

import (
	"bytes"
	"unsafe"

	"github.com/empire-go/empire-go/dynamic/trace"
)

// Locks and atomic operations.

// heldLock is a lock that was taken where no frame was open.
type heldLock struct {
	op     trace.Op
	site   uint32
	object *object
}

// locked notes an operation on a lock. It is only shown, where a unit is in a match, but for what is noted while a lock
// is held.
func (g *Goroutine) locked(op trace.Op, site uint32, p unsafe.Pointer) { g.lockedLast(op, site, p, 0) }

// lockedLast is locked where so many of the innermost frames access nothing more. It tells whether nothing is left of
// the critical section that ends.
func (g *Goroutine) lockedLast(op trace.Op, site uint32, p unsafe.Pointer, frames int) (isOver bool) {
	g.era++
	if g.stale {
		g.dropStale()
	}
	o := g.objectAt(p, 0)
	isRelease := op == trace.Unlock || op == trace.RUnlock
	isTaken := op == trace.Lock || op == trace.RLock
	isQuiet := false
	if o != nil && g.hush.state.Load() != loud { // else nobody else has the lock
		isQuiet = g.movesQuietly(op, site, o, frames)
	}
	if isRelease {
		isOver = isQuiet || o != nil && g.hush.state.Load() != loud && g.endsQuietly(o, frames)
		if o != nil {
			g.loses(o)
		}
		if g.published++; g.fresh {
			g.fresh = false
			g.tells(trace.Escape, 0, 0)
		}
	}
	switch {
	case o == nil:
	case isQuiet:
		if isTaken {
			g.grips(op, o)
		}
	case isTaken:
		if len(g.frames) == 0 {
			g.lockMoves(op, site, o)
		}
		g.grips(op, o)
		if !g.hushes(op, site, o) && len(g.frames) > 0 {
			g.lockMoves(op, site, o)
		}
	case isOver:
		g.isOutside(o)
	default:
		g.lockMoves(op, site, o)
	}
	return isOver
}

// lockMoves records an operation on a lock, or remembers it where no frame is open.
func (g *Goroutine) lockMoves(op trace.Op, site uint32, o *object) {
	if op == trace.Unlock || op == trace.RUnlock {
		g.isOutside(o)
	}
	switch {
	case len(g.frames) > 0:
		g.lockedInside(op, site, o)
	case (op == trace.Lock || op == trace.RLock) && len(g.outside) < maxOutside:
		g.outside = append(g.outside, heldLock{op, site, o})
	}
}

// isOutside forgets that a lock was taken where no frame is open, if it was.
func (g *Goroutine) isOutside(o *object) {
	for i := len(g.outside) - 1; i >= 0; i-- {
		if g.outside[i].object == o {
			g.outside = append(g.outside[:i], g.outside[i+1:]...)
			return
		}
	}
}

// maxOutside is how many locks are remembered that were taken where no frame was open, and of the others.
const maxOutside = 16

// insideLock is a lock whose acquisition was recorded.
type insideLock struct {
	object    *object
	exposures uint64 // of locks, as they were: if there were more since, that record is firm
	firm      bool   // it has become firm on its own
}

// lockedInside records an operation on a lock in a frame. Where the acquisition of a lock is firm the release is, too:
// who takes it next shows later.
func (g *Goroutine) lockedInside(op trace.Op, site uint32, o *object) {
	switch op {
	case trace.Lock, trace.RLock:
		if len(g.inside) < maxOutside {
			g.inside = append(g.inside, insideLock{object: o, exposures: g.lockExposures})
		}
	case trace.Unlock, trace.RUnlock:
		for i := len(g.inside) - 1; i >= 0; i-- {
			if g.inside[i].object != o {
				continue
			}
			isFirm := g.isFirmLock(&g.inside[i])
			g.inside = append(g.inside[:i], g.inside[i+1:]...)
			if isFirm {
				g.settle()
				version, _ := o.take(op, site)
				g.record(op, site, o.number, version)
				return
			}
			break
		}
	}
	g.put(op, site, o.number, o)
	if last := g.at - 2*trace.RecordSize; last >= trace.BlockHeader && g.acquires(last, last+trace.RecordSize) {
		g.soft.lock()
		if g.acquires(last, last+trace.RecordSize) {
			g.truncate(last)
		}
		g.soft.unlock()
	}
}

// acquires tells whether the record at a place in the block is the soft one of the acquisition of a lock, and another
// one that of its release.
func (g *Goroutine) acquires(at, released int) bool {
	op := trace.Op(g.block[released])
	return (op == trace.Unlock|trace.Soft || op == trace.RUnlock|trace.Soft) && trace.Op(g.block[at]) == op-1 &&
		bytes.Equal(g.block[at+4:at+8], g.block[released+4:released+8])
}

// exactlyReduced begins an atomic operation on an object: nobody may come in between with a conflict.
func (g *Goroutine) exactlyReduced(op trace.Op, o *object, ref Ref) owners {
	g.era++
	g.speaks()
	s := &reducedSites[ref.site()]
	var u *user
	if o.owner.Load() == everybody || !g.isPrivate(o, s) {
		u = g.userOf(o, s)
	}
	if u == nil {
		g.worked()
		return owners{left: true}
	}
	if u.idle.Load() {
		g.revive(u)
	}
	if op != trace.AtomicRead && !u.writes.Load() {
		g.writes(u)
	}
	g.hasRoom()
	mask, exact := u.seesExactly(s, op)
	has := u.has(s, op, mask) || u.exact&exact != 0
	if g.soft.lock(); !g.inConflict.has(u.set) {
		return owners{user: u, left: has && u.isAlone()}
	}
	g.soft.unlock() // who has the lock of an object may wait for this one, see acts
	o.exact.lock()
	isLeft := has && u.isAlone()
	if !isLeft {
		g.soft.lock()
		g.putRoomFor(trace.RecordSize)
		g.passes(u)
		g.soft.unlock()
		g.acts(u, op)
	}
	return owners{named: o, user: u, left: isLeft}
}

// tookReduced ends what exactlyReduced has begun. It is left out if the user has recorded one like it: nobody has come
// in between. One that was to change something and has not is a part of that.
func (g *Goroutine) tookReduced(of owners, op trace.Op, ref Ref) {
	o, u := of.named, of.user
	g.stepped()
	switch {
	case of.left && o == nil:
		g.soft.unlock()
		return
	case of.left:
		o.exact.unlock()
		return
	}
	isAlone, next := u.isAlone(), noVersion
	if o == nil {
		g.putRoomFor(trace.RecordSize)
		g.putSoft(op, ref.site(), u.object.number, u.object)
		g.soft.unlock()
	} else {
		version := uint64(0)
		version, next = o.take(op, ref.site())
		o.exact.unlock()
		g.record(op|o.sharedBit(), ref.site(), o.number, version)
	}
	if !isAlone {
		u.starts()
	}
	s := &reducedSites[ref.site()]
	mask, exact := u.seesExactly(s, op)
	u.records(s, op, next, mask, exact)
	u.site = 0
}
