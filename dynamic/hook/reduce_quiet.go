package hook

import (
	"sync/atomic"
	"unsafe"

	"github.com/empire-go/empire-go/dynamic/trace"
)

// Critical sections are quiet.
//
// Most objects have a lock that is held at all accesses to them, once others have them: their guard. While a goroutine
// holds it nobody else can be in a conflict with it about these objects, so what it does to them need not be made
// known: it is noted, as it comes, in a list that is forgotten when the lock is given up, if the units that it belongs
// to end there. Notes have no users, frames or soft records: a note costs a few stores.
//
// # Guards
//
// The guard of an object is the lock that was held when an access was first recorded with it. It is a guess: whoever
// accesses the object without it, and is about to become a user of it (see join), or begins to write and only reads
// under the lock, first takes the guard from the object, for ever, and then takes over the notes of who holds the
// lock: their accesses become what they would have been. Then both are users, and the conflict is seen as ever. An
// access is noted only if the object has no users, or none who has written if it is a look, since those may be in a
// conflict with it that the lock does not exclude: units that have used the object under the lock, and go on without.
//
// That a lock is held is what the hooks of locks say. One that is given up by another goroutine than has taken it
// guards nothing from then on: see handed. In programs that hand locks, or methods of theirs, to code that has no
// hooks, nobody is quiet: see NoGuards.
//
// # Why that is exact
//
// Let u be a unit whose notes are forgotten. No other goroutine was a user of one of their objects in the critical
// section, or has noted a change of it: if it had begun to be one before, the access would not have been noted, and if
// it had begun in it, it would have taken the notes over. So u was in no conflict about what it does there, and all of
// it is of units that end there: it would have been dropped as a soft record, too. Notes that are taken over, or that
// have to be kept, go the way of all accesses, in their order, before anything else that the goroutine records, and
// before anything that is recorded because others have learned of it.
//
// # Who sees what
//
// A goroutine that is quiet (q) writes a note, makes it known by a plain store of how many there are, and then looks
// whether it is still quiet; the processor may do that before the store is seen. Whoever takes over (t) first changes
// that word, then has the system carry out a memory barrier on all processors that run the program (platformBarrier),
// and then looks how many notes there are. So either t sees the note, or q sees that it is not quiet any more before it
// carries out its access, and hands in what t has not seen.
//
// t makes itself a user of the object before it looks at its guard, and takes that away before it looks for the holders
// of the lock; q becomes a holder, and quiet, before it looks at guards and users. All of these are operations of
// package atomic, which are seen in one order. So if t does not find q among the holders, q finds that the object has
// another guard; and if t does not find the guard that somebody has just given the object, q finds t among the users.

// The states of a goroutine.
const (
	loud  = iota // all that it does is known
	quiet        // what it does is noted
	woken        // likewise, but somebody else has taken over the notes that it had
)

// hush is what a goroutine knows of its critical section.
type hush struct {
	state    atomic.Uint32
	lock     spin // of who takes notes over
	notes    []note
	n        atomic.Uint32 // of them
	over     uint32        // so many of them somebody else has taken over
	guard    *object       // the lock
	isShared bool          // others may hold it, too
	depth    int           // frames that have begun in the notes
	told     []note        // of objects that became known
	sets     uint64        // of the accesses, and of the stretches that have begun
	isReplay bool          // notes are being taken over
	site     uint32        // where it was taken
	slot     int           // among the holders of the lock
	checked  [8]check      // objects that have been found to be guarded by it
	self     *user         // stands for the goroutine there
	luck     [64]int8      // of critical sections, by site: how often it paid
	want     int           // how many notes there is to be room for
	locks    []grip        // that the goroutine holds
}

// check is that nobody is in a conflict with a look at an object, or with a change.
type check struct {
	object  *object
	changes bool
}

// grip is a lock that is held.
type grip struct {
	lock     *object
	isShared bool
}

// note is something that a goroutine has done.
type note struct {
	object *object // of an access, or a lock
	site   uint32
	number uint32 // of the object of a frame; how many sites follow each other
	op     trace.Op
}

const (
	minNotes = 64
	maxNotes = 4096
	minLuck  = -16
	maxLuck  = 16
)

// guardless is set if locks are taken and given up where nobody sees it.
var guardless bool

// NoGuards says that the program has operations on locks that have no hooks. It is called before the program begins.
func NoGuards() None {
	guardless = true
	return None{}
}

// unguarded is the guard of objects that have none any more, and of locks that guard nothing.
var unguarded = new(object)

// speaks hands in what was noted.
func (g *Goroutine) speaks() {
	if g.hush.state.Load() != loud {
		g.speak()
	}
}

// speak is speaks for a goroutine that is not loud.
func (g *Goroutine) speak() {
	g.hush.lock.lock()
	g.spoken()
	g.hush.lock.unlock()
}

// spoken is speak under the lock: whoever looks for holders of the lock that the goroutine has waits for it.
func (g *Goroutine) spoken() {
	q := &g.hush
	from := uint32(0)
	if q.state.Load() == woken {
		from = q.over
	}
	platformPublish(&q.state, loud)
	g.takeOver(from, q.n.Load())
	g.forget(false)
}

// forget ends the notes of a goroutine that is loud again. Whether it paid to be quiet is remembered: where it mostly
// does not, as where a unit goes on behind the lock, it is only tried from time to time.
func (g *Goroutine) forget(hasPaid bool) {
	q := &g.hush
	if luck := &q.luck[q.site%64]; hasPaid {
		*luck = min(*luck+1, maxLuck)
	} else {
		*luck = max(*luck-4, minLuck)
	}
	platformForget(&q.guard.users[q.slot])
	platformPublish(&q.n, 0)
	q.over, q.guard, q.depth, q.sets, q.told = 0, nil, 0, 0, q.told[:0]
	clear(q.checked[:])
}

// wake takes the notes of another goroutine over, if it is quiet.
func (g *Goroutine) wake() {
	q := &g.hush
	q.lock.lock()
	if q.state.Load() == quiet {
		q.state.Store(woken)
		platformBarrier()
		q.over = q.n.Load()
		g.takeOver(0, q.over)
	}
	q.lock.unlock()
}

// takeOver records what was noted. The goroutine itself may not be the one that does.
func (g *Goroutine) takeOver(from, to uint32) {
	g.hush.isReplay = true
	for i := from; i < to; i++ {
		switch n := &g.hush.notes[i]; n.op {
		case trace.UnitBegin:
			g.begun(n.site, n.number)
		case trace.UnitEnd:
			g.ended()
		case trace.UnitSplit:
			g.split(n.site)
		case trace.UnitWith:
			g.joined(n.site, n.number)
		case trace.ObjectMade, trace.Escape:
			g.record(n.op, n.site, n.number, 0)
		case trace.Lock, trace.RLock:
			g.lockedInside(n.op, n.site, n.object)
		default:
			for site := n.site; site < n.site+n.number; site++ {
				s := &reducedSites[site]
				g.stepped()
				if u := g.found(g.findUser(n.object, s), n.op); u != nil {
					g.noted(u, n.op, s, site)
				}
			}
		}
	}
	g.hush.isReplay = false
}

// notes adds a note, if there is room.
func (g *Goroutine) notes(n note) bool {
	q := &g.hush
	at := q.n.Load()
	if int(at) >= len(q.notes) {
		g.needs(at)
		return false
	}
	q.notes[at] = n
	platformPublish(&q.n, at+1)
	g.speaksIfWoken()
	return true
}

// speaksIfWoken comes behind a note: whoever has woken the goroutine may not have seen it.
func (g *Goroutine) speaksIfWoken() {
	if g.hush.state.Load() != quiet {
		g.speak()
	}
}

// notesFrame notes where a frame begins or ends. It tells whether it has.
func (g *Goroutine) notesFrame(op trace.Op, site, object uint32) bool {
	q := &g.hush
	switch op {
	case trace.UnitBegin:
		if reducedSites[site].Flags&trace.SiteConstructor != 0 || reducedSites[site].Set >= setCount {
			return false
		}
		q.depth++
	case trace.UnitEnd:
		if q.depth == 0 {
			return false
		}
		q.depth--
	case trace.UnitWith:
		if q.depth == 0 || reducedSites[site].Set >= setCount {
			return false
		}
		q.sets |= 1 << reducedSites[site].Set // what the object joins may be one unit with what is around it
	case trace.UnitSplit:
		if reducedSites[site].Set >= setCount {
			return false
		}
		q.sets |= 1 << reducedSites[site].Set // what began before must not be one unit with what comes
		if at := q.n.Load(); at > 0 && q.notes[at-1].op == op && q.notes[at-1].site == site {
			return q.state.Load() == quiet
		}
	default:
		return false
	}
	return g.notes(note{op: op, site: site, number: object})
}

// notesAccess notes an access to an object at so many sites from one on. It tells whether it has; if not, the goroutine
// is loud.
func (g *Goroutine) notesAccess(op trace.Op, o *object, site, sites uint32) bool {
	q, s := &g.hush, &reducedSites[site]
	changes := op != trace.Read
	checked := &q.checked[o.number%uint32(len(q.checked))]
	if checked.object != o || changes && !checked.changes {
		isOwn := g.isOwn(o, s)
		switch {
		case isOwn && !g.told && (o.maker == 0 || s.Flags&trace.SiteKnown == 0):
			return true
		case isOwn || !g.canNote(o, changes):
			g.speaks()
			return false
		}
		*checked = check{o, changes} // who becomes a user from now on, or begins to write, without the lock, wakes it
	}
	at := q.n.Load()
	if int(at) >= len(q.notes) || s.Set >= setCount || changes && (q.isShared || op != trace.Write) {
		g.needs(at)
		g.speaks()
		return false
	}
	q.sets |= 1 << s.Set
	q.notes[at] = note{object: o, site: site, number: sites, op: op}
	platformPublish(&q.n, at+1)
	g.speaksIfWoken()
	return true
}

// needs comes where a note is not made: there may have been no room for it.
func (g *Goroutine) needs(at uint32) {
	if q := &g.hush; int(at) >= len(q.notes) {
		q.want = min(4*len(q.notes), maxNotes)
	}
}

// canNote tells whether the lock that is held guards an object, and nobody uses it, or for a look, whether nobody who
// uses it has written.
func (g *Goroutine) canNote(o *object, changes bool) bool {
	if o.owner.Load() != everybody {
		o.owner.Store(everybody) // it is not private, see isPrivate
	}
	guard := o.guard.Load()
	if guard == nil && !(changes && g.hush.isShared) && o.guard.CompareAndSwap(nil, g.hush.guard) {
		guard = g.hush.guard
	}
	if guard != g.hush.guard || o.isUsed(changes) {
		return false
	}
	o.metBy(g)
	return true
}

// isOwn tells whether a goroutine alone can reach an object, and nobody has to be told of an access to it.
func (g *Goroutine) isOwn(o *object, s *trace.ReducedSite) bool {
	return o.owner.Load() == g.number && o.made == g.published+strangers.Load() && s.Flags&trace.SiteStatic == 0
}

// tells records that an object became known, or notes that.
func (g *Goroutine) tells(op trace.Op, class, object uint32) {
	if g.hush.state.Load() != loud {
		n := note{op: op, site: class, number: object}
		if g.hush.told = append(g.hush.told, n); g.notes(n) {
			return
		}
		g.speaks()
	}
	g.record(op, class, object, 0)
}

// isUsed tells whether somebody uses the object, or for a look, whether somebody who uses it may have written. Who has
// stopped too long ago to be in a conflict does not count, until it uses the object again: see revive.
func (o *object) isUsed(changes bool) bool {
	u := &o.users
	if u[0].Load() == nil && u[1].Load() == nil && u[2].Load() == nil && u[3].Load() == nil && u[4].Load() == nil &&
		u[5].Load() == nil && o.crowd.Load() == 0 {
		return false
	}
	for i := range u {
		if v := u[i].Load(); v != nil && (changes || v.writes.Load()) && !v.isExpired() {
			return true
		}
	}
	return o.crowd.Load() > 0
}

// hushes lets the goroutine be quiet from here on, where it has taken a lock. It tells whether it is.
func (g *Goroutine) hushes(op trace.Op, site uint32, o *object) bool {
	q := &g.hush
	if !canHush || guardless || len(g.offers) > 0 || g.makers > 0 || g.withs > 0 || o.guard.Load() == unguarded {
		return false
	}
	if luck := &q.luck[site%64]; *luck < 0 {
		if *luck++; *luck < 0 {
			return false
		}
	}
	if q.self == nil {
		q.self, q.want = &user{g: g}, minNotes
	}
	if len(q.notes) < q.want {
		q.notes = make([]note, q.want)
	}
	if q.slot = o.hold(q.self); q.slot < 0 {
		return false
	}
	q.guard, q.isShared, q.site = o, op == trace.RLock, site
	if len(g.frames) > 0 {
		q.notes[0] = note{object: o, site: site, op: op}
		platformPublish(&q.n, 1)
	}
	q.state.Store(quiet)
	return true
}

// hold finds a place among the holders of a lock, -1 if there is none.
func (o *object) hold(u *user) int {
	for i := range o.users {
		if o.users[i].Load() == nil && o.users[i].CompareAndSwap(nil, u) {
			return i
		}
	}
	return -1
}

// endsQuietly ends the critical section of a lock that is about to be given up, if all that was noted can be forgotten:
// the units that it belongs to have ended, or are of the innermost frames and end here. It tells whether it has. If
// not, the goroutine is loud.
func (g *Goroutine) endsQuietly(o *object, frames int) bool {
	q := &g.hush
	q.lock.lock()
	isOver := q.state.Load() == quiet && q.guard == o && q.depth == 0 && g.endHere(frames)
	if isOver {
		platformPublish(&q.state, loud)
		g.steps += uint64(q.n.Load())
		for _, n := range q.told { // no frame of a constructor is open: it does not matter in which frames they are
			g.append(n.op, n.site, n.number, 0)
		}
		g.forget(true)
	} else {
		g.spoken()
	}
	q.lock.unlock()
	if isOver {
		g.counted()
		g.worked()
	}
	return isOver
}

// endHere tells whether all units that notes belong to end here, with the innermost frames.
func (g *Goroutine) endHere(frames int) bool {
	outer := len(g.frames) - frames
	if outer < 0 || frames > 0 && (g.unput < frames || len(g.users) > g.frames[outer].users || len(g.retirees) > 0) {
		return false
	}
	for i := range g.frames {
		switch f := &g.frames[i]; {
		case i < outer && g.hush.sets>>(f.set%setCount)&1 != 0, i >= outer && (!f.outermost || f.withs > 0):
			return false
		}
	}
	return true
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
	for i := range o.users {
		if u := o.users[i].Load(); u != nil && u.g != but {
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
func (g *Goroutine) guarded(o *object, changes bool) {
	guard := o.guard.Load()
	switch {
	case guard == unguarded || g.hush.isReplay:
	case guard == nil:
		if n := len(g.hush.locks); n > 0 && o.owner.Load() == everybody && g.holds(g.hush.locks[n-1].lock, changes) {
			o.guard.CompareAndSwap(nil, g.hush.locks[n-1].lock)
		}
	case !g.holds(guard, changes):
		o.guard.Store(unguarded)
		guard.wakeHolders(g)
	}
}
