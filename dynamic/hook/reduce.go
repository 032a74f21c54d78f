package hook

import (
	"math/bits"
	"syscall"

	"github.com/empire-go/empire-go/dynamic/trace"
)

// A run that is only matched need not be recorded whole: reducing it leaves out what can be no part of a match.
//
// # What is left out
//
// From its first access to an object on to the end of its outermost frame of the set, or to where it is known that
// nothing more comes in it (see rest), a goroutine is a user of the object. Two users at one time are in conflict if
// one of them has written. What a goroutine records of units is soft, which means that it may still be taken back and
// has no versions, as long as it is in no conflict about the set. When the outermost frame ends, all that is soft of
// it is dropped.
//
// That loses no match of two units u and v. Say that u was in no conflict. If a pattern has two locations,
// then each of them has an event of u and one of v, so u and v were users of the object of each. At no
// time at which both were was there a write of either at that location before or during it. So of each location
// either all events of the one unit come before all of the other, or the one that ends first only reads, up to
// its end, and the writes of the other one come later: then reads that commute can be exchanged until that is so,
// too. For one location, u and v are in series, which no pattern is. For two, a cycle would need v to be
// before u at one location and u before v at the other with a write in each pair, and a unit that has ended
// before an event of the other cannot have begun to use the other location after it. TestPatternsConflict
// looks at each pattern, with each location in an object of its own. A match is of one set, so conflicts about others
// do not matter to it. A conflict does matter to what the same unit does to other objects of the set: it may have
// ended before v uses those, in a cycle that goes through the object that they are in conflict about.
//
// An access of a user is dropped at once if the user has one of that kind at that location already, under the same
// open units, and is in no conflict, so that at most reads of others have been in between, and those only if it has
// written nothing. That moves the later access to the place of the earlier one, past events with which it commutes:
// reads of others, and accesses of its own to other locations or of another kind. Scenarios, taken whole, hold with
// each pattern those that differ in the order of such neighbours (TestPatternsCommute). A read that is forgotten is
// merged with one of the same field as long as nothing has forgotten that one, if what forgets that one forgets it, too
// (see units.Reduction): while it may be part of a match, so may the one that stands for it. An access at which the
// unit forgets something is recorded: what others do later matches no more with what it forgets. But a read that only
// forgets itself, as it was made before, is merged with that: what has come in between is forgotten and extended anew,
// or commutes with it. So the steps of a loop in a critical section are recorded once. What the unit has recorded
// before, and does not forget, still stands for what is like it: what the later access would extend, the earlier one
// has extended, and that is forgotten together with it. Which reads there are to forget is known where all of a user
// belongs to one unit, of that object alone: not while a constructor, or a frame that an object has joined, is open, of
// the same set. Else such an access ends what is before it. Notes are not merged. In a conflict, an access is left out
// if nobody has taken a version since the one before it. An atomic operation that reads and writes is the two at once,
// and so are increments: each is merged with its like, while nobody can come in between.
//
// Which of scenarios 6 to 12 a match at two objects is can differ, as it can between two readers of one whole trace:
// events at different objects are in no order. TestReduced compares the rest.
//
// # What order the rest has
//
// A conflict makes firm what is soft of its set, of those who are in it: it gets its versions before the access that is
// in conflict gets one. From then on the goroutine records at once, with a version, what it does to objects of the set,
// until it uses none of them. What is soft of other sets stays so, also behind synchronisation: a goroutine that is in
// a conflict about one set, or sends a message, need not record what it does to others.
//
// So a record may get its version later than one that stands behind it. That must not make goroutines wait for each
// other in the reader. A soft change of an object comes before all that others do to it, and behind all that they have
// done, since it would be in a conflict otherwise. Of a soft look this holds for changes, but others may have looked
// meanwhile: so it waits for its epoch only, see trace.NextVersion. Then each record could have its version from when
// it took place, and no two can wait for each other. That needs an order of each set of an object by itself: who is in
// no conflict about one may be in one about another. The record of a lock that gets its version late gets none.
//
// # Where it is
//
// Which accesses are merged is in reduce_merge.go, who uses an object in reduce_users.go, what becomes firm in
// reduce_soft.go, what nobody else can reach in reduce_private.go, locks and atomic operations in reduce_sync.go, units
// of work in reduce_frames.go, reduce_split.go and reduce_idle.go, and what need not be looked at while a lock is held
// in reduce_quiet.go. Of a unit that is in a conflict only with units that do nothing meanwhile, the records become
// firm later, or not at all: see reduce_latent.go. What a function itself can leave out is in seen.go.

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

// reduction is what a goroutine knows of what it may leave out.
type reduction struct {
	soft       spin      // for what is soft in the block: others may make it firm
	inConflict setBits   // of these sets records are firm, until it uses none of their objects
	held       []*object // of the soft records, nil for frames
	latent     setBits   // of these sets a conflict is latent
	kinds      kinds     // see reduce_latent.go
	actions    []action  // see gather
	low, high  int       // where they are in the block
	firm       int       // behind the last firm record in the block, but for
	hardened   int       // where the last one is that has become firm
	behind     int       // soft records before that place have a firm one behind them that has a version
	exposures  uint64    // how often all that was soft has become firm
	// how often what was soft of a set has, by its number, and of locks
	setExposures  [setCount]uint32
	lockExposures uint64
	frames        []opened
	unput         int // how many of the innermost frames are not in the block: see putFrames
	users         []*user
	stale         bool    // some of them may be, see dropStale
	retirees      []*user // idle ones, see retire
	spare         []*user
	steps         uint64 // accesses that the clock has not been told of
	serial        uint64 // of frames
	epoch         uint64 // changes with the units that are open
	withs         int    // objects that have joined units that are open
	makers        int    // frames of constructors that are open
	published     uint64 // how often others could learn of all that it has made
	told          bool   // somebody may wait for what it does: see trace.Worked
	outside       []heldLock
	inside        []insideLock
	nested        []bool // see compact
	stays         bool   // the frames that compact has looked at stay
	hush          hush
}

// reducedLoudly records an access to an object, or leaves it out, for a goroutine that is loud. It may have used the
// object as u, if that is not nil.
func (g *Goroutine) reducedLoudly(u *user, op trace.Op, o *object, site uint32) {
	s := &reducedSites[site]
	if u != nil && (u.object != o || u.set != s.Set) {
		u = nil
	}
	g.minds(s)
	if u != nil && u.repeats(s, op) {
		g.calm = u.slot >= 0
		g.stepped()
		return
	}
	if u = g.usedAt(u, op, o, s); u != nil {
		g.calm = g.noted(u, op, s, site)
	}
}

// usedAt returns what the goroutine does to an object, u if that is not nil, before an access that may be recorded; nil
// if it is not to be.
func (g *Goroutine) usedAt(u *user, op trace.Op, o *object, s *trace.ReducedSite) *user {
	if o.owner.Load() != everybody && g.isPrivate(o, s) {
		g.worked()
		return nil
	}
	g.stepped()
	if u == nil {
		u = g.lookedUp(o, s)
	}
	return g.found(u, op)
}

// found is usedAt for what is known already.
func (g *Goroutine) found(u *user, op trace.Op) *user {
	if u == nil {
		g.worked()
		return nil
	}
	if u.idle.Load() {
		g.revive(u)
	}
	if op != trace.Read && op != trace.AtomicRead && !u.writes.Load() {
		g.writes(u)
	}
	return u
}

// noted records an access of a user, if it has not recorded one like it. It tells whether those like it are merged from
// here on, unless somebody else comes.
func (g *Goroutine) noted(u *user, op trace.Op, s *trace.ReducedSite, site uint32) bool {
	bit := u.sees(s, op)
	if !u.isAlone() {
		u.starts()
	} else if u.has(s, op, bit) || u.site == site && u.op == op && u.last == g.at && op <= trace.Write {
		return bit != 0 && u.slot >= 0
	}
	u.records(s, op, g.putAccess(u, op, site), bit, 0)
	u.site = site
	return bit != 0 && u.slot >= 0
}

// reducedAll notes an access at the sites from one on, which are of different fields of one set, or is reducedLoudly
// for each.
func (g *Goroutine) reducedAll(op trace.Op, o *object, first, n uint32) {
	for i := range n {
		g.minds(&reducedSites[first+i])
	}
	if g.hush.state.Load() != loud && g.notesAccess(op, o, first, n) {
		return
	}
	var u *user
	for site := first; site < first+n; site++ {
		s := &reducedSites[site]
		if u != nil {
			g.stepped()
		} else if u = g.usedAt(g.remembered(o, s.Set), op, o, s); u == nil {
			continue
		} else if g.notedAtOnce(u, op, site, first+n) {
			return
		}
		g.noted(u, op, s, site)
	}
}

// notedAtOnce is noted for the sites from one up to another, if all that is to be recorded is soft: then it takes one
// lock. It tells whether it was so.
func (g *Goroutine) notedAtOnce(u *user, op trace.Op, first, end uint32) bool {
	if op > trace.Write || u.version != noVersion || !u.isAlone() ||
		g.at+(g.unput+int(end-first))*trace.RecordSize > len(g.block) {
		return false
	}
	sites := reducedSites[first:end]
	for i := range sites {
		kind := sites[i].Flags & (trace.SitePlain | trace.SiteMixed)
		if kind != trace.SitePlain || sites[i].Forgets|uint64(sites[i].Token) != 0 {
			return false
		}
	}
	missing, mask := uint64(0), uint64(0)
	for i := range sites {
		if bit := u.sees(&sites[i], op); u.mask&bit == 0 {
			missing, mask = missing|1<<i, mask|bit
		}
	}
	if missing != 0 {
		g.soft.lock()
		if g.inConflict.has(u.set) {
			g.soft.unlock()
			return false
		}
		g.putRoomFor(bits.OnesCount64(missing) * trace.RecordSize)
		for ; missing != 0; missing &= missing - 1 {
			u.site = first + uint32(bits.TrailingZeros64(missing))
			g.putSoft(op, u.site, u.object.number, u.object)
		}
		g.soft.unlock()
		u.mask, u.op, u.last, u.isStale = u.mask|mask, op, g.at, false
	}
	for range sites[1:] {
		g.stepped()
	}
	return true
}

// touch says that what begins in the units that are open matters to them.
func (g *Goroutine) touch() {
	for i := range g.frames {
		g.frames[i].touched = true
	}
}

// worked records that accesses were left out, if that matters.
func (g *Goroutine) worked() {
	if g.told {
		g.told = false
		g.record(trace.Worked, 0, 0, 0)
	}
}
