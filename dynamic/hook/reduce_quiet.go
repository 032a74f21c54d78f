package hook

import (
	"slices"
	"sync/atomic"

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
// Which lock that is, and who loses it, is in reduce_guards.go.
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
// # Locks in locks
//
// Who is quiet and takes another lock stays quiet, and notes that. From then on objects may have the one guard or the
// other: each lock is a level. When the lock of the innermost level is given up, and no frame of the sets of what was
// noted by its guard stays open, or began before the goroutine was quiet, then all units on those sets that it was in
// have ended, or end here, and are in the notes as a whole. They have been in no conflict about anything that they did
// (no matter by which guard that was noted), so what they did since the level began may be forgotten, as above, and
// nobody who takes the lock from then on can be in one with what is left: that has other guards. What is left of these
// units themselves, from before the level began, is part of no match either, and goes with the outer levels. If not,
// everything is handed in before the lock is given up. What stays noted behind the release of a lock is handed in later
// than others have learned of that, in its order, and gets its versions then. That is as if it had taken place then:
// what it is about has been used by nobody else meanwhile, or it would have been taken over. So nobody can wait for
// each other in the reader, see the documentation of reducing. Nothing of the release of the inner lock itself is
// recorded before.
//
// # Who sees what
//
// A goroutine that is quiet (q) writes a note, makes it known by a plain store of how many there are, and then looks
// whether it is still quiet; the processor may do that before the store is seen. Whoever takes over (t) first changes
// that word, then has the system carry out a memory barrier on all processors that run the program (platformBarrier),
// and then looks how many notes there are. So either t sees the note, or q sees that it is not quiet any more before
// it carries out its access, and hands in what t has not seen.
//
// t makes itself a user of the object before it looks at its guard, and takes that away, and counts itself among the
// uses of the object, before it looks for the holders of the lock; q becomes a holder, and quiet, before it looks at
// uses, guards and users. All of these are operations of package atomic, which are seen in one order. So if t does
// not find q among the holders, q finds that the object has another guard; and if t does not find the guard that
// somebody has just given the object, q finds t among the users.
//
// What q has found out about an object nobody who holds its guard need look at again as long as the uses of the object
// are the same: whoever begins to use it, or to change it, counts itself, whether it holds the guard or takes it away.
// Who has done so before q looks is among the uses that q finds; who does it later does not hold the lock, and wakes q,
// or looks, as q does. That holds for whoever takes the lock later, too, in the place of q.

// The states of a goroutine.
const (
	loud  = iota // all that it does is known
	quiet        // what it does is noted
	woken        // likewise, but somebody else has taken over the notes that it had
)

// hush is what a goroutine knows of its critical sections.
type hush struct {
	state    atomic.Uint32
	lock     spin // of who takes notes over
	notes    []note
	n        atomic.Uint32 // of them
	over     uint32        // so many of them somebody else has taken over
	levels   []level       // the locks by which notes are made, the innermost one last
	open     []uint16      // the sets of frames that have begun in the notes
	joins    bool          // objects have joined some of them
	told     []note        // of objects that became known
	isReplay bool          // notes are being taken over
	self     *user         // stands for the goroutine among the holders of locks
	luck     [64]int8      // of critical sections, by site: how often it paid
	want     int           // how many notes there is to be room for
	locks    []grip        // that the goroutine holds
}

// level is a lock that is held while the goroutine is quiet.
type level struct {
	lock     *object
	slot     int    // of the goroutine among its holders
	isShared bool   // others may hold it, too
	site     uint32 // where it was taken
	sets     uint64 // of what was noted by its guard; of the first level, of stretches that have begun, too
	begin    uint32 // how many notes there were
}

const maxLevels = 4

// note is something that a goroutine has done.
type note struct {
	object *object // of an access, or a lock
	site   uint32
	number uint32 // of the object of a frame; how many sites follow each other
	op     trace.Op
	frames uint8  // that begin, or end
	on     uint16 // those that are on the object
}

const (
	minNotes = 64
	maxNotes = 4096
	minLuck  = -16
	maxLuck  = 16
)

// speaks hands in what was noted.
func (g *Goroutine) speaks() {
	if g.hush.state.Load() != loud {
		g.speak()
	}
}

// speak is speaks for a goroutine that is not loud.
func (g *Goroutine) speak() {
	g.era++
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

// forget ends the notes of a goroutine that is loud again.
func (g *Goroutine) forget(hasPaid bool) {
	q := &g.hush
	for len(q.levels) > 0 {
		g.leaveLevel(hasPaid)
	}
	platformPublish(&q.n, 0)
	q.over, q.open, q.joins, q.told = 0, q.open[:0], false, q.told[:0]
}

// leaveLevel ends the innermost level. Whether it paid is remembered: where it mostly does not, as where a unit goes on
// behind the lock, it is only tried from time to time.
func (g *Goroutine) leaveLevel(hasPaid bool) {
	q := &g.hush
	l := &q.levels[len(q.levels)-1]
	if luck := &q.luck[l.site%64]; hasPaid {
		*luck = min(*luck+1, maxLuck)
	} else {
		*luck = max(*luck-4, minLuck)
	}
	platformForget(&l.lock.seats.Load().users[l.slot])
	q.levels = q.levels[:len(q.levels)-1]
}

// wake takes the notes of another goroutine over, if it is quiet.
func (g *Goroutine) wake() {
	q := &g.hush
	q.lock.lock()
	if q.state.Load() == quiet {
		q.state.Store(woken)
		g.alarm.Add(1)
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
			g.begunEach(n.site, n.number, n.on, int(n.frames))
		case trace.UnitEnd:
			for range n.frames {
				g.ended()
			}
		case trace.UnitSplit:
			g.split(n.site)
		case trace.UnitWith:
			g.joined(n.site, n.number)
		case trace.ObjectMade, trace.Escape, trace.Worked:
			g.record(n.op, n.site, n.number, 0)
		case trace.Lock, trace.RLock, trace.Unlock, trace.RUnlock:
			g.lockMoves(n.op, n.site, n.object)
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
func (g *Goroutine) notes(op trace.Op, o *object, site, number uint32) bool {
	return g.notesFrames(op, o, site, number, 0, 0)
}

// notesFrames is notes for so many frames, some of them on the object with the number.
func (g *Goroutine) notesFrames(op trace.Op, o *object, site, number uint32, frames int, on uint16) bool {
	q := &g.hush
	at := q.n.Load()
	if int(at) >= len(q.notes) {
		g.needs(at)
		return false
	}
	n := &q.notes[at] // field by field: a copy would wait for its parts
	n.object, n.site, n.number, n.op, n.frames, n.on = o, site, number, op, uint8(frames), on
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
	q, s := &g.hush, &reducedSites[site]
	switch {
	case op == trace.UnitBegin:
		return g.notesBegins(site, object, 1, 1)
	case op == trace.UnitEnd:
		return g.notesEnds(1)
	case s.Set >= setCount:
		return false
	}
	switch op {
	case trace.UnitWith:
		if len(q.open) == 0 {
			return false
		}
		q.joins = true
		q.levels[0].sets |= 1 << s.Set // what the object joins may be one unit with what is around it
	case trace.UnitSplit:
		q.levels[0].sets |= 1 << s.Set // what began before must not be one unit with what comes
		if at := q.n.Load(); at > 0 && q.notes[at-1].op == op && q.notes[at-1].site == site {
			return q.state.Load() == quiet
		}
	default:
		return false
	}
	return g.notes(op, nil, site, object)
}

// notesBegins notes where frames begin whose sites follow each other. It tells whether it has.
func (g *Goroutine) notesBegins(site, object uint32, on uint16, n int) bool {
	q, sites := &g.hush, reducedSites[site:site+uint32(n)]
	for i := range sites {
		if sites[i].Set >= setCount || sites[i].Flags&trace.SiteConstructor != 0 {
			return false
		}
	}
	for i := range sites {
		q.open = append(q.open, sites[i].Set)
	}
	return g.notesFrames(trace.UnitBegin, nil, site, object, n, on)
}

// notesEnds notes where the innermost frames end, if all of them have begun in the notes. It tells whether it has.
func (g *Goroutine) notesEnds(n int) bool {
	g.era++
	q := &g.hush
	if g.hush.state.Load() == loud || len(q.open) < n {
		return false
	}
	q.open = q.open[:len(q.open)-n]
	return g.notesFrames(trace.UnitEnd, nil, 0, 0, n, 0)
}

// notesAccess notes an access to an object, at so many sites from one on. It tells whether it has; if not, the
// goroutine is loud.
func (g *Goroutine) notesAccess(op trace.Op, o *object, site, sites uint32) bool {
	q, s := &g.hush, &reducedSites[site]
	l := g.proven(o, s.Order, op != trace.Read)
	if l == nil {
		isOwn := false
		if l, isOwn = g.proves(op, o, s); isOwn {
			return true
		}
	}
	at, notes := int(q.n.Load()), q.notes
	if l == nil || at >= len(notes) || s.Set >= setCount || op > trace.Write {
		g.speaksFor(l)
		return false
	}
	l.sets |= 1 << s.Set
	g.minds(s)
	g.calm = s.Flags&trace.SitePlain != 0
	n := &notes[at] // see notesFrames
	n.object, n.site, n.number, n.op = o, site, sites, op
	platformPublish(&q.n, uint32(at)+1)
	g.speaksIfWoken()
	return true
}

// proves is proven for an access of which that is not known yet. It tells whether the access is to be left out, since
// only the goroutine can reach the object.
func (g *Goroutine) proves(op trace.Op, o *object, s *trace.ReducedSite) (l *level, isLeft bool) {
	changes, isOwn := op != trace.Read, g.isOwn(o, s)
	if isOwn && !g.told && (o.maker == 0 || s.Flags&trace.SiteKnown == 0) {
		return nil, true
	}
	uses := o.uses.Load() // whoever counts itself from here on is seen
	if !isOwn {
		l = g.canNote(o, s.Order, changes)
	}
	if l != nil {
		o.proves(uses, s.Order, changes)
	}
	return l, false
}

// speaksFor is speaks where an access is not noted. If that was proven, there may have been no room for it.
func (g *Goroutine) speaksFor(l *level) {
	if l != nil {
		g.needs(g.hush.n.Load())
	}
	g.speaks()
}

// needs comes where a note is not made: there may have been no room for it.
func (g *Goroutine) needs(at uint32) {
	if q := &g.hush; int(at) >= len(q.notes) {
		q.want = min(4*len(q.notes), maxNotes)
	}
}

// tells records that an object became known, or notes that.
func (g *Goroutine) tells(op trace.Op, class, object uint32) {
	if g.hush.state.Load() != loud {
		n := note{op: op, site: class, number: object}
		if g.hush.told = append(g.hush.told, n); g.notes(op, nil, class, object) {
			return
		}
		g.speaks()
	}
	g.record(op, class, object, 0)
}

// hushes lets the goroutine be quiet from here on, where it has taken a lock. It tells whether it is.
func (g *Goroutine) hushes(op trace.Op, site uint32, o *object) bool {
	q := &g.hush
	if !canHush || guardless || len(g.offers) > 0 || g.withs > 0 {
		return false
	}
	if q.self == nil {
		q.self, q.want, q.levels = &user{g: g}, minNotes, make([]level, 0, maxLevels)
	}
	if len(q.notes) < q.want {
		q.notes = make([]note, q.want)
	}
	if !g.enters(op, site, o) {
		return false
	}
	if len(g.frames) > 0 {
		q.notes[0] = note{object: o, site: site, op: op}
		platformPublish(&q.n, 1)
	}
	q.state.Store(quiet)
	return true
}

// enters begins a level, where a lock was taken. It tells whether it has.
func (g *Goroutine) enters(op trace.Op, site uint32, o *object) bool {
	q := &g.hush
	if o.guard.Load() == unguarded || len(q.levels) == maxLevels {
		return false
	}
	if luck := &q.luck[site%64]; *luck < 0 {
		if *luck++; *luck < 0 {
			return false
		}
	}
	slot := o.hold(q.self)
	if slot < 0 {
		return false
	}
	q.levels = q.levels[:len(q.levels)+1]
	q.levels[len(q.levels)-1] = level{lock: o, slot: slot, isShared: op == trace.RLock, site: site,
		begin: q.n.Load()}
	return true
}

// movesQuietly notes that a goroutine that is quiet takes another lock, or gives one up. It tells whether it has. If
// not, the goroutine is loud, or what is given up is the lock by which it has begun to be quiet.
func (g *Goroutine) movesQuietly(op trace.Op, site uint32, o *object, frames int) bool {
	q := &g.hush
	switch op {
	case trace.Lock, trace.RLock:
		if g.notes(op, o, site, 0) {
			if q.state.Load() != loud {
				g.enters(op, site, o)
			}
			return true
		}
	case trace.Unlock, trace.RUnlock:
		last := len(q.levels) - 1
		if q.levels[last].lock == o {
			return last > 0 && g.endsLevel(op, site, frames)
		}
		isLevel := slices.ContainsFunc(q.levels, func(l level) bool { return l.lock == o })
		if !isLevel && g.notes(op, o, site, 0) {
			return true
		}
	}
	g.speaks()
	return false
}

// endsLevel ends the innermost level, whose lock is about to be given up, if the units that it is about end there. It
// tells whether it has. If not, the goroutine is loud.
func (g *Goroutine) endsLevel(op trace.Op, site uint32, frames int) bool {
	q := &g.hush
	q.lock.lock()
	isOver := q.state.Load() == quiet && g.levelEnds(frames)
	if isOver {
		g.forgetLevel(op, site)
		g.leaveLevel(true)
	} else {
		g.spoken()
	}
	q.lock.unlock()
	if isOver && g.told {
		g.told = false
		g.tells(trace.Worked, 0, 0)
	}
	return isOver
}

// levelEnds tells whether all units that something was noted of by the guard of the innermost level are in the notes,
// and have ended, or end with the innermost frames.
func (g *Goroutine) levelEnds(frames int) bool {
	q := &g.hush
	l := &q.levels[len(q.levels)-1]
	if q.joins || int(q.n.Load()) == len(q.notes) {
		return false
	}
	for i := range g.frames {
		if f := &g.frames[i]; f.set < setCount && l.sets>>f.set&1 != 0 {
			return false
		}
	}
	for _, set := range q.open[:max(0, len(q.open)-frames)] {
		if l.sets>>set&1 != 0 {
			return false
		}
	}
	return true
}

// forgetLevel takes the accesses of the sets of the innermost level that were noted since it began out of the notes,
// and its critical section, if nothing is left in it.
func (g *Goroutine) forgetLevel(op trace.Op, site uint32) {
	q := &g.hush
	l := &q.levels[len(q.levels)-1]
	to, n := l.begin, q.n.Load()
	for from := l.begin; from < n; from++ {
		x := &q.notes[from]
		if x.op <= trace.AtomicWrite && l.sets>>reducedSites[x.site].Set&1 != 0 {
			g.steps++
			continue
		}
		q.notes[to] = *x
		to++
	}
	g.counted()
	if last := to - 1; to > 0 && q.notes[last].object == l.lock && q.notes[last].op == op-1 {
		to--
	} else {
		q.notes[to] = note{object: l.lock, site: site, op: op}
		to++
	}
	platformPublish(&q.n, to)
}

// endsQuietly ends the critical section of a lock that is about to be given up, if all that was noted can be forgotten:
// the units that it belongs to have ended, or are of the innermost frames and end here. It tells whether it has. If
// not, the goroutine is loud.
func (g *Goroutine) endsQuietly(o *object, frames int) bool {
	q := &g.hush
	q.lock.lock()
	isOver := q.state.Load() == quiet && len(q.levels) == 1 && q.levels[0].lock == o && len(q.open) == 0 &&
		g.endHere(frames)
	if isOver {
		platformPublish(&q.state, loud)
		g.steps += uint64(q.n.Load())
		if len(q.told) > 0 && g.makers > 0 {
			g.putFrames() // that they are in the frames of a constructor matters, but no frame that was noted is of one
		}
		for _, n := range q.told {
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
		case i < outer && g.hush.levels[0].sets>>(f.set%setCount)&1 != 0, i >= outer && (!f.outermost || f.withs > 0):
			return false
		}
	}
	return true
}
