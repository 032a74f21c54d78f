// Package predict says, from one run that was observed, which violations of atomicity could have happened in another
// order of the same events.
//
//	order      which events must come before which        dynamic/predict/order
//	segment    the part of the run that matters to a block dynamic/predict/segment
//	explore    a run in which the block is not atomic      dynamic/predict/explore
//	patterns   a run in which two blocks match a pattern   dynamic/predict/patterns
//	preserving deadlocks and data races, in linear time    dynamic/predict/preserving
//
// It reads a trace once, and keeps a window of it. Blocks are taken from the middle of the window, so that there is
// something before them and after them. What is found is real whatever the window has: each prediction is a run that
// was put together from the events and checked. That there is none is said only of blocks of which all that matters
// was in the window.
package predict

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/empire-go/empire-go/dynamic/events"
	"github.com/empire-go/empire-go/dynamic/predict/explore"
	"github.com/empire-go/empire-go/dynamic/predict/order"
	"github.com/empire-go/empire-go/dynamic/predict/patterns"
	"github.com/empire-go/empire-go/dynamic/predict/segment"
	"github.com/empire-go/empire-go/dynamic/races"
	"github.com/empire-go/empire-go/scenarios"
)

// Options say what is predicted, and how much work that may be.
type Options struct {
	Explore   explore.Options
	Again     int                  // looks, of all blocks: for second tries where a bound was hit
	Window    int                  // events that are kept
	NoSegment bool                 // search in all of the window
	NoStatic  bool                 // search also where the static check says that there is nothing
	NoSearch  bool                 // segments and the static check only
	Scenarios []scenarios.Scenario // that are looked for between two blocks
	Deadlocks bool                 // look for deadlocks
	Races     bool                 // look for data races
	Orders    bool                 // look for order violations
	Signals   bool                 // look for missed signals
	NoBlocks  bool                 // look for nothing else
	// Found is called with each violation that is new, if it is not nil.
	Found func(*Violation)
}

// Defaults bound the work for a block, and the memory.
var Defaults = Options{Explore: explore.Options{Paths: 2000, Looks: 10_000, Runs: 500}, Again: 6_000_000,
	Window: 1 << 16}

// SetWork bounds the work for a block by a number of paths, and what else bounds it in proportion to that.
func (o *Options) SetWork(paths int) {
	usual := Defaults.Explore.Paths
	share := func(of int) int { return max(1, paths*of/usual) }
	o.Explore.Paths, o.Explore.Looks, o.Explore.Runs = paths, share(o.Explore.Looks), share(o.Explore.Runs)
	o.Again = share(o.Again)
}

// Report is what was found out about a trace.
type Report struct {
	Events   int // of those that the prediction looks at
	Threads  int
	Locks    Count
	Accesses Count // of variables
	Waits    int   // and notifies

	Blocks       int
	SegmentSize  int // the sum, of all blocks
	Static       int // blocks that the static check has proved to be atomic
	Atomic       int // and the search
	Violated     int
	Bounded      int // blocks with nothing found until a bound was hit
	Cut          int // blocks of which not all that matters was in the window
	Paths, Runs  int // that were tried
	Took         time.Duration
	Violations   []*Violation // one for each code
	Patterns     []*Pattern   // one for each code
	PatternsLeft int          // choices of events that were given up
	EndsEarly    error        // the trace ends in the middle

	Deadlocks     []*Deadlock // one for each code
	Races         []*Race     // one for each code
	Swaps         []*Swap     // order violations and missed signals, one for each code
	PreservedLeft int         // circles of locks, and threads with accesses to one variable, that were given up

	windowProofs map[int][2]int
}

// Count is how many events there were, and of how many objects.
type Count struct{ Events, Objects int }

// Known tells whether each block has an answer.
func (r *Report) Known() bool {
	return r.Bounded+r.Cut+r.PatternsLeft+r.PreservedLeft == 0 && r.EndsEarly == nil
}

// Found is how many violations were found.
func (r *Report) Found() int {
	return len(r.Violations) + len(r.Patterns) + len(r.Deadlocks) + len(r.Races) + len(r.Swaps)
}

// Violation is a run in which a block is not atomic.
type Violation struct {
	Block Block
	Steps []Step // of the run, those that explain it
	Seen  bool   // the observed run has it itself
	Count int    // blocks with the same code on the path
}

// Pattern is a pattern of a scenario that two blocks can have.
type Pattern struct {
	Scenario scenarios.Scenario
	Pattern  scenarios.Pattern
	Units    [2]Block // u and u'
	Starts   []Start  // of their threads, as far as that is known
	ID       string   // of the result
	Steps    []Step
	Seen     bool
}

// Start is how a thread was started.
type Start struct {
	Step
	Child string
}

// Block is code that was to be atomic.
type Block struct {
	Thread     string
	Name       string // of the unit; may be empty
	Begin, End int    // numbers of its first and last access
	site       uint32 // of the unit, in a recorded trace
}

// Step is an event of a predicted run.
type Step struct {
	Number  int // in the observed run
	Thread  string
	Text    string
	Pos     string
	Code    string // the function
	Path    bool   // it is on the path that leaves the block and comes back
	InBlock bool
	Event   events.Event
}

// FaultError is an event that no run can have at its place.
type FaultError struct{ Where, Why string }

func (e *FaultError) Error() string { return e.Where + ": " + e.Why }

// Run predicts from a trace. Its errors are those of the source, but for a trace that ends in the middle, and of the
// context.
func Run(ctx context.Context, src events.Source, blocks Blocks, o Options) (*Report, error) {
	begin := time.Now()
	p := &predictor{h: order.New(), src: src, blocks: blocks, options: o, seen: map[string]*Violation{},
		started: map[uint32]events.Event{}, texts: map[string]uint32{},
		report: Report{windowProofs: map[int][2]int{}}, promises: map[string]*promised{},
		told: map[string]bool{}, unordered: map[[2]place]bool{}, counted: map[swapKey]bool{},
		suspects: map[swapKey][]*suspect{}, over: map[uint32]bool{}}
	if o.Races {
		p.detector = races.New()
	}
	if len(o.Scenarios) > 0 {
		p.pairs = patterns.New(p.h, o.Scenarios, patterns.Defaults, p.field, p.matched)
	}
	err := p.read(ctx)
	var cut *events.CutError
	if errors.As(err, &cut) {
		p.report.EndsEarly, err = cut, nil
	}
	if err != nil {
		return nil, err
	}
	p.h.Finished = p.report.EndsEarly == nil
	for _, b := range blocks.rest() {
		p.add(b)
	}
	if err := p.look(ctx, p.h.Start()+p.h.Len()); err != nil {
		return nil, err
	}
	p.preserved()
	p.settleSwaps()
	if p.pairs != nil {
		p.report.PatternsLeft = p.pairs.Given
		p.report.Patterns = slices.DeleteFunc(p.report.Patterns, func(v *Pattern) bool {
			return v.Scenario.Number == scenarios.ConflictCycle && p.pairs.Explained(v.Units[0].Name, v.Units[1].Name)
		})
	}
	for unforked, n := range p.report.windowProofs {
		if unforked != p.h.Unforked { // a thread has begun of which nobody could know
			p.report.Static -= n[0]
			p.report.Atomic -= n[1]
			p.report.Cut += n[0] + n[1]
		}
	}
	p.settle()
	p.report.Took = time.Since(begin)
	return &p.report, nil
}

// predictor is a prediction that is going on.
type predictor struct {
	h       *order.History
	src     events.Source
	blocks  Blocks
	options Options
	report  Report
	log     []events.Event // of the window
	pending []*block       // blocks that have ended, and are not looked at yet
	seen    map[string]*Violation
	pairs   *patterns.Pass    // nil: they are not looked for
	codes   numbers           // of what is done where in the code, if patterns are looked for
	texts   map[string]uint32 // and of events of which that is not known
	fields  []uint32          // by variable, if patterns are looked for

	protections []protection         // by variable
	promises    map[string]*promised // by the promises

	vars    numbers
	started map[uint32]events.Event // by thread: its fork
	locks   numbers

	told      map[string]bool        // code of deadlocks and races
	counted   map[swapKey]bool       // objects that were written, or added to, before the window
	suspects  map[swapKey][]*suspect // signals that can be missed, if no other one follows, by object
	settled   []*suspect             // those of objects that are no more
	over      map[uint32]bool        // threads that have ended
	detector  *races.Detector        // nil: races are not looked for
	unordered map[[2]place]bool      // code of accesses that nothing orders in the observed run
}

// ops are what events are for the partial order. Those that are not here are no events of it.
var ops = map[events.Op]order.Op{
	events.Read: order.OpRead, events.Write: order.OpWrite, events.Update: order.OpUpdate,
	events.Lock: order.OpAcquire, events.Unlock: order.OpRelease, events.RLock: order.OpReadAcquire,
	events.RUnlock: order.OpReadRelease, events.TryFailed: order.OpTryFailed,
	events.Prewait: order.OpPrewait, events.Postwait: order.OpPostwait, events.Notify: order.OpNotify,
	events.Add: order.OpAdd, events.Done: order.OpDone, events.Wait: order.OpWait,
	events.Send: order.OpSend, events.Receive: order.OpReceive, events.Close: order.OpClose,
	events.Presend: order.OpPresend, events.Postsend: order.OpPostsend, events.Look: order.OpLook,
	events.OnceEnd: order.OpRan, events.OnceDone: order.OpHasRun,
	events.Fork: order.OpFork, events.Join: order.OpJoin, events.End: order.OpEnd,
}

var opOf = func() (table [64]order.Op) {
	for i := range table {
		table[i] = order.OpNothing
	}
	for from, to := range ops {
		table[from] = to
	}
	return table
}()

// read reads the trace, and looks at blocks when the window is full.
func (p *predictor) read(ctx context.Context) error {
	for n := uint(0); ; n++ {
		if n&1023 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		e, err := p.src.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := p.event(e); err != nil {
			return err
		}
		if p.h.Len() >= p.options.Window {
			if err := p.slide(ctx); err != nil {
				return err
			}
		}
	}
}

// event adds an event.
func (p *predictor) event(e events.Event) error {
	if p.detector != nil {
		p.detector.Add(e, func(r races.Race) { p.unordered[p.pair(r.First, r.Second)] = true })
	}
	p.signalled(e)
	op := opOf[e.Op]
	if op == order.OpNothing {
		for _, b := range p.blocks.event(e, order.ID{}, nil) {
			p.add(b)
		}
		return nil
	}
	object := uint32(e.Object)
	if e.Op.Kind() == events.Variable {
		object = p.vars.of(e.Object)
	}
	if err := p.h.Add(e.Thread, op, object, p.ref(e, object)); err != nil {
		return &FaultError{fmt.Sprintf("%s %d", p.src.Unit(), e.Number),
			fmt.Sprintf("%s by %s: %v", p.src.Text(e), p.src.Thread(e.Thread), err)}
	}
	p.count(e)
	if e.Op == events.Fork {
		p.started[uint32(e.Object)] = e
	}
	p.log = append(p.log, e)
	added := p.h.Event(p.h.Start() + p.h.Len() - 1)
	if e.Op.Kind() == events.Variable && !p.options.NoBlocks {
		p.noteAccess(e, object, added)
	}
	for _, b := range p.blocks.event(e, added.ID, added.Held) {
		p.add(b)
	}
	return nil
}

func (p *predictor) count(e events.Event) {
	r := &p.report
	if e.Op != events.End {
		r.Events++
	}
	r.Threads = max(r.Threads, int(e.Thread)+1)
	switch e.Op.Kind() {
	case events.Variable:
		r.Accesses.Events++
		r.Accesses.Objects = p.vars.count
	case events.Mutex:
		r.Locks.Events++
		p.locks.of(e.Object)
		r.Locks.Objects = p.locks.count
	case events.Condition:
		r.Waits++
	}
}

// add adds a block that has ended.
func (p *predictor) add(b *block) {
	if p.options.NoBlocks {
		return
	}
	p.report.Blocks++
	if len(b.Accesses) == 0 || len(b.Accesses) == 1 && p.pairs == nil {
		p.trivial(b)
		return
	}
	p.pending = append(p.pending, b)
}

// trivial counts a block with less than two accesses, which is atomic whatever others do.
func (p *predictor) trivial(b *block) {
	p.report.SegmentSize += len(b.Accesses)
	if p.options.NoStatic {
		p.report.Atomic++
	} else {
		p.report.Static++
	}
}

// slide looks at the blocks that end early enough in the window, and forgets as much of it as is not needed.
func (p *predictor) slide(ctx context.Context) error {
	start, window := p.h.Start(), p.h.Len()
	if err := p.look(ctx, start+window*3/4); err != nil {
		return err
	}
	p.preserved()
	to := start + window/2
	first := to
	keep := func(b *block) {
		if len(b.Accesses) > 0 && !b.cut {
			first = min(first, p.h.Number(b.id(0)))
		}
	}
	for _, b := range p.pending {
		keep(b)
	}
	p.blocks.open(keep)
	if first < start+window/8 { // they are too long
		cut := func(b *block) {
			if len(b.Accesses) > 0 && !b.cut && p.h.Number(b.id(0)) < to {
				b.cut = true
			}
		}
		for _, b := range p.pending {
			cut(b)
		}
		p.blocks.open(cut)
		first = to
	}
	p.forget(p.log[:first-start])
	p.h.Slide(first)
	p.log = append(p.log[:0], p.log[first-start:]...)
	if p.pairs != nil {
		p.pairs.Slide()
	}
	return nil
}

// look looks at the blocks that end before an event.
func (p *predictor) look(ctx context.Context, until int) error {
	rest := p.pending[:0]
	for _, b := range p.pending {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		switch {
		case b.cut:
			p.report.Cut++
		case p.h.Number(b.id(len(b.Accesses)-1)) >= until:
			rest = append(rest, b)
		default:
			p.predict(b)
		}
	}
	p.pending = append(p.pending[:0:0], rest...)
	return nil
}

// predict looks for a violation of a block, and for patterns of it and others.
func (p *predictor) predict(b *block) {
	atomic := p.isAtomic(b)
	if p.pairs != nil {
		p.pairs.End(&b.Block, b.name, b.site, atomic)
	}
}

// more is how much more a second try may be than the first one.
const more = 40

// isAtomic looks for a violation of a block. It tells whether it is proved that there is none.
func (p *predictor) isAtomic(b *block) bool {
	r := &p.report
	if len(b.Accesses) == 1 {
		p.trivial(b)
		return true
	}
	s := p.segment(b)
	r.SegmentSize += s.Size(p.h)
	kept := func(variable uint32) bool { return p.protections[variable].isKept(b.Thread, s.Guards) }
	if !p.options.NoStatic && s.IsAtomic(p.h, &b.Block, kept) {
		if !s.Whole {
			if of := p.promise(b, &s); of != nil {
				of.static++
				r.Static++
			} else {
				r.Cut++
			}
			return false
		}
		r.Static++
		p.proved(0)
		return true
	}
	if p.options.NoSearch {
		r.Bounded++
		return false
	}
	found := p.search(b, &s, p.options.Explore)
	if o := p.options.Explore; found.Verdict == explore.Bounded && p.options.Again > 0 {
		o.Paths, o.Looks, o.Runs = more*o.Paths, min(more*o.Looks, p.options.Again), more*o.Runs
		found = p.search(b, &s, o)
		p.options.Again -= found.Looks
	}
	switch found.Verdict {
	case explore.Atomic:
		r.Atomic++
		p.proved(1)
		return true
	case explore.Violation:
		r.Violated++
		p.found(b, &found)
	case explore.Bounded:
		r.Bounded++
	case explore.Cut:
		if of := p.promise(b, &s); of != nil {
			of.search++
			r.Atomic++
		} else {
			r.Cut++
		}
	}
	return false
}

// search looks for a violation of a block in its segment.
func (p *predictor) search(b *block, s *segment.Segment, o explore.Options) explore.Result {
	found := explore.Search(p.h, &b.Block, s, o)
	p.report.Paths += found.Paths
	p.report.Runs += found.Runs
	return found
}

// proved notes a proof that a thread nobody has started would refute.
func (p *predictor) proved(how int) {
	if !p.h.Finished {
		n := p.report.windowProofs[p.h.Unforked]
		n[how]++
		p.report.windowProofs[p.h.Unforked] = n
	}
}

// segment is that of a block.
func (p *predictor) segment(b *block) segment.Segment {
	s := segment.Of(p.h, &b.Block)
	if !p.options.NoSegment {
		return s
	}
	s.Whole = p.h.Finished && p.h.Start() == 0
	for i := range s.Upper {
		if t := int32(i); t != b.Thread {
			s.Upper[i], s.Lower[i] = p.h.Base(t), p.h.Last(t)+1
		}
	}
	return s
}
