package hook

import (
	"encoding/binary"
	"slices"
	"sync/atomic"

	"github.com/empire-go/empire-go/dynamic/trace"
)

// Records that may still be taken back are soft; a conflict makes them firm.

// setBits is sets of a plan. Some may share a bit.
type setBits [4]atomic.Uint64

func (b *setBits) has(set uint16) bool { return b[set>>6&3].Load()>>(set&63)&1 != 0 }

func (b *setBits) add(set uint16) { b[set>>6&3].Or(1 << (set & 63)) }

func (b *setBits) isEmpty() bool { return b[0].Load()|b[1].Load()|b[2].Load()|b[3].Load() == 0 }

// keep leaves only the sets of users.
func (b *setBits) keep(users []*user) {
	if b.isEmpty() {
		return
	}
	var used [4]uint64
	for _, u := range users {
		used[u.set>>6&3] |= 1 << (u.set & 63)
	}
	for i, bits := range used {
		if b[i].Load()&^bits != 0 {
			b[i].And(bits)
		}
	}
}

// expose says that a goroutine, which is the calling one or in conflict with it, is in a conflict about a set.
func (g *Goroutine) expose(set uint16) {
	if g.inConflict.has(set) { // all of it is firm, and who joins it next looks for conflicts itself
		return
	}
	g.soft.lock()
	g.hardenSet(set, true)
	g.inConflict.add(set)
	g.alarm.Add(1)
	g.soft.unlock()
}

// harden gives soft records their versions.
func (g *Goroutine) harden() {
	if len(g.held) == 0 {
		return
	}
	g.exposures++
	g.lockExposures++
	n := 0
	for at := g.low; at < g.high; at += trace.RecordSize {
		if trace.Op(g.block[at])&trace.Soft != 0 {
			g.hardenAt(at, g.held[n])
			n++
		}
	}
	clear(g.held)
	g.held, g.hardened = g.held[:0], g.high
}

// hardenAt makes the record at a place in the block firm; o is nil for one without a version.
func (g *Goroutine) hardenAt(at int, o *object) {
	op := trace.Op(g.block[at]) &^ trace.Soft
	if o != nil {
		version := uint64(trace.NoVersion)
		isAccess := op <= trace.AtomicWrite
		if isAccess {
			o.hasTurned(g, reducedSites[g.siteAt(at)].Order)
		}
		if isAccess || at >= g.behind {
			version, _ = o.take(op, g.siteAt(at))
		}
		if isAccess {
			if s := &reducedSites[g.siteAt(at)]; s.Flags&trace.SiteMixed != 0 {
				turns[s.Set%setCount].Add(1)
				shifts.Add(1)
			}
			if op.IsLook() && at < g.behind {
				version |= trace.LateVersion
			}
			op |= o.sharedBit()
		}
		binary.LittleEndian.PutUint64(g.block[at+8:], version)
	}
	g.block[at] = byte(op)
	g.hardened = max(g.hardened, at+trace.RecordSize)
}

// hardenSet makes firm what is of a set, with its frames, and what is of a lock: all, or the acquisitions of those that
// are held.
func (g *Goroutine) hardenSet(set uint16, locks bool) {
	if len(g.held) == 0 {
		return
	}
	g.setExposures[set%setCount]++
	var acquired [maxOutside]int
	if locks {
		g.lockExposures++
	} else {
		for i := range g.inside {
			acquired[i] = g.acquiredAt(&g.inside[i])
		}
	}
	open := g.nested[:0] // whether the frames that begin here are of the set
	h, kept, last := 0, 0, 0
	for at := g.low; at < g.high; at += trace.RecordSize {
		op := trace.Op(g.block[at])
		isSoft := op&trace.Soft != 0
		isOf := reducedSites[g.siteAt(at)].Set%setCount == set%setCount
		switch op &^= trace.Soft | trace.Shared; op {
		case trace.UnitBegin:
			open = append(open, isOf)
		case trace.UnitWith, trace.UnitEnd: // it goes with its frame
			if len(open) > 0 {
				isOf = open[len(open)-1]
			}
			if op == trace.UnitEnd {
				open = open[:max(0, len(open)-1)]
			}
		case trace.Lock, trace.Unlock, trace.RLock, trace.RUnlock, trace.TryLockFailed:
			isOf = locks || slices.Contains(acquired[:len(g.inside)], at)
		}
		if !isSoft {
			continue
		}
		o := g.held[h]
		if h++; isOf {
			g.hardenAt(at, o)
			if o != nil {
				last = at
			}
		} else {
			g.held[kept] = o
			kept++
		}
	}
	g.nested, g.behind = open, max(g.behind, last) // what stays soft before it
	clear(g.held[kept:])
	g.held = g.held[:kept]
}

// setCount is how many sets are told apart in what has become firm.
const setCount = 64

// acquiredAt returns where the acquisition of a lock that is held is in the block, and says that it becomes firm; 0 if
// it is so already.
func (g *Goroutine) acquiredAt(l *insideLock) int {
	if g.isFirmLock(l) {
		return 0
	}
	l.firm = true
	for at := g.high - trace.RecordSize; at >= g.low; at -= trace.RecordSize {
		op := trace.Op(g.block[at])
		if (op == trace.Lock|trace.Soft || op == trace.RLock|trace.Soft) &&
			binary.LittleEndian.Uint32(g.block[at+4:]) == l.object.number {
			return at
		}
	}
	return 0
}

// isFirmLock tells whether the acquisition of a lock is firm.
func (g *Goroutine) isFirmLock(l *insideLock) bool { return l.firm || l.exposures != g.lockExposures }

// hasRoom comes before a record that is put together with the frames that are not in the block yet.
func (g *Goroutine) hasRoom() {
	if g.at+g.unput*trace.RecordSize >= len(g.block) {
		if g.putFrames(); g.at == len(g.block) {
			g.full()
		}
	}
}

// put appends a soft record that is no access.
func (g *Goroutine) put(op trace.Op, site, object uint32, o *object) {
	g.hasRoom()
	g.soft.lock()
	g.putRoomFor(trace.RecordSize)
	g.putSoft(op, site, object, o)
	g.soft.unlock()
}

// putAccess appends a record of what a user does. It is soft, unless the goroutine is in a conflict about the set: then
// the next version of the object is returned.
func (g *Goroutine) putAccess(u *user, op trace.Op, site uint32) (next uint64) {
	g.hasRoom()
	o := u.object
	g.soft.lock()
	g.putRoomFor(trace.RecordSize)
	if !g.inConflict.has(u.set) {
		g.putSoft(op, site, o.number, o)
		g.soft.unlock()
		return noVersion
	}
	g.passes(u)
	g.soft.unlock()
	o.exact.lock()
	g.acts(u, op)
	version, next := o.take(op, site)
	o.exact.unlock()
	g.record(op|o.sharedBit(), site, o.number, version)
	return next
}

// passes comes before a firm record of a user, behind what is soft. That stays so, since it is of other sets, but for
// the frames that the record is in, and the locks that are held at it. What it is about has been changed by nobody else
// since, or it would be in a conflict: so a version that it gets later is that of an epoch in which it took place. But
// if the goroutine uses the object for another set as well, in the same order, there is an order between the two.
func (g *Goroutine) passes(u *user) {
	switch {
	case len(g.held) == 0:
		return
	case u.isTwin || u.slot < 0:
		g.harden()
	case g.isSoftIn(u.set):
		g.hardenSet(u.set, false)
	}
	g.behind = g.at
}

// isSoftIn tells whether something is soft that a firm record of a set is in.
func (g *Goroutine) isSoftIn(set uint16) bool {
	found := false
	for i := range g.frames {
		if f := &g.frames[i]; f.set%setCount == set%setCount && (f.pending || g.isWhole(f)) {
			found, f.pending = true, false
		}
	}
	for i := range g.inside {
		found = found || !g.isFirmLock(&g.inside[i])
	}
	return found
}

// firstOpen returns the first of the frames that are open whose beginnings are in the block from a place on.
func (g *Goroutine) firstOpen(from int) int {
	i := 0
	for i < len(g.frames) && (g.frames[i].flushed || g.frames[i].start < from) {
		i++
	}
	return i
}

// isWhole tells whether the beginning of a frame is soft.
func (g *Goroutine) isWhole(f *opened) bool { return f.exposures == g.exposuresOf(f.set) }

// exposuresOf returns how often soft records of a set have become firm.
func (g *Goroutine) exposuresOf(set uint16) uint64 {
	return g.exposures + uint64(g.setExposures[set%setCount])
}

// putSoft appends a soft record; there is room.
func (g *Goroutine) putSoft(op trace.Op, site, object uint32, o *object) {
	if len(g.held) == 0 {
		g.low = g.at
	}
	b := g.block[g.at : g.at+trace.RecordSize : len(g.block)]
	binary.LittleEndian.PutUint64(b, uint64(op|trace.Soft)|uint64(site)<<8|uint64(object)<<32)
	g.held = append(g.held, o)
	g.at += trace.RecordSize
	g.high = g.at
}

// settle comes before a synchronisation takes a version: what is soft may get its own later, see passes.
func (g *Goroutine) settle() {
	if len(g.held) > 0 {
		g.soft.lock()
		g.behind = g.at
		g.soft.unlock()
	}
}

// fix makes firm all that is soft.
func (g *Goroutine) fix() {
	if len(g.held) > 0 {
		g.soft.lock()
		g.harden()
		g.soft.unlock()
		g.retire(0, true)
	}
}
