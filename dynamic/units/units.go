// Package units turns the records of a run into events of units of work, by the rules for
// which code is one: an access belongs to the outermost activation of its goroutine that
// is a unit on the object, and to each unit whose atomic set the object has joined.
//
// A frame is an activation of a function that may be a unit. For which objects it is one
// depends on the function's kind (watch.Kind), and where it is one for what its own code
// accesses, on accesses that are still to come. So the package looks ahead a bounded number
// of records; a frame that accesses an object for the first time later than that is a unit
// on the object from there on.
//
// No events, and no reason for a function to be a unit, are accesses to an object that no other
// goroutine can reach yet: one that was seen to be made, or that was first accessed before there
// was a second goroutine, until another goroutine accesses it, or its own one does something by
// which others may learn of it.
//
// What goroutines that were started in a unit do is part of the unit's work once the unit
// has waited for them, by a WaitGroup or a channel.
package units

import (
	"slices"

	"github.com/empire-go/empire-go/dynamic/automata"
	"github.com/empire-go/empire-go/dynamic/trace"
	"github.com/empire-go/empire-go/dynamic/watch"
)

// Sink takes the events of units; an *automata.Engine is one.
type Sink interface {
	Begin(goroutine uint32, data any) *automata.Unit
	Access(u *automata.Unit, a automata.Access)
	Fork(u *automata.Unit, child uint32)
	Join(u *automata.Unit, child uint32)
	End(u *automata.Unit)
}

// Unit is what a Sink is told of a unit, as its data.
type Unit struct {
	Frame  *Frame // the outermost activation
	Object uint32 // that it is a unit on; 0: those that are made in it
	Set    int
	Begin  uint64 // the index of the record with which it begins
}

// Frame is an activation of a function that may be a unit of work.
type Frame struct {
	Site   uint32 // of the function
	Parent *Frame // of the same goroutine, nil if there is none
	Depth  int    // from 1

	kind    watch.Kind
	set     int
	object  uint32           // receiver
	with    []uint32         // objects of unitfor parameters
	made    []uint32         // by a constructor
	stretch *stretch         // nil when the activation is over
	ahead   *stretch         // of the records that were read
	first   stretch          // here, so that it need not be allocated by itself
	units   []*automata.Unit // that are open
}

// stretch is a part of an activation that is a unit of its own, where its function is one
// for what it accesses itself.
type stretch struct {
	begin  uint64   // the index of the record
	direct []uint32 // objects that the code of the function accesses in it
	forked []uint32 // goroutines that were started in it, not joined yet
}

// Start is how a goroutine was started; the zero value if nobody has recorded it.
type Start struct {
	By    uint32 // the goroutine that did
	Site  uint32
	Index uint64 // of the record
}

// Started returns how a goroutine was started.
func (t *Tracker) Started(goroutine uint32) Start { return t.goroutine(goroutine).started }

// Sync is an operation of a goroutine on a synchronisation object.
type Sync struct {
	Op     trace.Op
	Site   uint32
	Object uint32
	Index  uint64 // of the record
}

// maxSyncs is how many operations of a goroutine are kept.
const maxSyncs = 64

// Synced returns the latest operations of a goroutine on synchronisation objects, in order.
func (t *Tracker) Synced(goroutine uint32) []Sync {
	syncs := t.goroutine(goroutine).syncs
	return syncs[max(0, len(syncs)-maxSyncs):]
}

// Stats counts what was seen.
type Stats struct {
	Accesses uint64 // records of accesses
	Private  uint64 // of them those to objects that no other goroutine could reach
	Depth    uint64 // sum of the depths of the stacks at accesses
}

// AverageDepth is the average number of frames on the stack at an access, as in the
// paper's Table 1.
func (s Stats) AverageDepth() float64 {
	if s.Accesses == 0 {
		return 0
	}
	return float64(s.Depth) / float64(s.Accesses)
}

// Tracker follows a run. It is for one goroutine.
type Tracker struct {
	sites      []site
	sink       Sink
	goroutines []*goroutine // by number
	ended      []uint32     // goroutines, the latest last
	objects    objects
	messages   map[uint32]*news
	released   uint64  // how often goroutines that may have been awaited were awaited no more
	ahead      []ahead // a ring of records that are not looked at yet
	next, held int
	most       int // that it may hold
	index      uint64
	forked     bool // there has been a second goroutine
	stats      Stats
}

// lookAhead is how many records later than the beginning of a stretch an object may be
// accessed for the first time for the stretch to be a unit on it from its beginning.
const lookAhead = 1 << 13

// ahead is a record that is not looked at yet, with what it begins.
type ahead struct {
	trace.Event
	frame   *Frame
	stretch *stretch
	private bool // nobody else can reach the object
}

// goroutine is the state of one goroutine.
type goroutine struct {
	number uint32
	newest *Frame   // innermost, of the records that were read
	top    *Frame   // innermost, of those that were looked at
	within []*Frame // in whose stretches it was started, and that may wait for it
	// Tracker.released when those were dropped that do not wait any more
	awaitedAsOf uint64
	started     Start
	syncs       []Sync   // the latest ones
	accesses    uint64   // to what is watched
	known       news     // what was told to it: how many accesses of other goroutines have come to an end before
	fresh       []uint32 // objects that only this goroutine can reach
	target      target
}

// target is where the last access of a goroutine went, as long as that holds.
type target struct {
	object uint32
	set    uint16
	valid  bool
	units  []*automata.Unit
}

// New returns a tracker for a trace with the header and the plan of what was watched.
func New(h *trace.Header, plan *watch.Plan, sink Sink) *Tracker {
	of := Tracker{sites: resolveSites(h, plan), most: lookAhead}
	return of.Again(sink)
}

// Again returns a tracker for another run of the same program.
func (t *Tracker) Again(sink Sink) *Tracker {
	return &Tracker{sites: t.sites, sink: sink, messages: map[uint32]*news{}, ahead: make([]ahead, lookAhead),
		most: t.most}
}

// NewWhole returns a tracker that looks at nothing before it has read a run to its end, if the run is not longer than
// maxWhole: then what an activation accesses late, and who uses an object later on, is known from its beginning, as
// it is to the static half.
func NewWhole(h *trace.Header, plan *watch.Plan, sink Sink) *Tracker {
	t := New(h, plan, sink)
	t.most = maxWhole
	return t
}

// maxWhole is how many records are held at most.
const maxWhole = 1 << 20

// Stats returns what has been counted so far.
func (t *Tracker) Stats() Stats { return t.stats }

// Add adds the next record of the run.
func (t *Tracker) Add(e trace.Event) {
	if t.held == len(t.ahead) {
		if t.held < t.most {
			t.grow()
		} else {
			t.look()
		}
	}
	next := &t.ahead[(t.next+t.held)%len(t.ahead)]
	t.held++
	*next = ahead{Event: e}
	t.read(next)
}

// grow makes room for twice as many records.
func (t *Tracker) grow() {
	t.ahead = append(slices.Concat(t.ahead[t.next:], t.ahead[:t.next]), make([]ahead, len(t.ahead))...)
	t.next = 0
}

// Flush looks at all records that were added: what comes later will not be known to be a
// unit with what came before.
func (t *Tracker) Flush() {
	for t.held > 0 {
		t.look()
	}
}

// Close ends the run: units that are open make no more events.
func (t *Tracker) Close() {
	t.Flush()
	for _, g := range t.goroutines {
		for g != nil && g.top != nil {
			t.pop(g)
		}
	}
}

// read notes what a record tells about who can reach what, and about frames that have begun
// already.
func (t *Tracker) read(a *ahead) {
	g := t.goroutine(a.Goroutine)
	t.reach(g, a.Event)
	switch a.Op {
	case trace.UnitBegin:
		s := t.site(a.Site)
		a.frame = &Frame{Site: a.Site, Parent: g.newest, Depth: 1, kind: s.kind, set: s.set, object: a.Object}
		a.frame.ahead = &a.frame.first
		if g.newest != nil {
			a.frame.Depth = g.newest.Depth + 1
		}
		a.stretch = a.frame.ahead
		g.newest = a.frame
	case trace.UnitSplit:
		if f := g.newest.at(a.Site); f != nil {
			a.stretch = &stretch{}
			f.ahead = a.stretch
		}
	case trace.UnitEnd:
		if g.newest != nil {
			g.newest = g.newest.Parent
		}
	case trace.Worked:
		g.accesses++
	case trace.Read, trace.Write, trace.RMW, trace.AtomicRead, trace.AtomicWrite:
		if a.Shared {
			t.share(g, a.Object)
		}
		if a.private = t.isPrivate(g, a.Object, t.site(a.Site)); !a.private {
			t.use(g, a.Object)
			t.readAccess(g, a)
		}
	case trace.End:
		g.newest = nil
	}
}

// readAccess notes the object with the frames of the function that accesses it.
func (t *Tracker) readAccess(g *goroutine, a *ahead) {
	s := t.site(a.Site)
	for f := g.newest; f != nil && t.site(f.Site).function == s.function; f = f.Parent {
		if f.set == s.set && f.object != a.Object && !slices.Contains(f.ahead.direct, a.Object) {
			f.ahead.direct = append(f.ahead.direct, a.Object)
		}
		if f.set == s.set {
			return // an outer one is another activation
		}
	}
}

// at returns the innermost frame with a site, nil if there is none.
func (f *Frame) at(site uint32) *Frame {
	for f != nil && f.Site != site {
		f = f.Parent
	}
	return f
}

// look looks at the oldest record.
func (t *Tracker) look() {
	a := &t.ahead[t.next]
	t.next = (t.next + 1) % len(t.ahead)
	t.held--
	t.index++
	g := t.goroutine(a.Goroutine)
	switch a.Op {
	case trace.Read, trace.Write, trace.RMW, trace.AtomicRead, trace.AtomicWrite:
		t.access(g, a)
	case trace.UnitBegin:
		g.top, g.target.valid = a.frame, false
		a.frame.stretch, a.stretch.begin = a.stretch, t.index
	case trace.UnitWith:
		if g.top != nil {
			g.top.with = append(g.top.with, a.Object)
			g.target.valid = false
		}
	case trace.UnitSplit:
		t.split(g, a)
	case trace.UnitEnd:
		if g.top != nil {
			t.pop(g)
		}
	case trace.End:
		t.end(g)
	case trace.ObjectMade:
		t.made(g, a.Object, t.site(a.Site).of)
	case trace.ObjectGone:
		t.forget(a.Object)
	default:
		t.synchronise(g, a.Event)
	}
}

// maxEnded is about how many goroutines are known after their ends, for what findings
// say about them.
const maxEnded = 4096

// end ends a goroutine.
func (t *Tracker) end(g *goroutine) {
	for g.top != nil {
		t.pop(g)
	}
	t.ended = append(t.ended, g.number)
	if len(t.ended) == 2*maxEnded {
		for _, n := range t.ended[:maxEnded] {
			t.goroutines[n] = nil
		}
		t.ended = slices.Delete(t.ended, 0, maxEnded)
		t.released++
	}
}

// made notes an object with the outermost constructor of its type, for each set.
func (t *Tracker) made(g *goroutine, object uint32, of string) {
	for f := g.top; f != nil; f = f.Parent {
		if f.kind == watch.Constructor && outerConstructor(f) == f && t.site(f.Site).of == of {
			f.made = append(f.made, object)
			g.target.valid = false
		}
	}
}

// split ends the units that a frame is for a stretch: those on what it accesses itself.
func (t *Tracker) split(g *goroutine, a *ahead) {
	f := g.top.at(a.Site)
	if f == nil || a.stretch == nil {
		return
	}
	f.units = slices.DeleteFunc(f.units, func(u *automata.Unit) bool {
		ends := f.kind == watch.Direct || f.kind == watch.Method && u.Data.(*Unit).Object != f.object
		if ends {
			t.sink.End(u)
		}
		return ends
	})
	t.release(f.stretch)
	f.stretch, g.target.valid, a.stretch.begin = a.stretch, false, t.index
}

// pop ends the innermost frame.
func (t *Tracker) pop(g *goroutine) {
	for _, u := range g.top.units {
		t.sink.End(u)
	}
	t.release(g.top.stretch)
	g.top.units, g.top.stretch = nil, nil
	g.top, g.target.valid = g.top.Parent, false
}

// maxGoroutines bounds the table of goroutines. A run has fewer.
const maxGoroutines = 1 << 26

func (t *Tracker) goroutine(n uint32) *goroutine {
	n %= maxGoroutines
	if int(n) >= len(t.goroutines) {
		t.goroutines = append(t.goroutines, make([]*goroutine, int(n)+1-len(t.goroutines))...)
	}
	if t.goroutines[n] == nil {
		t.goroutines[n] = &goroutine{number: n}
	}
	return t.goroutines[n]
}
