package execute

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
)

// Trial is calls of a library that are carried out on an object: some one after another, then two
// at the same time, or in one of the two orders. The clock stands still, timers do not expire, and
// each goroutine draws the same random numbers in each run.
type Trial struct {
	Make   *ssa.Function // returns the object; nil: there is none
	Before []Call
	Calls  []Call // two; none: what Before leads to is asked for
	Beside []Call // that others make, at the same time as the two, with Together
	After  []Call // that show what state the object is in
	Rescue []Call // that others make, one after another, if a call has not returned and nothing can go on

	Subject *Subject // of which scenarios are looked for, in all objects of its type that the object leads to
}

// Call is a call of a function of a trial.
type Call struct {
	Func *ssa.Function // takes the object, or nothing; nil: time passes, all timers expire
	Go   bool          // by a goroutine that may never return
}

// Shown is the outcome of a trial.
type Shown struct {
	Lines     []Line
	After     []Line   // what the calls After have returned, or how they ended, and how often they called the client
	Results   [2]int   // how many each of the units has
	Start     string   // of a meeting: what the two units start from
	Waits     string   // goroutines that the library has started, and timers, which wait for something
	Blocked   bool     // a call has not returned: nothing can go on
	Panics    bool     // a call has panicked
	Joint     bool     // one of the two calls has waited for what the other one has done
	IsBare    bool     // the two calls have made accesses that conflict, and neither synchronises there
	Stuck     [2]*Wait // where calls wait that have not returned
	Ends      *Wait    // the operation on a channel, lock or wait group that ends the program, if one does
	Freed     bool     // what was done to their rescue has let them return
	Scenarios map[int]Finding
	Meets     bool     // two units of work on one object of the subject overlap
	Races     []Race   // between the two calls
	Trail     []Choice // scheduling points while both calls went on
	// which of the calls, from 0, those beside behind the two, went on at each of them; -1: another goroutine
	Went       []int
	CalledBack [2]int  // how often each of the two calls has called a function of the client's
	HandedBack [2]int  // how often one that it was handed itself
	SwapLost   [2]bool // a compare-and-swap of the call has failed
}

// Waiting yields the calls, from 0, that were made and have not returned.
func (s *Shown) Waiting() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range 2 {
			if s != nil && s.Stuck[i] != nil && !yield(i) {
				return
			}
		}
	}
}

// Choice is a scheduling point.
type Choice struct {
	Options  int  // goroutines that could go on; 1 where it does not matter who does
	Preempts bool // the one that ran is one of them, the first
}

// Order says how the two calls of a trial are carried out.
type Order int

// The orders.
const (
	Together      Order = iota // at the same time
	InOrder                    // the second one when the first has returned, and what it has started is at rest
	Reversed                   // the first one after the second
	InOrderAtOnce              // as soon as the first one has returned
	ReversedAtOnce
)

// Carry carries out a trial. With Together, the schedule's choices are at the scheduling points of
// Shown.Trail. The error says that there is no outcome: what Before calls has panicked or not
// returned, a bound was passed, or an *Unsupported.
func (p *Program) Carry(t *Trial, order Order, s Schedule) (*Shown, error) {
	return p.carry(t, newWatch(t.subject()), order, s)
}

// carrier carries out one trial.
type carrier struct {
	trial    *Trial
	m        *machine
	order    Order
	shown    *Shown
	object   value
	prepared [2]*called // whose arguments have been made
	outcomes [2]*called // those that were made
	beside   []*called
	together bool // scheduling points are choices
	there    int  // how many goroutines there were before the two calls
	ready    bool // Before has come to its end

	afterwards *called // a call After, while it goes on
	toldAfter  int     // how often it has called a function of the client's, with itself
	unmade     bool
	complete   bool
}

// called is a call that goes on or has ended.
type called struct {
	g      *goroutine
	result value
	panic  string
	done   bool
	held   bool // it is not to be made yet
}

func (p *Program) carry(t *Trial, w *watch, order Order, s Schedule) (*Shown, error) {
	c := p.newCarrier(t, w, order, s)
	c.carryOut(c.run)
	switch {
	case c.m.err != nil:
		return nil, c.m.err
	case c.unmade:
		return nil, ErrUnmade
	case c.isMissing():
		return nil, ErrMissing
	case !c.complete && c.ready && strings.HasPrefix(c.m.ended, "steps"):
		return nil, fmt.Errorf("it did not come to an end in %d steps%s", trialSteps, strings.TrimPrefix(c.m.ended, "steps"))
	case !c.complete && c.ready:
		c.noteEnd(c.m.ended)
		c.shown.Lines = []Line{{Path: "the program", Text: "ends: " + c.m.ended}}
	case !c.complete:
		return nil, fmt.Errorf("the start did not come to an end: %s%s", c.m.ended, c.m.where)
	}
	if order == Together && len(t.Calls) == 2 {
		c.m.showMatches(c.shown)
	}
	return c.shown, nil
}

func (p *Program) newCarrier(t *Trial, w *watch, order Order, s Schedule) *carrier {
	c := &carrier{trial: t, order: order, shown: &Shown{Scenarios: map[int]Finding{}}}
	c.m = p.newMachine(w)
	c.m.idle, c.m.notes, c.m.steps = true, true, trialSteps
	c.m.decide = func(options []*goroutine, current *goroutine) int { return c.decide(options, current, s) }
	c.m.among = func(int) int { return 0 }
	c.m.callsBack, c.m.joined, c.m.argumentsMade = c.callsBack, c.joined, c.argumentsMade
	c.m.swapLost = c.swapLost
	c.m.announcing = len(t.Rescue) > 0
	return c
}

// carryOut runs a goroutine to its end, or that of the run.
func (c *carrier) carryOut(run func(*goroutine)) {
	c.m.start(func(g *goroutine, _ []value) value {
		run(g)
		return nil
	})
	c.m.program.Executed += trialSteps - c.m.steps + c.m.initial
	if c.m.copier != nil {
		c.m.program.Executed += len(c.m.copier.copies) // as dear as an instruction each
	}
}

// ErrMissing means that a call was to be made on what was not handed out before.
var ErrMissing = errors.New("no call before has handed out what it is called on")

// ErrUnmade means that the function that makes the object has returned nil.
var ErrUnmade = errors.New("what makes the object returns nil")

// swapLost is told whose compare-and-swap has failed.
func (c *carrier) swapLost(g *goroutine) {
	for i, call := range c.outcomes {
		c.shown.SwapLost[i] = c.shown.SwapLost[i] || call != nil && call.g == g
	}
}

// isNothing tells whether a value is a nil pointer or interface.
func isNothing(v value) bool {
	switch v := v.(type) {
	case *cell:
		return v == nil
	case iface:
		return v.typ == nil || isNothing(v.val)
	}
	return false
}

func (c *carrier) isMissing() bool {
	v := c.m.program.main.Var(knowledge.MissingName)
	return v != nil && c.m.globals[v] != nil && c.m.globals[v].val == true
}

// decide chooses who goes on: the goroutine that runs, where there is no choice to be made.
func (c *carrier) decide(options []*goroutine, current *goroutine, s Schedule) int {
	if !c.together {
		return 0
	}
	k := min(s.Choices[len(c.shown.Trail)], len(options)-1)
	choice := Choice{len(options), options[0] == current}
	if choice.Preempts && current.isGuarded() {
		choice.Options = 1
	}
	if c.order != Together && !c.areOthers(options) {
		choice.Options = 1
	}
	c.shown.Trail = append(c.shown.Trail, choice)
	went := -1
	for i, call := range c.outcomes {
		if call != nil && call.g == options[k] {
			went = i
		}
	}
	for i, call := range c.beside {
		if call.g == options[k] {
			went = len(c.outcomes) + i
		}
	}
	c.shown.Went = append(c.shown.Went, went)
	return k
}

// areOthers tells whether the goroutines are those of the two calls, and such as were there before: what one that a
// call has started does is part of what the call does.
func (c *carrier) areOthers(options []*goroutine) bool {
	for _, g := range options {
		isCall := false
		for _, call := range c.outcomes {
			isCall = isCall || call != nil && call.g == g
		}
		if g.id >= c.there && !isCall {
			return false
		}
	}
	return true
}

// run is the goroutine that carries out the trial.
func (c *carrier) run(g *goroutine) {
	t := c.trial
	if c.begin(g); !c.ready {
		return
	}
	if len(t.Calls) == 2 && !c.both(g) {
		c.noteStuck()
	}
	if c.shown.Lines = c.panics(); len(c.shown.Lines) > 0 {
		c.shown.Blocked, c.shown.Panics, c.complete = false, true, true
		c.noteEnd(c.shown.Lines[0].Text)
		return
	}
	c.shown.Lines, c.shown.Waits = c.outcome(), c.waits()
	if c.shown.Blocked {
		c.rescue(g)
		c.complete = true
		return
	}
	for _, step := range t.After {
		text := ""
		call := c.start(step)
		c.afterwards, c.toldAfter = call, 0
		if c.settle(g); !call.done {
			text = "does not return"
		}
		c.afterwards = nil
		c.shown.After = append(c.shown.After, c.resultLines(call, step, text)...)
		c.shown.After = append(c.shown.After, Line{Path: "calls of the client", Text: strconv.Itoa(c.toldAfter)})
		if !call.done {
			break
		}
	}
	c.complete = true
}

// begin brings the object into the state that the trial begins with.
func (c *carrier) begin(g *goroutine) {
	from, done := c.m.program.startOf(c.trial, c.m.watch)
	if from != nil {
		c.startFrom(g, from)
	} else {
		g.invoke(&closure{fn: c.m.program.main.Func("init")}, nil, nil)
	}
	if from == nil || !from.isState {
		c.make(g)
	}
	if c.unmade {
		return
	}
	for _, step := range c.trial.Before[done:] {
		if step.Go {
			c.start(step)
		} else {
			c.call(g, step)
		}
		c.settle(g)
	}
	c.settle(g)
	c.ready = true
}

// make makes the object, if there is one.
func (c *carrier) make(g *goroutine) {
	if c.trial.Make == nil {
		return
	}
	c.object, _ = g.invoke(&closure{fn: c.trial.Make}, nil, nil)
	if isNothing(c.object) { // it has failed, and clients make no calls of what is not there
		c.unmade = true
		return
	}
	c.watchObjects()
	c.m.publish(c.object)
}

// startFrom begins with what another run has left, with the same objects in it.
func (c *carrier) startFrom(g *goroutine, from *beginning) {
	c.m.startFrom(from)
	g.draws, g.printed = from.m.goroutines[0].draws, slices.Clone(from.m.goroutines[0].printed)
	c.object = c.m.copier.value(from.object)
	if c.m.watch.Subject.Type == nil { // variables are, when they are touched
		return
	}
	for _, o := range from.m.objects {
		c.m.newObject(c.m.copier.cell(o.cell))
	}
}

// watchObjects makes objects of what the object leads to of the subject's type.
func (c *carrier) watchObjects() {
	if c.m.watch.Subject.Type == nil {
		return
	}
	o := &outliner{seen: map[any]string{}, m: c.m}
	o.visit = func(at *cell) {
		if c.m.watch.isSubject(at.typ) && at.self == nil && len(c.m.objects) < 8 {
			c.m.newObject(at)
		}
	}
	o.value("", anything, c.object)
}

// call carries out a call to its end.
func (c *carrier) call(g *goroutine, step Call) value {
	if step.Func == nil && c.m.meets {
		g.expire()
		return nil
	} else if step.Func == nil {
		g.letTimePass()
		return nil
	}
	var args []value
	if len(step.Func.Params) > 0 {
		args = append(args, c.object)
	}
	v, _ := g.invoke(&closure{fn: step.Func}, args, nil)
	return v
}

// both carries out the two calls; false if nothing can go on before they have returned.
func (c *carrier) both(g *goroutine) bool {
	first, second := 0, 1
	if outer, _, isNested := c.order.nested(); c.order == Reversed || c.order == ReversedAtOnce || isNested && outer == 1 {
		first, second = 1, 0
	}
	c.prepare(g)
	c.m.meets, c.there = true, len(c.m.goroutines)
	defer func() { c.m.meets = false }()
	if slices.ContainsFunc(c.trial.Calls, func(step Call) bool { return step.Func == nil }) {
		c.m.clock += passing // before both, in any order of them: what takes a call so long is no harm
	}
	if _, _, isNested := c.order.nested(); isNested {
		c.m.nesting = &nesting{outer: c.prepared[first].g, inner: c.prepared[second].g,
			read: map[any]bool{}, wrote: map[any]bool{}, changed: map[any]bool{}}
	}
	c.release(first)
	switch c.order {
	case InOrder, Reversed:
		c.settle(g) // if it waits for the other one, it is split there
	case InOrderAtOnce, ReversedAtOnce:
		c.together = true // with the goroutines that the library has started
		g.point(func() bool { return c.outcomes[first].done || c.isAtRest(g) })
	}
	if _, _, isNested := c.order.nested(); isNested {
		c.settle(g)
		return c.outcomes[first].done && c.isSplit()
	}
	c.release(second)
	if c.together = c.together || c.order == Together; c.order == Together {
		for _, step := range c.trial.Beside {
			c.beside = append(c.beside, c.start(step))
		}
	}
	done := func() bool {
		return c.outcomes[0].done && c.outcomes[1].done &&
			!slices.ContainsFunc(c.beside, func(call *called) bool { return !call.done })
	}
	g.point(func() bool { return done() || c.isAtRest(g) })
	c.together = false
	c.settle(g)
	return done()
}

// prepare makes the arguments of both calls, in one order whichever comes first: the outcomes are of the same calls.
func (c *carrier) prepare(g *goroutine) {
	for i, step := range c.trial.Calls {
		c.prepared[i] = c.begun(&called{held: true}, step)
		c.settle(g)
	}
}

// release lets a call be made.
func (c *carrier) release(i int) *called {
	c.outcomes[i] = c.prepared[i]
	c.outcomes[i].held = false
	return c.outcomes[i]
}

// argumentsMade lets a call wait until it is to be made.
func (c *carrier) argumentsMade(g *goroutine) {
	for _, call := range c.prepared {
		if call != nil && call.g == g && call.held {
			g.point(func() bool { return !call.held })
		}
	}
}

// settle waits until no other goroutine can go on.
func (c *carrier) settle(g *goroutine) { g.point(func() bool { return c.isAtRest(g) }) }

// isAtRest tells whether no goroutine but those can go on.
func (c *carrier) isAtRest(but ...*goroutine) bool {
	for _, other := range c.m.goroutines {
		if !slices.Contains(but, other) && !other.done && (other.ready == nil || other.ready()) {
			return false
		}
	}
	return true
}

// start starts a goroutine that makes a call.
func (c *carrier) start(step Call) *called { return c.begun(&called{}, step) }

// begun starts the goroutine of a call.
func (c *carrier) begun(call *called, step Call) *called {
	body := &closure{native: func(g *goroutine, _ []value) value {
		defer func() {
			call.done = true
			switch p := recover().(type) {
			case nil:
			case goPanic:
				call.panic = "panic: " + panicText(p.val)
			case goexit:
				call.panic = "ends its goroutine"
			default:
				call.done = false
				panic(p)
			}
		}()
		if step.Func == nil {
			c.argumentsMade(g)
		}
		call.result = c.call(g, step)
		return nil
	}}
	call.g = c.m.spawn(body, nil, nil)
	return call
}

// panicText is what is shown of a panic.
func panicText(v value) string {
	if i, ok := v.(iface); ok && i.typ != nil {
		if text, ok := i.val.(string); ok {
			return text
		}
		return i.typ.String()
	}
	return Value{v}.String()
}

// outcome returns what the object and the results are, and package variables.
func (c *carrier) outcome() []Line {
	o := &outliner{seen: map[any]string{}, m: c.m}
	o.value("", anything, c.object)
	for i, call := range c.outcomes {
		if call != nil && c.trial.Calls[i].Func != nil {
			o.result(resultPath(i), call, c.trial.Calls[i].Func)
		}
	}
	o.globals()
	for i, call := range c.outcomes {
		if call != nil {
			o.printed(resultPath(i), call.g)
		}
	}
	return o.lines
}

// waits says what waits for something.
func (c *carrier) waits() string {
	var b strings.Builder
	for _, g := range c.m.goroutines[1:] {
		if !g.done && g.top != nil {
			fmt.Fprintf(&b, "%s;", g.top.fn.ssa)
		}
	}
	for _, t := range c.m.timers {
		fmt.Fprintf(&b, "%t;", t.stopped)
	}
	return b.String()
}

// panics returns which calls have panicked: a program ends by that.
func (c *carrier) panics() (all []Line) {
	for i, call := range append(c.outcomes[:], c.beside...) {
		if call != nil && call.panic != "" {
			all = append(all, Line{Path: resultPath(i), Text: call.panic})
		}
	}
	return all
}

// resultLines returns what a call of its own has shown.
func (c *carrier) resultLines(call *called, step Call, text string) []Line {
	o := &outliner{seen: map[any]string{}, m: c.m}
	o.value("", anything, c.object)
	o.lines = nil
	switch {
	case step.Func == nil:
	case text != "":
		o.line(step.Func.Name(), text)
	default:
		o.result(step.Func.Name(), call, step.Func)
	}
	return o.lines
}

// resultPath begins the paths of what call i, from 0, has returned.
func resultPath(i int) string { return fmt.Sprintf("result %d", i+1) }

// variablePath begins the paths of a variable that call i was handed.
func variablePath(call, name string) string { return call + variableInfix + name }

const variableInfix = " variable "

// VariableOf returns the rest of the path of a variable that a call was handed, as what SplitResult returns
// leaves it.
func VariableOf(rest string) (path string, ok bool) { return strings.CutPrefix(rest, variableInfix) }

// IsResult tells whether a path is of what a call has returned.
func IsResult(path string) bool { return strings.HasPrefix(path, "result ") }

// SplitResult takes the path of a result apart: which call it is of, from 0, which of its results,
// -1 where it is about all of them, and where in it; not ok for other paths.
func SplitResult(path string) (call, result int, rest string, ok bool) {
	if _, err := fmt.Sscanf(path, "result %d", &call); err != nil {
		return 0, 0, "", false
	}
	call--
	rest = strings.TrimPrefix(path, resultPath(call))
	if _, err := fmt.Sscanf(rest, "#%d", &result); err != nil {
		return call, -1, rest, true
	}
	return call, result - 1, strings.TrimPrefix(rest, fmt.Sprintf("#%d", result)), true
}

// Search carries out a trial under schedules with so many preemptions at most, until stop says so
// of what is shown, or so many runs have been made. Errors of single runs are passed over, but
// *Unsupported.
func (p *Program) Search(t *Trial, preemptions, runs int, stop func(Schedule, *Shown) bool) error {
	return searchSchedules(preemptions, runs, stop, func(s Schedule) (*Shown, error) { return p.Carry(t, Together, s) })
}

// SearchOrder is Search for one of the orders in which a call follows at once: what varies is when the goroutines
// go on that the library has started.
func (p *Program) SearchOrder(t *Trial, order Order, preemptions, runs int, stop func(Schedule, *Shown) bool) error {
	return searchSchedules(preemptions, runs, stop, func(s Schedule) (*Shown, error) { return p.Carry(t, order, s) })
}

// SearchMeeting is Search for two units of work that meet.
func (p *Program) SearchMeeting(mt *Meeting, same SameUnit, preemptions, runs int,
	stop func(Schedule, *Shown) bool) error {
	return searchSchedules(preemptions, runs, stop,
		func(s Schedule) (*Shown, error) { return p.Meet(mt, same, Together, s) })
}

func searchSchedules(preemptions, runs int, stop func(Schedule, *Shown) bool,
	carry func(Schedule) (*Shown, error)) error {
	level := []Schedule{{}}
	for depth := 0; depth <= maxChoices && len(level) > 0; depth++ {
		var next []Schedule
		for _, schedule := range spread(level, runs) {
			runs--
			shown, err := carry(schedule)
			if _, isUnsupported := err.(*Unsupported); isUnsupported {
				return err
			} else if err != nil {
				continue
			}
			if stop(schedule, shown) {
				return nil
			}
			last := -1
			for k := range schedule.Choices {
				last = max(last, k)
			}
			for k := last + 1; k < len(shown.Trail); k++ {
				made := schedule.preemptions
				if shown.Trail[k].Preempts {
					made++
				}
				for option := 1; option < shown.Trail[k].Options && made <= preemptions; option++ {
					choices := maps.Clone(schedule.Choices)
					if choices == nil {
						choices = map[int]int{}
					}
					choices[k] = option
					next = append(next, Schedule{Choices: choices, preemptions: made})
				}
			}
		}
		level = next
	}
	return nil
}

// spread returns so many elements of a list, evenly spread over it.
func spread[T any](all []T, n int) []T {
	if len(all) <= n {
		return all
	}
	some := make([]T, 0, max(n, 0))
	for i := range max(n, 0) {
		some = append(some, all[i*len(all)/n])
	}
	return some
}
