// Package judge holds facts that an analysis claims of a program to runs of it: a fact is
// refuted by a run in which it is not so. It shares nothing with the analyses. Each kind
// of fact is a small type that an analysis, or a test of it, fills from its own result.
//
// What is not refuted is not proved. A fact counts as checked if a run came to where it
// claims something.
package judge

import (
	"fmt"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/execute"
)

// Fact is a claim about all runs of a program.
type Fact interface {
	fmt.Stringer
	// watch asks to be told what the fact is about in one run.
	watch(r *run, c *claim)
}

// Scope says which activations of a function a fact is about, as those of one node of a call
// graph; nil: all.
type Scope func(execute.Activation) bool

func (s Scope) has(a execute.Activation) bool { return s == nil || s(a) }

// Refutation is a run in which a fact was not so.
type Refutation struct {
	Fact     Fact
	Number   int // of the fact
	Schedule execute.Schedule
	Why      string
}

func (r Refutation) String() string {
	return fmt.Sprintf("%s\n\trefuted: %s\n\tby the schedule %v", r.Fact, r.Why, r.Schedule)
}

// Verdict is the outcome.
type Verdict struct {
	Runs    int
	Checks  []int // how often a run came to where each fact claims something
	Refuted []Refutation
}

// claim is a fact, and what became of it.
type claim struct {
	fact    Fact
	number  int
	run     *run // that goes on
	checks  int
	refuted *Refutation
}

// maxChecks bounds how often one fact is checked: loops add nothing.
const maxChecks = 400

// holds counts a check, whose outcome says why the fact is not so, "" if it is.
func (c *claim) holds(why string) {
	c.checks++
	if why != "" && c.refuted == nil {
		c.refuted = &Refutation{c.fact, c.number, c.run.schedule, why}
	}
}

// isOver tells whether there is no need to check the fact any more.
func (c *claim) isOver() bool { return c.refuted != nil || c.checks > maxChecks }

// Check runs the program under many schedules. It fails, with a verdict on what was run, if the
// program does what cannot be run.
func Check(p *execute.Program, facts []Fact, b execute.Budget) (*Verdict, error) {
	claims := make([]*claim, len(facts))
	for i, f := range facts {
		claims[i] = &claim{fact: f, number: i}
	}
	report, err := execute.Observe(p, b, func(s execute.Schedule) execute.Observer { return newRun(s, claims) })
	v := &Verdict{Runs: report.Runs}
	for _, c := range claims {
		v.Checks = append(v.Checks, c.checks)
		if c.refuted != nil {
			v.Refuted = append(v.Refuted, *c.refuted)
		}
	}
	return v, err
}

// Small is a budget of a few schedules.
func Small(runs int) execute.Budget {
	return execute.Budget{Runs: runs, Random: runs / 2, Time: time.Minute, Seed: 1}
}

// run tells the facts what happens in one run.
type run struct {
	schedule execute.Schedule

	before, after map[ssa.Instruction][]func(execute.Activation)
	enter, leave  map[*ssa.Function][]func(execute.Activation)
	access        []func(execute.Goroutine, execute.Place, int)
	entered       []func(execute.Activation) // of any function
	stores        []func(execute.Activation, *ssa.Store)
	starts        []func(execute.Goroutine)
	ends          []func(why string, all []execute.Goroutine)
	spans         map[execute.Goroutine][]func(execute.Goroutine, execute.Place, int) // of what a goroutine executes

	clocks, synced *clocks // nil if no fact needs them
}

func newRun(s execute.Schedule, claims []*claim) *run {
	r := &run{
		schedule: s,
		before:   map[ssa.Instruction][]func(execute.Activation){}, after: map[ssa.Instruction][]func(execute.Activation){},
		enter: map[*ssa.Function][]func(execute.Activation){}, leave: map[*ssa.Function][]func(execute.Activation){},
		spans: map[execute.Goroutine][]func(execute.Goroutine, execute.Place, int){},
	}
	for _, c := range claims {
		if !c.isOver() {
			c.run = r
			c.fact.watch(r, c)
		}
	}
	return r
}

// onBefore asks to be told before an instruction; onAfter after one; onEnter and onLeave of the
// activations of a function, in the scope.
func (r *run) onBefore(i ssa.Instruction, in Scope, f func(execute.Activation)) {
	r.before[i] = append(r.before[i], in.only(f))
}

func (r *run) onAfter(i ssa.Instruction, in Scope, f func(execute.Activation)) {
	r.after[i] = append(r.after[i], in.only(f))
}

func (r *run) onEnter(fn *ssa.Function, in Scope, f func(execute.Activation)) {
	r.enter[fn] = append(r.enter[fn], in.only(f))
}

func (r *run) onLeave(fn *ssa.Function, in Scope, f func(execute.Activation)) {
	r.leave[fn] = append(r.leave[fn], in.only(f))
}

// only is f for the activations in the scope.
func (s Scope) only(f func(execute.Activation)) func(execute.Activation) {
	if s == nil {
		return f
	}
	return func(a execute.Activation) {
		if s(a) {
			f(a)
		}
	}
}

func (r *run) Start(by, started execute.Goroutine) {
	if r.clocks != nil {
		r.clocks.start(by, started)
	}
	if r.synced != nil {
		r.synced.start(by, started)
	}
	for _, f := range r.starts {
		f(started)
	}
}

func (r *run) End(why string, all []execute.Goroutine) {
	for _, f := range r.ends {
		f(why, all)
	}
}

func (r *run) Enter(a execute.Activation) {
	for _, f := range r.enter[a.Function()] {
		f(a)
	}
	for _, f := range r.entered {
		f(a)
	}
}

func (r *run) Leave(a execute.Activation) {
	for _, f := range r.leave[a.Function()] {
		f(a)
	}
}

func (r *run) Before(a execute.Activation, i ssa.Instruction) {
	if store, ok := i.(*ssa.Store); ok {
		for _, f := range r.stores {
			f(a, store)
		}
	}
	for _, f := range r.before[i] {
		f(a)
	}
}

func (r *run) After(a execute.Activation, i ssa.Instruction) {
	for _, f := range r.after[i] {
		f(a)
	}
}

func (r *run) Access(g execute.Goroutine, p execute.Place, kind int) {
	for _, f := range r.access {
		f(g, p, kind)
	}
	for _, f := range r.spans[g] {
		f(g, p, kind)
	}
	if r.clocks != nil {
		r.clocks.access(g, p, kind)
	}
	if r.synced != nil {
		r.synced.access(g, p, kind)
	}
}

// where names an instruction in a message.
func where(i ssa.Instruction) string {
	at := i.Parent().Prog.Fset.Position(i.Pos())
	text := i.String()
	if v, ok := i.(ssa.Value); ok {
		text = v.Name() + " = " + text
	}
	if !at.IsValid() {
		return fmt.Sprintf("%q in %s", text, i.Parent().Name())
	}
	return fmt.Sprintf("%q in %s (line %d)", text, i.Parent().Name(), at.Line)
}

// first returns the first instruction of a block that is no phi.
func first(b *ssa.BasicBlock) ssa.Instruction {
	for _, i := range b.Instrs {
		switch i.(type) {
		case *ssa.Phi, *ssa.DebugRef:
		default:
			return i
		}
	}
	return nil
}
