package hook

import (
	"unsafe"

	"github.com/empire-go/empire-go/dynamic/trace"
)

// The guards of objects.
//
// The guard of an object is the innermost lock that was held when an access to it first came: of each of its orders
// for itself (see take), since different sets of one object may have different guards, and nobody is in a conflict
// about two orders. It is a guess: whoever accesses the object without it, and is about to become a user of it (see
// join), or begins to write and only reads under the lock, first takes the guard from the object, for ever, and then
// takes over the notes of who holds the lock: their accesses become what they would have been. Then both are users,
// and the conflict is seen as ever. An access is noted only if the object has no users, or none who has written if it
// is a look, since those may be in a conflict with it that the lock does not exclude: units that have used the object
// under the lock, and go on without.
//
// That a lock is held is what the hooks of locks say. One that is given up by another goroutine than has taken it
// guards nothing from then on: see handed. In programs that hand locks, or methods of theirs, to code that has no
// hooks, nobody is quiet: see NoGuards.

// grip is a lock that is held.
type grip struct {
	lock     *object
	isShared bool
}

// guardless is set if locks are taken and given up where nobody sees it.
var guardless bool

// NoGuards says that the program has operations on locks that have no hooks. It is called before the program begins.
func NoGuards() None {
	guardless = true
	return None{}
}

// unguarded is the guard of objects that have none any more, and of locks that guard nothing.
var unguarded = new(object)

// Whether nobody is in a conflict with who holds the guard is known of the object, for all who take it: in the lower
// bits of its uses there is one for each order and for looks, and one for changes, which are cleared when somebody
// begins to use the object, or to change it. So they say something of the object as it is now. The guard is what it was
// then: it changes only if there is none, or with the uses.
const provenBits = 2 * trace.MaxOrders

func provenBit(order uint8, changes bool) uint64 {
	bit := uint64(1) << (2 * (order % trace.MaxOrders))
	if changes {
		return bit << 1
	}
	return bit
}

// used counts that somebody has begun to use the object, or to change it, while it had a guard.
func (o *object) used() {
	for {
		uses := o.uses.Load()
		if o.uses.CompareAndSwap(uses, (uses>>provenBits+1)<<provenBits) {
			return
		}
	}
}

// proves notes that nobody is in a conflict with who holds the guard, if nobody has begun to use the object since the
// uses were those.
func (o *object) proves(uses uint64, order uint8, changes bool) {
	bits := provenBit(order, false)
	if changes {
		bits |= provenBit(order, true)
	}
	if uses&bits != bits {
		o.uses.CompareAndSwap(uses, uses|bits)
	}
}

// proven returns the level by whose guard nobody is in a conflict with an access to an object, nil if that is not
// known, or if it is not known that the goroutine accesses the object.
func (g *Goroutine) proven(o *object, order uint8, changes bool) *level {
	if o.uses.Load()&provenBit(order, changes) == 0 || o.first.Load() != g.number && !o.shared.Load() {
		return nil
	}
	guard, levels := o.guard.Load(), g.hush.levels
	if order > 0 {
		guard = o.in(order).guard.Load()
	}
	for i := len(levels) - 1; i >= 0; i-- {
		if l := &levels[i]; l.lock == guard {
			if changes && l.isShared {
				return nil
			}
			return l
		}
	}
	return nil
}

// canNote returns the level whose lock guards an object, if nobody uses it, or for a look, if nobody who uses it has
// written; nil if there is none.
func (g *Goroutine) canNote(o *object, order uint8, changes bool) *level {
	levels := g.hush.levels
	if o.owner.Load() != everybody {
		o.owner.Store(everybody) // it is not private, see isPrivate
	}
	guard := o.guardOf(order)
	for i := len(levels) - 1; i >= 0; i-- {
		l := &levels[i]
		if changes && l.isShared {
			continue
		}
		if now := guard.Load(); now != l.lock && (now != nil || !guard.CompareAndSwap(nil, l.lock)) {
			continue
		}
		if o.isUsed(order, changes) {
			break
		}
		o.metBy(g)
		return l
	}
	return nil
}

// isOwn tells whether a goroutine alone can reach an object, and nobody has to be told of an access to it.
func (g *Goroutine) isOwn(o *object, s *trace.ReducedSite) bool {
	return o.owner.Load() == g.number && o.made == g.published+strangers.Load() && s.Flags&trace.SiteStatic == 0
}

// isUsed tells whether somebody uses the object in an order, or for a look, whether somebody who does may have written.
// Who has stopped too long ago to be in a conflict does not count, until it uses the object again: see revive.
func (o *object) isUsed(order uint8, changes bool) bool {
	s := o.seatsIn(order)
	if s == nil {
		return false
	}
	u := &s.users
	if u[0].Load() == nil && u[1].Load() == nil && u[2].Load() == nil && u[3].Load() == nil && u[4].Load() == nil &&
		u[5].Load() == nil && s.more.Load() == nil {
		return false
	}
	for i := range s.slots() {
		if v := s.slot(i).Load(); v != nil && (changes || v.writes.Load()) && !v.isExpired() {
			return true
		}
	}
	return s.isCrowded()
}

// hold finds a place among the holders of a lock, -1 if there is none.
func (o *object) hold(u *user) int {
	users := &o.seatsFor(0).users
	for i := range users {
		if users[i].Load() == nil && users[i].CompareAndSwap(nil, u) {
			return i
		}
	}
	return -1
}

// grips notes that the goroutine has taken a lock.
func (g *Goroutine) grips(op trace.Op, o *object) {
	if len(g.hush.locks) == maxOutside {
		o.handed()
		return
	}
	g.hush.locks = append(g.hush.locks, grip{o, op == trace.RLock})
}

// loses notes that a lock is given up. If another goroutine, or code without hooks, has taken it, it guards nothing
// from here on.
func (g *Goroutine) loses(o *object) {
	locks := g.hush.locks
	for i := len(locks) - 1; i >= 0; i-- {
		if locks[i].lock == o {
			g.hush.locks = append(locks[:i], locks[i+1:]...)
			return
		}
	}
	o.handed()
}

// losesAll notes that a lock is given up, and it is not known which.
func (g *Goroutine) losesAll() {
	for len(g.hush.locks) > 0 {
		o := g.hush.locks[0].lock
		g.loses(o)
		o.handed()
	}
}

// handed says that it is not known any more who holds a lock.
func (o *object) handed() {
	if o.guard.Load() != unguarded {
		o.guard.Store(unguarded)
		o.wakeHolders(nil)
	}
}

// hands says that of the lock at an address, which has another name where it is taken as what it is in.
func (g *Goroutine) hands(p unsafe.Pointer) {
	if reducing && !g.off {
		if o := g.objectAt(p, 0); o != nil {
			o.handed()
		}
	}
}

// wakeHolders wakes all but one goroutine that have a lock and are quiet.
func (o *object) wakeHolders(but *Goroutine) {
	seats := o.seats.Load()
	for i := range min(seats.slots(), maxUsers) {
		if u := seats.users[i].Load(); u != nil && u.g != but {
			u.g.wake()
		}
	}
}

// holds tells whether the goroutine holds a lock, for changes or for looks.
func (g *Goroutine) holds(lock *object, changes bool) bool {
	for i := range g.hush.locks {
		if l := &g.hush.locks[i]; l.lock == lock && !(changes && l.isShared) {
			return lock.guard.Load() != unguarded
		}
	}
	return false
}

// guarded comes when the goroutine has become a user of an object, or one that changes it: the object loses a guard
// that is not held.
func (g *Goroutine) guarded(o *object, order uint8, changes bool) {
	of := o.guardOf(order)
	guard := of.Load()
	switch {
	case guard == unguarded:
	case guard == nil:
		if n := len(g.hush.locks); n > 0 && !g.hush.isReplay && o.owner.Load() == everybody &&
			g.holds(g.hush.locks[n-1].lock, changes) {
			of.CompareAndSwap(nil, g.hush.locks[n-1].lock)
		}
	case g.hush.isReplay || g.holds(guard, changes):
		o.used()
	default:
		of.Store(unguarded)
		o.used()
		guard.wakeHolders(g)
	}
}
