package hook

import (
	"math/bits"
	"slices"
	"sync/atomic"

	"github.com/empire-go/empire-go/dynamic/trace"
)

// A conflict with somebody who does nothing is latent.
//
// A unit that lasts long, or whose goroutine has to wait for a processor, is in conflict with all that others do
// meanwhile, which may be thousands of units. But in each match one of the two units comes between two events of the
// other. So a goroutine that begins to use an object stays soft when it finds others in conflict with it: they have
// come first, and their records become firm. As long as none of them accesses an object again about which they are in
// conflict, what the goroutine does comes behind all of theirs, and before all that is still to come. Who does so
// makes firm, before that, what others have soft there (see acts): in time, so all that is said of soft records
// holds.
//
// When the unit ends (see resolve), three cases are left. The others use none of its objects any more: then it comes
// behind all that they have done, and is part of no match. Or the goroutine has recorded a unit that is like it, and
// none of those who still use its objects has recorded anything about these since: then of each of them, what comes
// before the one of the two comes before the other one, and so does what comes behind them. Each match of it is one of
// the unit that is there, of the same code at the same locations. Else it becomes firm.
//
// So what others record who have come and gone in between does not count: their units are in a row with both. Nor can a
// match be lost of which both units are left out. Of two that are in a conflict, who comes second makes firm what the
// first one has done, before it does anything itself. Reads of both may be in another order: they commute.
//
// How often a unit like it was recorded, beside others of the same code, is no reason to leave it out. Say that a
// writes a field while b, which has read it, is open: a thousand times b ends after that, and once it reads the field
// again. That read makes the only match, and it comes when the last a has ended. What has come before it is the same
// each time, so whatever counts only that loses the match, also where one witness for each code is enough. See
// TestSeldom.
//
// Who in a conflict leaves out what it has recorded before must not do so behind the accesses of somebody whose
// records are soft. So whoever finds a user in conflict says that to it: it is disturbed. Both of them come to know
// of each other since who begins to use an object takes its place first, and then the lock under which the others
// look whom they have to make firm.

// comesLast comes where a user has found others in conflict with it.
func (g *Goroutine) comesLast(u *user) {
	if g.inConflict.has(u.set) {
		return
	}
	g.latent.add(u.set)
	u.object.exact.lock() // whoever accesses it from here on finds the user
	u.object.exact.unlock()
}

// acts comes before a record of a user gets its version, under the lock of the object: it makes firm what others have
// soft that is in conflict with it. As long as nobody else records anything there, or begins to use the object or to
// change it, that is done: who would have something soft there has been found, or has found this one.
func (g *Goroutine) acts(u *user, op trace.Op) {
	changes := !op.IsLook()
	if u.version != u.at.Load() || u.disturbed.Load() {
		u.acted = false
	}
	if !u.acted || changes && !u.actedAll {
		u.acted, u.actedAll = true, changes
		g.exposes(u, changes)
	}
	if turn := u.object.turnTo(g, u.order); u.turnAt.Load() != turn {
		u.turnAt.Store(turn)
	}
}

// exposes makes firm what others have soft that is in conflict with a user.
func (g *Goroutine) exposes(u *user, changes bool) {
	if u.disturbed.Load() {
		u.disturbed.Store(false)
	}
	seats := u.object.seatsIn(u.order)
	for i := range seats.slots() {
		if v := seats.opponent(u, i, changes); v != nil {
			v.g.alarm.Add(1)
			v.g.expose(v.set)
		}
	}
}

// turnTo says that a goroutine is the last one that has recorded an access to the object in an order. It returns how
// often that was another one than before.
func (o *object) turnTo(g *Goroutine, order uint8) uint32 {
	turn := o.turnIn(order)
	for {
		old := turn.Load()
		if uint32(old>>32) == g.number {
			return uint32(old)
		}
		if turn.CompareAndSwap(old, uint64(g.number)<<32|uint64(uint32(old)+1)) {
			return uint32(old) + 1
		}
	}
}

// hasTurned is turnTo where it is not known what the goroutine does to the object.
func (o *object) hasTurned(g *Goroutine, order uint8) {
	turn, seats := o.turnTo(g, order), o.seatsIn(order)
	for i := range seats.slots() {
		if u := seats.slot(i).Load(); u != nil && u.g == g {
			u.turnAt.Store(turn)
		}
	}
}

// turnIn returns who has recorded an access to the object last in an order, and how often that was another one than
// before.
func (o *object) turnIn(order uint8) *atomic.Uint64 {
	if order == 0 {
		return &o.turn
	}
	return &o.in(order).turn
}

// kind is what a unit has recorded.
type kind struct {
	set          uint16
	isSplit      bool // it began with a round of a loop
	site, object uint32
	actions      []action
	turns        []taken
}

// action is a record without its version.
type action struct {
	op           trace.Op
	site, object uint32
}

// taken is which turn it was at an object of a unit.
type taken struct {
	object   *object
	order    uint8
	isShared bool
	turn     uint32
}

const (
	minKinds   = 16
	maxKinds   = 256
	maxActions = 64
)

// kinds is units that are recorded, whose like need not be, by a hash.
type kinds struct {
	all    []kind // a power of two
	misses int    // kinds that had to go
}

// at returns the place of a kind.
func (k *kinds) at(hash uint64) *kind {
	if len(k.all) == 0 || k.misses > 4*len(k.all) && len(k.all) < maxKinds {
		k.all, k.misses = make([]kind, max(minKinds, 4*len(k.all))), 0
	}
	return &k.all[(hash^hash>>32)%uint64(len(k.all))]
}

func (k *kind) is(f *opened, actions []action) bool {
	return k.set == f.set && k.site == f.site && k.object == f.object && k.isSplit == f.isSplit() &&
		slices.Equal(k.actions, actions)
}

// hashOf returns the hash of a unit of a frame.
func hashOf(f *opened, actions []action) uint64 {
	const prime = 0x9e3779b97f4a7c15
	h := (uint64(f.site) | uint64(f.object)<<32) * prime
	for _, a := range actions {
		h = (bits.RotateLeft64(h, 25) ^ uint64(a.op) ^ uint64(a.site)<<8 ^ uint64(a.object)<<32) * prime
	}
	return h
}

// resolve comes before what a goroutine has soft of frame f, number i, is dropped, where a unit of it ends. If it is
// in a latent conflict and may be part of a match, it becomes firm.
func (g *Goroutine) resolve(i int, f *opened) {
	if !g.latent.has(f.set) || g.inConflict.has(f.set) || !g.isOpposed(f.set) {
		return
	}
	g.soft.lock() // who makes records firm uses the same memory
	isKnown := g.gather(i, f)
	g.soft.unlock()
	if !isKnown {
		g.expose(f.set)
		return
	}
	k := g.kinds.at(hashOf(f, g.actions))
	isLike := k.is(f, g.actions)
	if isLike && !slices.ContainsFunc(k.turns, g.isOver) {
		return
	}
	if !isLike && k.set != 0 {
		g.kinds.misses++
	}
	g.expose(f.set)
	g.keeps(k, f)
}

func (f *opened) isSplit() bool { return f.split > f.start }

// isOver tells whether somebody else who uses the object has recorded an access to it since it was that turn.
func (g *Goroutine) isOver(t taken) bool {
	seats := t.object.seatsIn(t.order)
	if t.object.shared.Load() != t.isShared || seats.isCrowded() {
		return true
	}
	for i := range seats.slots() {
		if v := seats.slot(i).Load(); v != nil && v.g != g && v.turnAt.Load() > t.turn {
			return true
		}
	}
	return false
}

// isOpposed tells whether somebody is still in a conflict with the goroutine about a set.
func (g *Goroutine) isOpposed(set uint16) bool {
	if len(g.retirees) > 0 {
		return true
	}
	for _, u := range g.users {
		if u.set != set {
			continue
		}
		seats := u.object.seatsIn(u.order)
		if u.slot < 0 || seats.isCrowded() {
			return true
		}
		for i := range seats.slots() {
			if v := seats.opponent(u, i, u.writes.Load()); v != nil && !v.isExpired() {
				return true
			}
		}
	}
	return false
}

// gather collects what a unit of frame f, number i, has recorded. It tells whether that is known, and all of it is
// soft.
func (g *Goroutine) gather(i int, f *opened) bool {
	g.actions = g.actions[:0]
	start := max(f.start, f.split)
	if !g.isWhole(f) || f.flushed || f.crossed || f.withs > 0 || len(g.offers) > 0 || len(g.retirees) > 0 ||
		f.flags&trace.SiteConstructor != 0 ||
		slices.ContainsFunc(g.frames[min(i+1, len(g.frames)):], func(o opened) bool { return o.set == f.set }) {
		return false
	}
	open := g.nested[:0] // whether the frames that begin here are of the set
	for at := start; at < g.at; at += trace.RecordSize {
		r := trace.GetRecord(g.block[at:])
		isSoft, isOf := r.Op&trace.Soft != 0, reducedSites[r.Site].Set == f.set
		switch r.Op &^= trace.Soft | trace.Shared; r.Op {
		case trace.Read, trace.Write, trace.RMW, trace.AtomicRead, trace.AtomicWrite, trace.UnitSplit:
		case trace.UnitBegin:
			if at == f.start {
				continue
			}
			open = append(open, isOf)
		case trace.UnitEnd:
			if len(open) == 0 {
				return false
			}
			isOf = open[len(open)-1]
			open = open[:len(open)-1]
		case trace.UnitWith:
			return false
		default:
			continue
		}
		if isOf && (!isSoft || len(g.actions) == maxActions) {
			return false
		}
		if isOf {
			g.actions = append(g.actions, action{r.Op, r.Site, r.Object})
		}
	}
	g.nested = open
	return true
}

// keeps remembers a unit of a frame, which has become firm.
func (g *Goroutine) keeps(k *kind, f *opened) {
	*k = kind{set: f.set, isSplit: f.isSplit(), site: f.site, object: f.object, turns: k.turns[:0],
		actions: append(k.actions[:0], g.actions...)}
	for _, e := range g.actions {
		if e.op > trace.AtomicWrite ||
			slices.ContainsFunc(k.turns, func(t taken) bool { return t.object.number == e.object }) {
			continue
		}
		u := slices.IndexFunc(g.users, func(u *user) bool { return u.set == f.set && u.object.number == e.object })
		if u < 0 {
			k.set = 0
			return
		}
		o, order := g.users[u].object, g.users[u].order
		turn := o.turnIn(order).Load()
		if uint32(turn>>32) != g.number { // somebody else has come since it became firm
			k.set = 0
			return
		}
		k.turns = append(k.turns, taken{o, order, o.shared.Load(), uint32(turn)})
	}
}
