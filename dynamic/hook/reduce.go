package hook

import (
	"encoding/binary"
	"sync/atomic"
	"syscall"
	"unsafe"

	"github.com/empire-go/empire-go/dynamic/trace"
)

// A run that is only matched need not be recorded whole: reducing it leaves out what can be no part of a match.
//
// # What is left out
//
// From its first access to an object on to the end of its outermost frame of the set, a goroutine is a user of
// the object. Two users at one time are in conflict if one of them has written. What a goroutine records
// of units is soft, which means that it may still be taken back and has no versions, as long as it is in no
// conflict. When the outermost frame ends, all that is soft of it is dropped.
//
// That loses no match of two units u and v. Say that u was in no conflict. If a pattern has two locations,
// then each of them has an event of u and one of v, so u and v were users of the object of each. At no
// time at which both were was there a write of either at that location before or during it. So of each location
// either all events of the one unit come before all of the other, or the one that ends first only reads, up to
// its end, and the writes of the other one come later: then reads that commute can be exchanged until that is so,
// too. For one location, u and v are in series, which no pattern is. For two, a cycle would need v to be
// before u at one location and u before v at the other with a write in each pair, and a unit that has ended
// before an event of the other cannot have begun to use the other location after it. TestPatternsConflict
// looks at each pattern, with each location in an object of its own.
//
// An access of a user is dropped at once if the user has one of that kind at that location already, under the same
// open units, and is in no conflict, so that at most reads of others have been in between, and those only if it
// has written nothing. That moves the later access to the place of the earlier one, past events with which it
// commutes: reads of others, and accesses of its own to other locations or of another kind. Scenarios, taken
// whole, hold with each pattern those that differ in the order of such neighbours (TestPatternsCommute). Of a read
// that is forgotten this holds until something forgets it: one is merged with one that is forgotten by the same, and
// an access at which the unit forgets something is recorded and ends what is before it. Which reads there are to
// forget is known where all of a user belongs to units of that object alone: not while a constructor, or a frame that
// an object has joined, is open. Increments and notes are not merged.
//
// Which of scenarios 6 to 12 a match at two objects is can differ, as it can between two readers of one whole trace:
// events at different objects are in no order. TestReduced compares the rest.
//
// # What order the rest has
//
// A conflict makes all that is soft of those who are in it firm: it gets its versions before the access that
// is in conflict gets one. From then on the goroutine records versions at once, until it uses no object. So the
// versions of a goroutine are taken in the order of its records, and no two goroutines wait for each other in the
// reader. A synchronisation other than by a lock makes firm what is soft, too.

// reducing is set if records are left out: before the program begins, never again.
var reducing bool

// reducedSites is what is known of sites, by number.
var reducedSites []trace.ReducedSite

// readTable reads the table of sites.
func readTable(descriptor int) {
	var text []byte
	var buffer [1 << 14]byte
	for {
		n, err := syscall.Read(descriptor, buffer[:])
		if err == syscall.EINTR {
			continue
		}
		if n <= 0 || err != nil {
			break
		}
		text = append(text, buffer[:n]...)
	}
	syscall.Close(descriptor)
	setTable(text)
}

func setTable(text []byte) {
	reducedSites = nil
	for ; len(text) >= trace.ReducedSiteSize; text = text[trace.ReducedSiteSize:] {
		reducedSites = append(reducedSites, trace.GetReducedSite(text))
	}
	reducing = len(reducedSites) > 0
}

// use is who uses an object.
type use struct {
	shared atomic.Bool   // another one than the first has used it
	owner  atomic.Uint32 // the goroutine that alone can reach it, as far as is known; everybody
	first  atomic.Uint32 // the goroutine that was the first to use it when others could, too
	crowd  atomic.Int32  // users that have no slot
	users  [maxUsers]atomic.Pointer[user]
	made   uint64 // when the owner has made it: see reduction.published
	maker  uint32 // the constructor that has, until it has been accessed where others may have it
}

const (
	everybody = ^uint32(0)
	// maxUsers is how many users of an object are told apart; more record all that they do, and all others are in
	// conflict with them.
	maxUsers = 6
)

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
	slot   int8 // among the users of the object; -1: it has none
	based  bool // its unit is that of a method on the object
	writes atomic.Bool
	idle   atomic.Bool   // its frame has ended within another one of the set
	since  atomic.Uint64 // when that was

	joined  uint64 // the serial of the goroutine when it was last not idle any more
	retired bool   // it is among the retirees

	mask     uint64                // fields that were read (even bits) and written, under the view
	passing  uint64                // tokens of reads under the view that may not have been forgotten
	older    uint64                // likewise, of those before
	tokens   [trace.MaxPlain]uint8 // of the reads in mask, by field
	view     uint64                // which units were open
	function uint32                // that accessed them
	epoch    uint64                // of the goroutine when the view was taken
	version  uint64                // of the object behind the last record, if that has one
	last     int                   // behind the last record in the block
	site     uint32                // of the last record
	op       trace.Op
}

const noVersion = ^uint64(0)

// reduction is what a goroutine knows of what it may leave out.
type reduction struct {
	soft      spin        // for what is soft in the block: others may make it firm
	direct    atomic.Bool // records are firm, until it uses no object
	held      []*object   // of the soft records, nil for frames
	low, high int         // where they are in the block
	firm      int         // behind the last firm record in the block, but for
	hardened  int         // where the last one is that has become firm
	exposures uint64
	frames    []opened
	users     []*user
	retirees  []*user // idle ones, see retire
	spare     []*user
	steps     uint64 // accesses that the clock has not been told of
	serial    uint64 // of frames
	epoch     uint64 // changes with the units that are open
	withs     int    // objects that have joined units that are open
	makers    int    // frames of constructors that are open
	pending   int    // innermost frames that are not recorded yet, see pend
	published uint64 // how often others could learn of all that it has made
	told      bool   // somebody may wait for what it does: see trace.Worked
	outside   []heldLock
	nested    []bool // see compact
	stays     bool   // the frames that compact has looked at stay
}

// heldLock is a lock that was taken where no frame was open.
type heldLock struct {
	op     trace.Op
	site   uint32
	object *object
}

// strangers counts goroutines of which nobody knows who started them: they may know everything.
var strangers atomic.Uint64

// makes notes that the goroutine has made an object.
func (g *Goroutine) makes(o *object) {
	if !reducing {
		return
	}
	o.made = g.published + strangers.Load()
	o.owner.Store(g.number)
	if n := len(g.frames); n > 0 {
		if f := &g.frames[n-1]; f.flags&trace.SiteConstructor != 0 {
			o.maker = f.function
		}
	}
}

// isPrivate tells whether no other goroutine can reach an object, as units.Tracker has it.
func (g *Goroutine) isPrivate(o *object, s *trace.ReducedSite) bool {
	owner := o.owner.Load()
	switch {
	case owner == everybody:
		return false
	case s.Flags&trace.SiteStatic != 0:
	case owner == g.number && o.made == g.published+strangers.Load():
		if o.maker == 0 || s.Flags&trace.SiteKnown == 0 || o.maker != s.Function {
			return true
		}
		g.record(trace.Escape, 0, o.number, 0)
	}
	o.owner.Store(everybody)
	return false
}

// reduced records an access to an object, or leaves it out.
func (g *Goroutine) reduced(op trace.Op, o *object, site uint32) {
	s := &reducedSites[site]
	if u := g.remembered(o, s.Set); u != nil && u.repeats(s, op) {
		g.stepped()
		return
	}
	if o.owner.Load() != everybody && g.isPrivate(o, s) {
		g.worked()
		return
	}
	g.stepped()
	u := g.userOf(o, s)
	if u == nil {
		g.worked()
		return
	}
	if u.idle.Load() {
		g.revive(u)
	}
	if op != trace.Read && op != trace.AtomicRead && !u.writes.Load() {
		g.writes(u)
	}
	bit := u.sees(s, op)
	if !u.isAlone() {
		u.mask, u.site = 0, 0
	} else if u.mask&bit != 0 || u.site == site && u.op == op && u.last == g.at && op <= trace.Write {
		return
	}
	wasSoft := u.version == noVersion
	u.version = g.put(op, site, o.number, o)
	if bit == 0 || wasSoft && u.version != noVersion {
		u.mask = 0
	}
	u.mask |= bit
	u.last, u.site, u.op = g.at, site, op
}

// isAlone tells whether nobody has been in conflict with the user since its last record.
func (u *user) isAlone() bool {
	if u.version == noVersion {
		return !u.g.direct.Load()
	}
	return u.version == u.object.version.Load()
}

// repeats tells whether an access is to be left out since the user has one like it, by what can be seen at a glance.
func (u *user) repeats(s *trace.ReducedSite, op trace.Op) bool {
	g, field := u.g, s.Field%trace.MaxPlain
	if op > trace.Write || s.Flags&trace.SitePlain == 0 || u.epoch != g.epoch || u.function != s.Function ||
		u.mask&(1<<(2*field+uint8(op-trace.Read))) == 0 || op == trace.Read && u.tokens[field] != s.Token {
		return false
	}
	if s.Forgets|uint64(s.Token) != 0 {
		if s.Forgets&(u.passing|u.older) != 0 || g.withs > 0 || g.makers > 0 {
			return false
		}
		u.passing |= 1 << s.Token &^ 1
	}
	return !u.idle.Load() && (op == trace.Read || u.writes.Load()) && u.isAlone()
}

// sees returns the bit for an access at a site, 0 if it is not merged with others, after what was accessed
// under other units has been forgotten.
func (u *user) sees(s *trace.ReducedSite, op trace.Op) uint64 {
	g := u.g
	if u.epoch != g.epoch {
		u.epoch = g.epoch
		view, based := g.view(u)
		if view != u.view || based != u.based {
			u.view, u.based, u.mask, u.site = view, based, 0, 0
			u.older |= u.passing
			u.passing = 0
		}
	}
	if u.function != s.Function { // what a frame's own code accesses decides what joins its unit
		u.function = s.Function
		if !u.based || g.isDirect(s) {
			u.mask, u.site = 0, 0
		}
	}
	isOfOne := u.forgets(s)
	if s.Flags&trace.SitePlain == 0 || !isOfOne || op > trace.Write {
		return 0
	}
	field := s.Field % trace.MaxPlain
	bit := uint64(1) << (2*field + uint8(op-trace.Read))
	if op == trace.Read && u.tokens[field] != s.Token {
		u.tokens[field] = s.Token
		u.mask &^= bit
	}
	return bit
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

// forgets notes which reads an access at a site forgets, and by what it is forgotten itself. If it forgets some,
// nothing from before it is merged with anything from then on. It tells whether that is known exactly enough: what
// belongs to units of several objects is not.
func (u *user) forgets(s *trace.ReducedSite) bool {
	if s.Forgets|uint64(s.Token) == 0 {
		return true
	}
	if s.Forgets&(u.passing|u.older) != 0 {
		u.mask, u.site = 0, 0
		if u.based {
			u.passing &^= s.Forgets
		}
	}
	u.passing |= 1 << s.Token &^ 1
	return u.g.withs == 0 && u.g.makers == 0
}

// view names the units that are open for what a user does. Within a method on the object the unit is that of the
// outermost one, whatever it calls.
func (g *Goroutine) view(u *user) (view uint64, based bool) {
	for i := range g.frames {
		f := &g.frames[i]
		f.touched = f.touched || f.set == u.set // it is no unit on the object if a method outside of it is
		if g.withs == 0 && g.makers == 0 && f.set == u.set && f.object == u.object.number &&
			f.flags&trace.SiteMethod != 0 {
			return f.serial, true
		}
	}
	return g.epoch, false
}

// touch says that what begins in the units that are open matters to them.
func (g *Goroutine) touch() {
	for i := range g.frames {
		g.frames[i].touched = true
	}
}

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
	u := g.findUser(o, s)
	if len(g.recent.ways) > 0 {
		if w := g.recent.way(o.key); w.key == o.key {
			w.user = u
		}
	}
	return u
}

// findUser is userOf for one that is not remembered.
func (g *Goroutine) findUser(o *object, s *trace.ReducedSite) *user {
	recent := g.users[max(0, len(g.users)-maxRecent):]
	for _, u := range recent { // what others have in the slots need not be looked at
		if u.object == o && u.set == s.Set {
			return u
		}
	}
	if len(recent) < len(g.users) || len(g.retirees) > 0 {
		if u := g.findOlder(o, s.Set); u != nil {
			return u
		}
	}
	if first := o.first.Load(); first != g.number && (first != 0 || !o.first.CompareAndSwap(0, g.number)) &&
		!o.shared.Load() {
		o.shared.Store(true)
	}
	for i := range g.frames {
		if g.frames[i].set == s.Set {
			return g.join(o, s.Set)
		}
	}
	return nil
}

// findOlder is findUser for what the goroutine has not begun to use last.
func (g *Goroutine) findOlder(o *object, set uint16) *user {
	for i := range o.users {
		if u := o.users[i].Load(); u != nil && u.g == g && u.set == set {
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
func (g *Goroutine) join(o *object, set uint16) *user {
	var u *user
	if n := len(g.spare); n > 0 {
		u, g.spare = g.spare[n-1], g.spare[:n-1]
	} else {
		u = &user{g: g}
	}
	u.object, u.set, u.slot = o, set, -1
	u.mask, u.view, u.epoch, u.site, u.version, u.based = 0, 0, noVersion, 0, noVersion, false
	u.passing, u.older = 0, 0
	if u.writes.Load() {
		u.writes.Store(false)
	}
	if u.idle.Load() {
		u.idle.Store(false)
	}
	u.joined = g.serial
	g.users = append(g.users, u)
	for i := range o.users {
		slot := &o.users[(i+int(g.number))%maxUsers]
		if slot.Load() == nil && slot.CompareAndSwap(nil, u) {
			u.slot = int8((i + int(g.number)) % maxUsers)
			break
		}
	}
	if u.slot < 0 {
		o.crowd.Add(1)
		g.expose()
	}
	g.conflicts(u, false)
	return u
}

// writes notes that a user is about to write.
func (g *Goroutine) writes(u *user) {
	u.writes.Store(true)
	g.conflicts(u, true)
}

// conflicts makes firm what is soft of a user and of those with which it is in conflict.
func (g *Goroutine) conflicts(u *user, writes bool) {
	found := u.slot >= 0 && u.object.crowd.Load() > 0
	for i := range u.object.users {
		v := u.object.users[i].Load()
		if v == nil || v.g == g || !writes && !v.writes.Load() {
			continue
		}
		if !v.isExpired() {
			found = true
			v.g.expose()
			continue
		}
		v.g.expose() // what it has done comes before, if it stays
	}
	if found {
		g.expose()
	}
}

// expose makes firm what is soft of a goroutine, which is the calling one or in conflict with it.
func (g *Goroutine) expose() {
	if !reducing {
		return
	}
	g.soft.lock()
	if len(g.held) > 0 {
		g.harden()
	}
	g.exposures++
	g.direct.Store(true)
	g.soft.unlock()
}

// harden gives soft records their versions.
func (g *Goroutine) harden() {
	n := 0
	for at := g.low; at < g.high; at += trace.RecordSize {
		op := trace.Op(g.block[at])
		if op&trace.Soft == 0 {
			continue
		}
		o := g.held[n]
		n++
		if op &^= trace.Soft; o != nil {
			if op <= trace.AtomicWrite {
				op |= o.sharedBit()
			}
			binary.LittleEndian.PutUint64(g.block[at+8:], o.version.Add(1)-1)
		}
		g.block[at] = byte(op)
	}
	clear(g.held)
	g.held, g.hardened = g.held[:0], g.high
}

// put appends a record that is soft, unless the goroutine is in a conflict: then it returns the next version of
// the object.
func (g *Goroutine) put(op trace.Op, site, object uint32, o *object) (next uint64) {
	if g.pending > 0 {
		g.pend()
	}
	if g.at == len(g.block) {
		g.full()
	}
	g.soft.lock()
	if g.direct.Load() {
		g.soft.unlock()
		arg := uint64(0)
		if o != nil {
			if op <= trace.AtomicWrite {
				op |= o.sharedBit()
			}
			arg = o.version.Add(1) - 1
		}
		g.record(op, site, object, arg)
		return arg + 1
	}
	g.putSoft(op, site, object, o)
	g.soft.unlock()
	return noVersion
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

// worked records that accesses were left out, if that matters.
func (g *Goroutine) worked() {
	if g.told {
		g.told = false
		g.record(trace.Worked, 0, 0, 0)
	}
}

// lets is called before an operation by which others may learn of what the goroutine has made, or of what
// it has done.
func (g *Goroutine) lets(op trace.Op) {
	if !reducing {
		return
	}
	switch op {
	case trace.Send, trace.Close, trace.Done, trace.Offer:
		g.told = true
		g.published++
	case trace.Go, trace.OnceEnd, trace.Signal, trace.Broadcast, trace.Add:
		g.published++
	}
	if op == trace.Go {
		g.touch()
	}
	g.settle()
}

// settle makes firm what is soft, before something else takes a version. Frames take none.
func (g *Goroutine) settle() {
	for _, o := range g.held {
		if o != nil {
			g.fix()
			return
		}
	}
}

// fix makes firm all that is soft.
func (g *Goroutine) fix() {
	if len(g.held) > 0 {
		g.expose()
		g.retire()
	}
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
