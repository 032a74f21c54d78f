// Package harm decides whether the interleavings of two units of work do what no order of the two
// does: whether a violation matters. It carries out the calls of a library in the interpreter
// (frontend/execute), from many states of an object, in both orders and interleaved, and compares
// the outcomes: what the calls return, and what the object, and package variables, are afterwards.
//
//	states     which states calls lead to, the nearest first
//	harm       which two calls are made from each of them
//	encounter  the two calls: is there an outcome that no order gives, and does it count?
//	alike      outcomes that are as good as one another
//	nested     one call is made inside the other one
//	hidden     what no client can tell
//	status     what is told of a call that is at work
//	describe   the difference in words
//	stuck      calls that wait for ever
//	program    the same for parts of a program's goroutines
//
// What is found can happen. What is not found may happen from a start that was not tried.
package harm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/types"
	"slices"

	"github.com/empire-go/empire-go/frontend/execute"
	"github.com/empire-go/empire-go/frontend/harness"
)

// Budget bounds a search, in instructions that are interpreted.
type Budget struct {
	States int // to find states of the object
	Pair   int // for two units of work
}

// DefaultBudget takes about a second for a pair of units.
var DefaultBudget = Budget{States: 1_000_000, Pair: 2_000_000}

// Finding is a run with an outcome that no order of its calls gives.
type Finding struct {
	Start   []string // statements that make the object and bring it into the state, see harness.TrialStep
	Calls   []string
	Imports []string

	Expected  []string // of each order
	Actual    string
	Schedule  []int // see execute.Shown.Went
	Scenarios map[int]execute.Finding
	Meets     bool          // two units on one object overlap: what they do to its fields may be the reason
	IsHarmful bool          // no order gives the outcome
	Race      *execute.Race // it is one, of the fields that are watched; the outcome may be that of an order
	Unmeant   string        // of the race: why it does not count, as the two calls are not meant to meet; "" if it does
	IsMeant   bool          // something says that they do: not only a lock that is held
	Paths     []string      // of the parts in which it differs from the orders, see execute.Line
	Observed  bool          // by what the calls return or how they end, or by a call afterwards
}

// Library is a library of which harm is looked for.
type Library struct {
	trial   *harness.Trial
	program *execute.Program
	budget  Budget

	states    []state
	reached   map[string]bool
	cost      int               // of the states that have been looked for
	statesEnd int               // of the budget to find some
	first     map[string]string // of the parts of the first state, see execute.Line
	changed   map[string]bool   // parts that differ from it in another one
	err       error

	// what was tried to the end, and did nothing harmful and had no data race, whatever the subject: what is violated in
	// several sets of fields is often done by the same functions
	quiet map[attempt]effort
}

// attempt is that two functions are tried with one part of the budget in so many.
type attempt struct {
	u, v  *types.Func
	parts int
}

// effort is what was tried of two functions.
type effort struct {
	runs, starts int
	joint        bool // a run did what comes of one call waiting for the other one
	nested       bool // a run did what one call does that a function makes which the other one is handed
	without      bool // a run did what another one did in which no units on the object overlap
	unmeant      bool // a run did something that nothing says that goroutines do at the same time
	refused      bool // a run did what comes of one call that the other one made fail, and that says so
	errors       bool // a run differs from the orders only in which errors there are
	status       bool // a run differs from the orders only in the status that was told
	givenBack    bool // a call was not made, as it would use what was closed or given back before
	hidden       bool // no call tells what a run left where clients do not see it from what the orders leave
}

// Why what two calls do does not count. All but the last one are true whatever they do.
const (
	keptApart = "where other packages of the module call these, they hold locks, which keep the calls apart"
	lentLock  = "one of the two calls takes no lock, and the type declares a method Lock for those who make it"
	byMaker   = "in the module, which alone can have the object, the goroutine that makes it makes the two calls"
	forbidden = "a comment says that goroutines do not make the two calls at the same time"
	standsIn  = "by its name it stands in for something in tests, which arrange who uses it at the same time"
	forTests  = "a comment says that one of the two calls is there for tests, which arrange who makes it when"
	tooEarly  = "one of the two calls begins the life of the object, by its name, its comment, or as it returns the " +
		"object for the next call, and comes before those that use it"
	noLocks = "neither holds a lock, and no comment says that goroutines make the two calls at the same time"
)

// said says what was tried.
func (e effort) said(unchanged string) string {
	tried := fmt.Sprintf("in %d runs from %d starts%s", e.runs, e.starts, unchanged)
	for _, not := range []struct {
		is   bool
		text string
	}{
		{e.joint, "what comes of one call waiting for the other one is meant, and does not count"},
		{e.nested, "what comes of one call made by a function that is handed to the other one does not count"},
		{e.without, "what happens just so where no units on the object overlap does not count"},
		{e.unmeant, "what comes of a race in which neither holds a lock does not count: no comment says that " +
			"goroutines make the two calls at the same time"},
		{e.refused, "that a call fails whose compare-and-swap another one makes fail, and that says so, is meant, and " +
			"does not count"},
		{e.status, "a status that is told while a call is at work is that of the moment, and does not count"},
		{e.givenBack, "that a client uses what it has closed or given back before is its mistake, and was not tried"},
		{e.errors, "which of several errors there is does not count"},
		{e.hidden, "what is only in memory of the standard library, or of an object that is closed, and no call afterwards " +
			"can tell, does not count"},
	} {
		if not.is {
			tried += " (" + not.text + ")"
		}
	}
	return tried
}

// state is a state of an object, by how it is reached.
type state struct {
	maker  int
	before []int // steps of the trial, or timePasses
	cost   int
}

// timePasses stands for a step that lets time pass.
const timePasses = -1

// timePassing is how one would write it.
const timePassing = "time.Sleep(2 * time.Hour)"

// New returns the library that a trial is of.
func New(t *harness.Trial, files execute.Files, b Budget) *Library {
	l := &Library{trial: t, program: execute.New(t.Main, files), budget: b, reached: map[string]bool{},
		quiet: map[attempt]effort{}}
	l.begin()
	return l
}

// begin adds the states that nothing is called before.
func (l *Library) begin() {
	l.statesEnd = l.program.Executed + l.budget.States
	if len(l.trial.Makers) == 0 {
		l.add(state{maker: -1})
	}
	l.make(l.trial.Makers)
	if errors.Is(l.err, execute.ErrUnmade) && len(l.states) == 0 && len(l.trial.Others) > 0 {
		l.err = nil
		l.trial.Makers, l.trial.Others = l.trial.Others, nil
		l.make(l.trial.Makers)
	}
}

// make adds the states of the objects that the functions make.
func (l *Library) make(makers []harness.TrialStep) {
	for i := range makers {
		if len(l.states) < maxVariants { // many fail, where few arguments are of use
			l.add(state{maker: i})
		}
	}
}

// ErrNoCall means that the trial has no call of a unit.
var ErrNoCall = errors.New("no call of it can be written")

// ErrNoStart means that no object can be made.
var ErrNoStart = errors.New("no run begins")

// ErrNever means that nothing which two calls do at the same time counts, whatever they do.
var ErrNever = errors.New("nothing that the two calls do counts")

// never is an ErrNever that says why.
type never string

func (n never) Error() string        { return string(n) }
func (n never) Is(target error) bool { return target == ErrNever }

// noStart is an ErrNoStart that says why.
type noStart struct{ why error }

func (n noStart) Error() string        { return n.why.Error() }
func (n noStart) Is(target error) bool { return target == ErrNoStart }
func (n noStart) Unwrap() error        { return n.why }

// Ready says why no run can be begun, as no object can be made; nil if one can.
func (l *Library) Ready() error {
	if len(l.states) > 0 {
		return nil
	}
	return noStart{cmp.Or(l.err, errors.New("no object can be made"))}
}

// Pair looks for harm that the two functions do when they are called at the same time, on the
// objects of the subject; nil is a goroutine that the library has started. It hands on runs that are
// harmful, or in which the two race, and returns what has been tried. It may cost one part of the
// budget in so many. The error says why nothing could be tried, or need not be.
func (l *Library) Pair(ctx context.Context, u, v *types.Func, subject *execute.Subject, parts int, want Want) (
	tried string, err error) {
	if e, ok := l.quiet[attempt{u, v, parts}]; ok {
		return e.said(l.unchanged(subject)), ctx.Err()
	}
	var calls [2][]int
	serving := timePasses // the step that starts what time sets going, if any
	for i, fn := range []*types.Func{u, v} {
		if calls[i] = l.callsOf(fn); len(calls[i]) == 0 {
			return "", fmt.Errorf("%s: %w", fn.Name(), ErrNoCall)
		}
		if first := calls[i][0]; first != timePasses && l.trial.Steps[first].Waits {
			serving, calls[i] = first, []int{timePasses}
		}
	}
	p := &pair{hunt: newHunt(l.program, l.budget.Pair/parts, want), library: l, calls: calls, subject: subject}
	p.search(ctx, serving)
	for i := range p.calls {
		if step := p.calls[i][0]; p.starts == 0 && p.waits[i] > 0 && step != timePasses {
			// It never returns: it serves, until it is stopped.
			l.serve(step)
			p.calls[i], p.waits[i] = []int{timePasses}, 0
			p.search(ctx, step)
		}
	}
	if p.never != "" {
		return "", never(p.never)
	}
	if p.starts == 0 {
		return "", cmp.Or(p.err, l.err, errors.New("no order of the two calls came to an end"))
	}
	if !p.loud && ctx.Err() == nil {
		l.quiet[attempt{u, v, parts}] = p.effort
	}
	return p.said(l.unchanged(subject)), ctx.Err()
}

// serve notes that a step does not return: from now on a goroutine of its own carries it out.
func (l *Library) serve(step int) {
	l.trial.Steps[step].Waits = true
	l.states, l.cost = nil, 0
	clear(l.reached)
	l.begin()
}

// search tries the calls from the states in which a step serves: near states with all arguments, and
// far ones with the first arguments, before far ones with all.
func (p *pair) search(ctx context.Context, serving int) {
	for _, preemptions := range []int{1, 2} {
		tried := true
		for round := 0; !p.isOver(ctx) && (tried || round < maxStates/statesPerRound+2*maxVariants); round++ {
			tried = false
			for i := 0; i < statesPerRound*(round+1) && p.library.hasState(ctx, i); i++ {
				if s := p.library.states[i]; serving == timePasses || p.library.isServed(s, serving) {
					tried = p.from(ctx, s, round-i/statesPerRound, preemptions) || tried
				}
			}
		}
	}
}

// isServed tells whether a function serves in a state that a step calls, with whatever arguments.
func (l *Library) isServed(s state, serving int) bool {
	return slices.ContainsFunc(s.before, func(step int) bool {
		return step != timePasses && l.trial.Steps[step].Callee == l.trial.Steps[serving].Callee
	})
}

// statesPerRound says how many states are as near as one argument; functions have maxVariants at most.
const (
	statesPerRound = 4
	maxVariants    = 6
)

// callsOf returns the steps that call a function; nil is a goroutine of the library, which is set
// going by time.
func (l *Library) callsOf(fn *types.Func) []int {
	if fn == nil {
		return []int{timePasses}
	}
	var all []int
	for i, s := range l.trial.Steps {
		if s.Callee.Origin() == fn.Origin() {
			all = append(all, i)
		}
	}
	return all
}

// trialOf returns what brings an object into a state.
func (l *Library) trialOf(s state) *execute.Trial {
	t := &execute.Trial{}
	if s.maker >= 0 {
		t.Make = l.trial.Makers[s.maker].Func
	}
	for _, step := range s.before {
		t.Before = append(t.Before, l.call(step))
	}
	return t
}

// call returns what carries out a step.
func (l *Library) call(step int) execute.Call {
	if step == timePasses {
		return execute.Call{}
	}
	return execute.Call{Func: l.trial.Steps[step].Func, Go: l.trial.Steps[step].Waits}
}

// textOf writes a step.
func (l *Library) textOf(step int) (string, []string) {
	if step == timePasses {
		return timePassing, []string{"time time"}
	}
	s := l.trial.Steps[step]
	if s.Waits {
		return "go " + s.Text, s.Imports
	}
	return s.Text, s.Imports
}

// maxRuns bounds the interleavings of two calls from one start.
const maxRuns = 120

// pair is two functions that are called at the same time.
type pair struct {
	hunt
	effort
	library *Library
	calls   [2][]int
	subject *execute.Subject
	waits   [2]int // how often the call did not return, the other one not being there or over
	loud    bool   // a run was harmful, or two accesses raced
	never   string // why nothing that they do counts; "" if something may

	toldInside [2]map[execute.Line]bool // see told; nil before it is asked for
	err        error
}

// from tries the calls from one state with the arguments at a distance from the first ones; it tells
// whether there are any.
func (p *pair) from(ctx context.Context, s state, distance, preemptions int) (any bool) {
	for i, u := range p.calls[0] {
		j := distance - i
		if j < 0 || j >= len(p.calls[1]) || p.isOver(ctx) {
			continue
		}
		v := p.calls[1][j]
		if any = true; p.calls[0][0] == p.calls[1][0] && v < u {
			continue // the same function: the two goroutines can be exchanged
		}
		if p.library.trial.Shares(u, v) {
			p.err = cmp.Or(p.err, errShared)
			continue
		}
		if p.library.trial.IsGivenBack(s.before, u) || p.library.trial.IsGivenBack(s.before, v) {
			p.givenBack, p.err = true, cmp.Or(p.err, errGivenBack)
			continue
		}
		p.together(ctx, s, u, v, preemptions)
	}
	return any
}

// errShared is why two calls are not made on one value.
var errShared = errors.New("the two calls would be on one value without a lock, which is for one goroutine at a time")

// errGivenBack is why a call is not made.
var errGivenBack = errors.New("one of the two calls would be on a value that was closed or given back before")

// errPanics is why two calls are not made at the same time.
var errPanics = errors.New("one of the two calls panics if the other one comes first, or by itself")
