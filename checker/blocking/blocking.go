// Package blocking decides by explicit search which instances of an ESL program can come to wait for ever, and
// which operations can be executed that end the program: deadlocks, missed signals, blocked goroutines, and the
// order violations of channels, locks and counters, in the words of Fiedor, Křena, Letko and Vojnar (2010),
// definitions 3, 4, 5, 7, 8 and 9.
//
// An instance is blocked for ever in a state if it cannot take a step there, nor in any state that can be reached
// from it: no run of the others brings an operation that would let it go on. That is a question about all of the
// reachable states, which are explored within bounds of work: see Options. A state that was not explored counts as
// one that lets everybody go on, so that what is reported holds whether or not the search came to its end.
//
//	control   where an instance is: its stack, as a number; what it can still do from there
//	state     a state of the program as a list of numbers
//	step      what can happen in a state
//	local     partial-order reduction: steps that nobody else can notice come first
//	parts     what does not depend on each other is searched one after the other
//	order     what is used too early, or too late
//	rounds    who goes round in a loop for ever
//	livelock  who can hinder each other for ever
//	search    the graph of the states, and from where who can go on
//	waitfor   who waits for whom, and what that is called
//
// The package shares nothing with the reference interpreter (esl/interp), which replays each run before it is
// reported, and judges the search on random programs.
package blocking

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/esl/interp"
	"github.com/empire-go/empire-go/limit"
)

// Class is the kind of a finding.
type Class uint8

const (
	Deadlock       Class = iota // a set of instances wait for each other
	MissedSignal                // an instance waits for a signal that came when nobody waited
	Blocked                     // an instance waits for what nobody is left to do
	NoProgress                  // the same, of an operation that stands for a loop which looks again and again
	Livelock                    // instances can hinder each other again and again
	OrderViolation              // an operation is executed in a state in which it ends the program
)

// String returns the name of the class.
func (c Class) String() string {
	return [...]string{"deadlock", "missed-signal", "blocked", "no-progress", "livelock", "order"}[c]
}

// Options bound a search.
type Options struct {
	States int // that are explored, of each part; of all together twice as many; 0: DefaultStates
	Depth  int // of stacks; 0: DefaultDepth
	// Clients is processes of which there may be more than the program has, and which choose at a Skip without a
	// position what they do next: an instance counts as blocked for ever only where one of them is about to choose, as
	// another one always is.
	Clients []int
	Looks   func(esl.Pos) bool // where operations are that stand for loops which look again and again; nil: nowhere
	// Loop numbers other such loops, from 1 on, by where operations of a process are: 0 outside of them. See rounds. nil:
	// there are none.
	Loop func(process int, at esl.Pos) int
	// IsUse tells whether the program ends at a position, by Exit, as what an instance has looked at is not there. nil:
	// it does so nowhere.
	IsUse func(esl.Pos) bool
	// IsClosedUse tells whether it ends so as that is not there which an instance has received from a channel, which was
	// closed. nil: it does so nowhere.
	IsClosedUse func(esl.Pos) bool
	Whole       bool // without partial-order reduction, and not in parts: for tests
}

// isUse is IsUse, which may be nil.
func (o *Options) isUse(at esl.Pos) bool { return o.IsUse != nil && o.IsUse(at) || o.isClosedUse(at) }

// isClosedUse is IsClosedUse, which may be nil.
func (o *Options) isClosedUse(at esl.Pos) bool { return o.IsClosedUse != nil && o.IsClosedUse(at) }

// looks is Looks, which may be nil.
func (o *Options) looks(at esl.Pos) bool { return o.Looks != nil && o.Looks(at) }

// chooses tells whether a client is about to choose at a statement.
func chooses(s esl.Stmt) bool { return s.Op == esl.Skip && s.Pos == (esl.Pos{}) }

const (
	DefaultStates = 60_000
	DefaultDepth  = 32
	// maxInstances bounds the instances of a program.
	maxInstances = 62
)

// Result is what a search has found.
type Result struct {
	Findings []Finding // by class and place, one for each set of places; in the order of the lengths of their runs
	Complete bool      // all states were explored
	Reason   string    // if not: which bound was passed
	States   int
	// Open tells that an instance is blocked for ever, or in a livelock, if the worst is chosen at each Choice, and, of
	// more instances than a Start starts, that they are not started. If not, and the search is complete, no choice
	// matters.
	Open bool
	// Hinders tells that instances may be in a livelock that is no finding: they could choose to leave it, or try again
	// whatever they get. Then it is open, too.
	Hinders  bool
	possible map[place]bool
	blocked  map[place]bool // the places at which an instance can be blocked for ever
	rounds   map[place]bool // those at which one can be that goes round for ever
	// those at which one does not get what it tries to get, in a livelock
	livelocks map[place]bool
	crashes   map[place]bool
	uses      map[place]bool // where something is used too early or too late: see order.go
}

// place is where instances of a process are.
type place struct{ process, function, index int }

// Finding is a run after which something is wrong.
type Finding struct {
	Class Class
	Steps []esl.Step
	Waits []Wait // those that wait for each other; or the one that waits, or that ends the program
	Also  []Wait // others that are blocked for ever in the same state
}

// Wait is an instance that waits.
type Wait struct {
	esl.Instance
	Function, Index int        // the statement at which it is
	At              []esl.Stmt // the statement, or the targets of a select; what a round looks at, if anything
	For             []Edge
	Round           bool // it does not wait, but goes round in a loop: see Options.Loop
}

// Edge says whom an instance waits for.
type Edge struct {
	esl.Instance
	Op    esl.Op // what the instance would have to do
	Arg   int
	Holds bool // it holds the lock that is waited for
	Ended bool // and has ended
}

// Search explores a valid program. The error is that of the context, or that there are too many instances. The
// work is the number of states times that of instances; each finding costs one more pass over the states.
func Search(ctx context.Context, p *esl.Program, o Options) (r *Result, err error) {
	defer limit.Catch(&err)
	if o.States == 0 {
		o.States = DefaultStates
	}
	if o.Depth == 0 {
		o.Depth = DefaultDepth
	}
	d := newDivision(p, o)
	if o.Whole {
		r, err = searchPart(ctx, p, o)
	} else {
		r, err = d.search(ctx, o)
	}
	if err != nil {
		return nil, err
	}
	for n := len(o.Clients) - 1; n > 0 && !o.Whole && !r.Complete; n-- {
		complete, err := d.searchFewer(ctx, o, n, r)
		if err != nil {
			return nil, err
		}
		if complete {
			break
		}
	}
	for _, f := range r.Findings {
		if err := confirm(ctx, p, f); err != nil {
			return nil, err
		}
	}
	return r, nil
}

func newResult() *Result {
	return &Result{Complete: true, blocked: map[place]bool{}, crashes: map[place]bool{}, possible: map[place]bool{},
		uses: map[place]bool{}, rounds: map[place]bool{}, livelocks: map[place]bool{}}
}

// searchPart explores one program.
func searchPart(ctx context.Context, p *esl.Program, o Options) (*Result, error) {
	if n := len(p.Instances()); n > maxInstances {
		return nil, fmt.Errorf("there are %d goroutines, of which at most %d are followed", n, maxInstances)
	}
	s := newSearch(ctx, p, o)
	s.explore()
	r := newResult()
	r.Complete, r.Reason, r.States = s.reason == "", s.reason, len(s.nodes)
	s.decide()
	s.decideRounds()
	s.decidePossible()
	s.report(r)
	return r, nil
}

// search explores the parts of a program, the small ones first. What ends the program in one of them, unless that is
// what clients do (see freedByEnd), matters to all, which are then searched again.
func (d *division) search(ctx context.Context, o Options) (*Result, error) {
	for {
		r, crashing := newResult(), map[int]bool{}
		parts := d.parts()
		left := 2 * o.States
		for _, part := range parts {
			if left <= 0 {
				r.add(&Result{Reason: fmt.Sprintf("there are more than %d states", 2*o.States)})
				break
			}
			own := o
			own.States = min(o.States, left)
			found, err := searchPart(ctx, part.program, own)
			if err != nil {
				return nil, err
			}
			left -= found.States
			for i := range found.Findings {
				found.Findings[i].Steps = d.whole(part, found.Findings[i].Steps)
			}
			r.add(found)
			for at := range found.crashes {
				crashing[at.process] = true
			}
		}
		r.Findings = distinct(r.Findings)
		if len(d.clients) > 0 || len(parts) < 2 || !d.take(crashing) {
			return r, nil
		}
	}
}

// searchFewer adds what is found with the first n of the clients alone, and tells whether that search was complete.
// What they do is a run of the program, in which the others have not begun. What comes of it is so whatever these do if
// the program ends, or if locks are waited for that are held by those that wait, or by who has ended.
func (d *division) searchFewer(ctx context.Context, o Options, n int, r *Result) (complete bool, err error) {
	fewer := part{program: d.without(d.clients[n:])}
	o.Clients = d.clients[:n]
	found, err := newDivision(fewer.program, o).search(ctx, o)
	if err != nil {
		return false, err
	}
	for _, f := range found.Findings {
		if f.Class == OrderViolation || f.isClosed() {
			f.Steps = d.whole(fewer, f.Steps)
			r.Findings = append(r.Findings, f)
		}
	}
	r.Findings = distinct(r.Findings)
	r.States += found.States
	return found.Complete, nil
}

// isClosed tells whether those that wait do so for locks alone, which they hold themselves, or who has ended.
func (f Finding) isClosed() bool {
	for _, w := range f.Waits {
		if len(w.For) == 0 || slices.ContainsFunc(w.For, func(e Edge) bool {
			isOne := slices.ContainsFunc(f.Waits, func(w Wait) bool { return w.Instance == e.Instance })
			return !e.Holds || !isOne && !e.Ended
		}) {
			return false
		}
	}
	return true
}

// take lets processes be in all parts, and tells whether there are more of these now.
func (d *division) take(more map[int]bool) bool {
	before := len(d.always)
	maps.Copy(d.always, more)
	return len(d.always) > before
}

// add adds the result of a part.
func (r *Result) add(part *Result) {
	r.Findings = append(r.Findings, part.Findings...)
	r.States += part.States
	r.Open, r.Hinders = r.Open || part.Open, r.Hinders || part.Hinders
	if !part.Complete {
		r.Complete = false
		r.Reason = cmp.Or(r.Reason, part.Reason)
	}
	maps.Copy(r.blocked, part.blocked)
	maps.Copy(r.rounds, part.rounds)
	maps.Copy(r.livelocks, part.livelocks)
	maps.Copy(r.possible, part.possible)
	maps.Copy(r.crashes, part.crashes)
}

// confirm replays the run of a finding in the reference interpreter.
func confirm(ctx context.Context, p *esl.Program, f Finding) error {
	state, err := interp.Replay(ctx, p, f.Steps)
	if err != nil {
		return fmt.Errorf("defect: the run of a finding is none: %w", err)
	}
	if f.Class == OrderViolation || f.Class == Livelock {
		return nil // a select may have other ways, and who is hindered can go on
	}
	for _, step := range interp.Enabled(state) {
		for _, w := range f.Waits {
			stmt := p.Functions[step.Function].Body
			isRound := w.Round && (step.Index == len(stmt) || isLook(stmt[step.Index]))
			if step.Instance == w.Instance && !isRound {
				return fmt.Errorf("defect: copy %d of process %s is not blocked", w.Copy, p.Processes[w.Process].Name)
			}
		}
	}
	return nil
}
