package hook

import (
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

// locked notes an operation on a lock. It is only shown, where a unit is in a match.
func (g *Goroutine) locked(op trace.Op, site uint32, p unsafe.Pointer) {
	if op == trace.Unlock || op == trace.RUnlock {
		if g.published++; g.fresh {
			g.fresh = false
			g.record(trace.Escape, 0, 0, 0)
		}
	}
	o := g.objectAt(p, 0)
	if o == nil {
		return
	}
	for i := len(g.outside) - 1; i >= 0; i-- {
		if g.outside[i].object == o && (op == trace.Unlock || op == trace.RUnlock) {
			g.outside = append(g.outside[:i], g.outside[i+1:]...)
			break
		}
	}
	switch {
	case len(g.frames) > 0:
		g.put(op, site, o.number, o)
	case op == trace.Lock || op == trace.RLock:
		if len(g.outside) < maxOutside {
			g.outside = append(g.outside, heldLock{op, site, o})
		}
	}
}

// maxOutside is how many locks are remembered that were taken where no frame was open.
const maxOutside = 16

// exactlyReduced begins an atomic operation on an object: nobody may come in between with a conflict.
func (g *Goroutine) exactlyReduced(op trace.Op, o *object, ref Ref) owners {
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
	u.sees(s, op)
	if g.pending > 0 {
		g.pend()
	}
	if g.at == len(g.block) {
		g.full()
	}
	if g.soft.lock(); !g.direct.Load() {
		return owners{soft: u}
	}
	g.soft.unlock()
	o.exact.lock()
	return owners{named: o}
}

// tookReduced ends what exactlyReduced has begun.
func (g *Goroutine) tookReduced(u *user, op trace.Op, ref Ref) {
	g.putSoft(op, ref.site(), u.object.number, u.object)
	g.soft.unlock()
	u.mask, u.site, u.version, u.last = 0, 0, noVersion, g.at
}
