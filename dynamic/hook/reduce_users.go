package hook

import (
	"sync/atomic"

	"github.com/empire-go/empire-go/dynamic/trace"
)

// Who uses an object, and who of them are in conflict.

// use is who uses an object.
type use struct {
	shared atomic.Bool            // another one than the first has used it
	owner  atomic.Uint32          // the goroutine that alone can reach it, as far as is known; everybody
	first  atomic.Uint32          // the goroutine that was the first to use it when others could, too
	maker  uint32                 // the constructor that has made it, until others may have it where it is accessed
	guard  atomic.Pointer[object] // the lock that is held at accesses to it, see reduce_guards.go
	seats  atomic.Pointer[seats]  // in its first order, if it has ever had a user
	others atomic.Pointer[order]  // those behind that, if there are any
	made   uint64                 // when the owner has made it: see reduction.published
}

// seats are the users of an object in an order.
type seats struct {
	users [maxUsers]atomic.Pointer[user]
	more  atomic.Pointer[[maxMore]atomic.Pointer[user]] // if there have been so many at once
	crowd atomic.Int32                                  // those that have no slot
}

// slots is how many slots there are.
func (s *seats) slots() int {
	switch {
	case s == nil:
		return 0
	case s.more.Load() != nil:
		return maxUsers + maxMore
	}
	return maxUsers
}

// isCrowded tells whether some users have no slot.
func (s *seats) isCrowded() bool { return s != nil && s.crowd.Load() > 0 }

// slot returns one of them.
func (s *seats) slot(i int) *atomic.Pointer[user] {
	if i < maxUsers {
		return &s.users[i]
	}
	return &s.more.Load()[i-maxUsers]
}

// take gives a user of a goroutine with a number a slot, if one is free, and says which: -1 if none is.
func (s *seats) take(u *user, number uint32) int8 {
	for i := range maxUsers {
		at := (i + int(number)) % maxUsers
		if s.users[at].Load() == nil && s.users[at].CompareAndSwap(nil, u) {
			return int8(at)
		}
	}
	if s.more.Load() == nil {
		s.more.CompareAndSwap(nil, new([maxMore]atomic.Pointer[user]))
	}
	for at := maxUsers; at < maxUsers+maxMore; at++ {
		if slot := s.slot(at); slot.Load() == nil && slot.CompareAndSwap(nil, u) {
			return int8(at)
		}
	}
	return -1
}

// opponent returns the user in a slot if it is in a conflict with u, which writes or does not; nil if not.
func (s *seats) opponent(u *user, i int, writes bool) *user {
	v := s.slot(i).Load()
	if v == nil || v.g == u.g || !writes && !v.writes.Load() {
		return nil
	}
	return v
}

// order is what an object has in one of its orders behind the first one. Most objects have none of these, or one.
type order struct {
	version atomic.Uint64
	turn    atomic.Uint64
	guard   atomic.Pointer[object]
	seats
	next atomic.Pointer[order]
}

// in returns what the object has in an order behind its first one.
func (o *object) in(number uint8) *order {
	at := &o.others
	for {
		if at.Load() == nil {
			at.CompareAndSwap(nil, new(order))
		}
		found := at.Load()
		if number <= 1 {
			return found
		}
		number, at = number-1, &found.next
	}
}

const (
	everybody = ^uint32(0)
	// maxUsers is how many users of an object are told apart without more memory, maxMore how many with it; the rest
	// record all that they do, and all others are in conflict with them.
	maxUsers = 6
	maxMore  = 10
)

// versions returns the version in one of the orders of the object, the next one.
func (o *object) versions(order uint8) *atomic.Uint64 {
	if order == 0 {
		return &o.version
	}
	return &o.in(order).version
}

// seatsIn returns the users of the object in one of its orders, nil if it has never had one. Most objects have none:
// all that is done to them is private, or noted.
func (o *object) seatsIn(order uint8) *seats {
	if order == 0 {
		return o.seats.Load()
	}
	return &o.in(order).seats
}

// seatsFor is seatsIn for somebody who is about to take a seat.
func (o *object) seatsFor(order uint8) *seats {
	if order == 0 && o.seats.Load() == nil {
		o.seats.CompareAndSwap(nil, new(seats))
	}
	return o.seatsIn(order)
}

// guardOf returns the guard of the object in one of its orders.
func (o *object) guardOf(order uint8) *atomic.Pointer[object] {
	if order == 0 {
		return &o.guard
	}
	return &o.in(order).guard
}

// take takes the version of an operation on the object, and returns it with the one behind it.
func (o *object) take(op trace.Op, site uint32) (version, next uint64) {
	if !reducing {
		next = o.version.Add(1)
		return next - 1, next
	}
	versions := o.versions(reducedSites[site].Order)
	for {
		version = versions.Load()
		if next = trace.NextVersion(op, version); next == version || versions.CompareAndSwap(version, next) {
			return version, next
		}
	}
}

// sharedBit is what records of accesses to the object have.
func (o *object) sharedBit() trace.Op {
	if o.shared.Load() {
		return trace.Shared
	}
	return 0
}

// user is what a goroutine does to an object in the open units of a set.
type user struct {
	g      *Goroutine
	object *object
	set    uint16
	order  uint8
	at     *atomic.Uint64 // the version of the object in that
	slot   int8           // among the users of the object; -1: it has none
	isTwin bool           // the goroutine uses the object for another set in the same order, too, or has
	based  bool           // its unit is that of a method on the object
	writes atomic.Bool
	idle   atomic.Bool   // its frame has ended within another one of the set
	since  atomic.Uint64 // when that was
	// somebody else has begun to use the object, or to change it, and may have no version of it yet: see latent
	disturbed atomic.Bool
	acted     bool          // all who are in conflict with its looks know of its records so far, see acts
	actedAll  bool          // likewise, with its changes
	turnAt    atomic.Uint32 // at the object when it has recorded something last, see turnTo

	joined  uint64 // the serial of the goroutine when it was last not idle any more
	retired bool   // it is among the retirees
	isStale bool   // it has done nothing since the round of a loop has begun: see dropStale

	mask     uint64 // fields that were read without a token (even bits) and written, under the view
	exact    uint64 // those that were read and written at once (even bits) and incremented, likewise
	plain    uint32 // those that were accessed and not just incremented, see turns
	turn     uint32 // of the set, when that was last looked at
	passing  uint64 // tokens of reads under the view that may not have been forgotten
	older    uint64 // likewise, of those before
	reads    uint64 // the tokens of reads under the view that are not forgotten
	view     uint64 // which units were open
	function uint32 // that accessed them
	epoch    uint64 // of the goroutine when the view was taken
	version  uint64 // of the object behind the last record, if that has one
	last     int    // behind the last record in the block
	site     uint32 // of the last record
	op       trace.Op
}

const noVersion = ^uint64(0)

// remembered returns what the goroutine does to an object, nil if it does not remember that.
func (g *Goroutine) remembered(o *object, set uint16) *user {
	if len(g.recent.ways) == 0 {
		return nil
	}
	if u := g.recent.way(o.key).user; u != nil && u.object == o && u.set == set {
		return u
	}
	return nil
}

// userOf returns what the goroutine does to an object, nil if no frame of the set is open.
func (g *Goroutine) userOf(o *object, s *trace.ReducedSite) *user {
	if u := g.remembered(o, s.Set); u != nil {
		return u
	}
	return g.lookedUp(o, s)
}

// lookedUp is userOf for one that is not remembered; it is from then on.
func (g *Goroutine) lookedUp(o *object, s *trace.ReducedSite) *user {
	u := g.findUser(o, s)
	if len(g.recent.ways) > 0 {
		if w := g.recent.way(o.key); w.key == o.key {
			w.user = u
		}
	}
	return u
}

// findUser is lookedUp without remembering it.
func (g *Goroutine) findUser(o *object, s *trace.ReducedSite) *user {
	recent := g.users[max(0, len(g.users)-maxRecent):]
	for _, u := range recent { // what others have in the slots need not be looked at
		if u.object == o && u.set == s.Set {
			return u
		}
	}
	if len(recent) < len(g.users) || len(g.retirees) > 0 {
		if u := g.findOlder(o, s); u != nil {
			return u
		}
	}
	o.metBy(g)
	for i := range g.frames {
		if g.frames[i].set == s.Set {
			return g.join(o, s.Set, s.Order)
		}
	}
	return nil
}

// metBy notes that a goroutine accesses the object where others could.
func (o *object) metBy(g *Goroutine) {
	if first := o.first.Load(); first != g.number && (first != 0 || !o.first.CompareAndSwap(0, g.number)) &&
		!o.shared.Load() {
		o.shared.Store(true)
	}
}

// findOlder is findUser for what the goroutine has not begun to use last.
func (g *Goroutine) findOlder(o *object, s *trace.ReducedSite) *user {
	set, seats := s.Set, o.seatsIn(s.Order)
	for i := range seats.slots() {
		if u := seats.slot(i).Load(); u != nil && u.g == g && u.set == set {
			return u
		}
	}
	for _, u := range g.users[max(0, len(g.users)-maxSearched):] {
		if u.slot < 0 && u.object == o && u.set == set {
			return u
		}
	}
	return nil
}

const (
	// maxRecent is how many users are looked at before the slots.
	maxRecent = 16
	// maxSearched is how many users without a slot are found again.
	maxSearched = 64
)

// join makes the goroutine a user of an object.
func (g *Goroutine) join(o *object, set uint16, order uint8) *user {
	var u *user
	if n := len(g.spare); n > 0 {
		u, g.spare = g.spare[n-1], g.spare[:n-1]
	} else {
		u = &user{g: g}
	}
	u.object, u.set, u.order, u.at, u.slot = o, set, order, o.versions(order), -1
	u.starts()
	u.view, u.epoch, u.version, u.based = 0, noVersion, noVersion, false
	u.passing, u.older, u.isTwin, u.isStale, u.plain = 0, 0, false, false, 0
	u.acted, u.actedAll = false, false
	if u.turnAt.Load() != 0 {
		u.turnAt.Store(0)
	}
	seats := o.seatsFor(order)
	for i := range seats.slots() {
		if v := seats.slot(i).Load(); v != nil && v.g == g {
			u.isTwin, v.isTwin = true, true
		}
	}
	if u.writes.Load() {
		u.writes.Store(false)
	}
	if u.idle.Load() {
		u.idle.Store(false)
	}
	if u.disturbed.Load() {
		u.disturbed.Store(false)
	}
	u.joined = g.serial
	g.users = append(g.users, u)
	if u.slot = seats.take(u, g.number); u.slot < 0 {
		seats.crowd.Add(1)
		g.expose(set)
	}
	g.guarded(o, order, false)
	g.conflicts(u, false)
	return u
}

// writes notes that a user is about to write.
func (g *Goroutine) writes(u *user) {
	u.writes.Store(true)
	g.guarded(u.object, u.order, true)
	g.conflicts(u, true)
}

// conflicts makes firm what is soft of those with which a user is in conflict. What is soft of itself becomes firm when
// one of them goes on: see reduce_latent.go.
func (g *Goroutine) conflicts(u *user, writes bool) {
	seats := u.object.seatsIn(u.order)
	isCrowded, found := u.slot >= 0 && seats.isCrowded(), false
	for i := range seats.slots() {
		v := seats.opponent(u, i, writes)
		if v == nil {
			continue
		}
		if !v.isExpired() {
			found = true
		}
		if !v.disturbed.Load() {
			v.disturbed.Store(true)
			v.g.alarm.Add(1)
		}
		v.g.expose(v.set) // if it is too late, what it has done comes before, if it stays
	}
	switch {
	case isCrowded || found && (u.slot < 0 || u.isTwin || g.hush.isReplay):
		g.expose(u.set)
	case found:
		g.comesLast(u)
	}
}
