package pipeline

import (
	"context"
	"fmt"
	"go/types"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/execute"
	"github.com/empire-go/empire-go/frontend/harm"
	"github.com/empire-go/empire-go/frontend/harness"
	"github.com/empire-go/empire-go/limit"
)

// experiments are what harm is looked for with, by the main packages of programs.
type experiments struct {
	mu  sync.Mutex // held while one of them is used
	all map[*ssa.Package]experiment
}

// experiment is a way to let two units of work meet.
type experiment interface {
	// pairOf returns the names of what meets in a counterexample.
	pairOf(s *ScenarioResult) ([2]string, error)
	// try looks for runs with a part of the budget, see harm.Library.Pair.
	try(ctx context.Context, pair [2]string, subject *execute.Subject, part int, want harm.Want) (string, error)
	// race looks for a data race of two accesses.
	race(ctx context.Context, accesses []Step, subject *execute.Subject, want harm.Want) (string, error)
}

// Harm is nearly always near: so each pair gets a small part of its budget before any gets all of it.
var budgetParts = []int{20, 1}

// of returns the experiment for a program.
func (e *experiments) of(entry harness.Entry) experiment {
	if e.all == nil {
		e.all = map[*ssa.Package]experiment{}
	}
	if e.all[entry.Main] == nil {
		e.all[entry.Main] = newExperiment(entry)
	}
	return e.all[entry.Main]
}

func newExperiment(entry harness.Entry) experiment {
	if !entry.IsLibrary() {
		return parts{harm.NewProgram(entry.Main, harm.DefaultBudget)}
	}
	trial, err := entry.Trial()
	if err != nil {
		return calls{err: err}
	}
	return calls{harm.New(trial, harm.DefaultBudget), trial, entry.Program.SSA, nil}
}

// addHarm says of each violation of a query whether it does what no order of its units does. The
// experiments are locked.
func (a *analysis) addHarm(ctx context.Context, q *QueryResult, m model) error {
	if len(q.Races) == 0 &&
		!slices.ContainsFunc(q.Scenarios, func(s ScenarioResult) bool { return s.Verdict == VerdictViolation }) {
		return nil
	}
	e := a.runner.experiments.of(a.entry)
	h := harmSearch{experiment: e, subject: a.watched()}
	var violations []*ScenarioResult
	for i := range q.Scenarios {
		s := &q.Scenarios[i]
		if s.Verdict != VerdictViolation {
			continue
		}
		if s.Harm != nil && s.Harm.Status == HarmPossible { // it is known from an earlier try
			continue
		}
		s.Harm = &Harm{Status: HarmUnknown}
		if _, err := e.pairOf(s); err != nil {
			s.Harm.Reason = err.Error()
			continue
		}
		violations = append(violations, s)
	}
	a.addRaces(ctx, e, h.subject, q)
	var n *others
	if m.lowered != nil {
		n = newOthers(a, m.lowered, violations)
	}
	for _, h.part = range budgetParts {
		h.fruitless = map[[2]string]bool{}
		h.ofPairs(ctx, violations)
		if n != nil {
			if err := n.lookFor(ctx, &h, violations, false); err != nil {
				return err
			}
		}
	}
	if n == nil {
		return nil
	}
	if err := a.addNone(ctx, q, &h, n, violations); err != nil {
		return err
	}
	h.part = budgetParts[0]
	h.fruitless = map[[2]string]bool{}
	return n.lookFor(ctx, &h, violations, true)
}

// harmSearch looks for the harm of violations.
type harmSearch struct {
	experiment experiment
	subject    *execute.Subject
	part       int                // of the budget, see experiment.try
	fruitless  map[[2]string]bool // pairs that no harm was found for with it
}

// ofPairs looks for the harm of violations that none is known of, those of one pair together.
func (h *harmSearch) ofPairs(ctx context.Context, violations []*ScenarioResult) {
	byPair := map[[2]string][]*ScenarioResult{}
	var order [][2]string
	for _, s := range violations {
		if pair, err := h.experiment.pairOf(s); err == nil && s.Harm.Status == HarmUnknown {
			if byPair[pair] == nil {
				order = append(order, pair)
			}
			byPair[pair] = append(byPair[pair], s)
		}
	}
	for _, pair := range order {
		h.of(ctx, pair, byPair[pair])
	}
}

// of looks for the harm that two units do, for the violations that they are shown with.
func (h *harmSearch) of(ctx context.Context, pair [2]string, violations []*ScenarioResult) {
	var best *harm.Finding // of any of the scenarios
	left := len(violations)
	tried, err := h.experiment.try(ctx, pair, h.subject, h.part, func(f *harm.Finding) harm.Next {
		if !f.IsHarmful {
			return harm.GoOn
		}
		for _, s := range violations {
			if _, shows := f.Scenarios[s.Scenario]; shows && f.IsOf(h.subject.Fields) && s.Harm.Status != HarmPossible {
				s.Harm = possible(f)
				left--
			}
		}
		if f.IsOf(h.subject.Fields) && (best == nil || f.Observed && !best.Observed) {
			best = f
		}
		switch {
		case left == 0:
			return harm.Enough
		case best != nil: // it may not show the scenario itself
			return harm.Settle
		}
		return harm.GoOn
	})
	h.fruitless[pair] = best == nil
	for _, s := range violations {
		switch {
		case s.Harm.Status == HarmPossible:
		case best != nil:
			s.Harm = possible(best)
		case err != nil:
			s.Harm.Reason = whyNoHarm(ctx, err)
		default:
			s.Harm.Reason = "no outcome was found that no order of the units gives, " + tried
		}
	}
}

// whyNoHarm says why nothing was found out under a context.
func whyNoHarm(ctx context.Context, err error) string {
	switch b := limit.Passed(ctx); {
	case b != nil:
		return (&limitError{b, "harm"}).Error()
	case ctx.Err() != nil:
		return interrupted
	}
	return err.Error()
}

// possible is the harm that a run of the interpreter has done.
func possible(f *harm.Finding) *Harm {
	return &Harm{Status: HarmPossible, Start: f.Start, Calls: f.Calls, Imports: f.Imports, Expected: f.Expected,
		Actual: f.Actual, Schedule: f.Schedule}
}

// watched is the object that harm is looked for on.
func (a *analysis) watched() *execute.Subject {
	subject := &execute.Subject{Type: a.subject.Type, Fields: a.subject.Fields, Line: -1,
		All: !a.entry.IsLibrary(), Strict: a.request.Strict}
	if a.subject.Type == nil {
		for _, f := range a.subject.Fields {
			subject.Vars = append(subject.Vars, a.subject.Vars[f])
		}
	}
	return subject
}

// calls is the experiment with a library: functions that clients call.
type calls struct {
	library *harm.Library
	trial   *harness.Trial
	program *ssa.Program
	err     error // why there is none
}

func (c calls) pairOf(s *ScenarioResult) ([2]string, error) {
	if c.err != nil {
		return [2]string{}, c.err
	}
	return callsOf(s.Counterexample)
}

func (c calls) try(ctx context.Context, pair [2]string, subject *execute.Subject, part int, want harm.Want) (
	string, error) {
	var functions [2]*types.Func
	for i, name := range pair {
		if name == ofLibrary {
			continue
		}
		if functions[i] = c.function(name); functions[i] == nil {
			return "", c.unwritten(name)
		}
	}
	return c.library.Pair(ctx, functions[0], functions[1], subject, part, want)
}

// unwritten says why no call of a function can be written, and what to do.
func (c calls) unwritten(name string) error {
	for fn, t := range c.trial.Missing {
		if of := c.program.FuncValue(fn.Origin()); of != nil &&
			harm.WithoutTypeArguments(of.String()) == harm.WithoutTypeArguments(name) {
			return fmt.Errorf("no call of %s can be written, as no value of type %s is known: name a function that makes "+
				"one under make: in empire.yaml", name, t)
		}
	}
	return fmt.Errorf("no call of %s can be written: clients of the package do not call it by itself", name)
}

func (c calls) race(ctx context.Context, accesses []Step, subject *execute.Subject, want harm.Want) (
	string, error) {
	if c.err != nil {
		return "", c.err
	}
	pair, err := callsOf(accesses)
	if err != nil {
		return "", err
	}
	for i, name := range pair {
		if c.function(name) == nil { // the steps do not say who has started the goroutine
			pair[i] = ofLibrary
		}
	}
	return c.try(ctx, pair, subject, 1, want)
}

// function returns the function with a name as in a counterexample that the trial calls.
func (c calls) function(name string) *types.Func {
	name, _, _ = strings.Cut(harm.WithoutTypeArguments(name), "$") // a literal in it: the trial calls what it returns
	for _, s := range c.trial.Steps {
		fn := c.program.FuncValue(s.Callee.Origin())
		if fn != nil && harm.WithoutTypeArguments(fn.String()) == name {
			return s.Callee
		}
	}
	// A method of what an interface holds: clients call that of the interface.
	for _, s := range c.trial.Steps {
		if c.program.FuncValue(s.Callee.Origin()) == nil && strings.HasSuffix(name, ")."+s.Callee.Name()) {
			return s.Callee
		}
	}
	return nil
}

// parts is the experiment with a program: parts of its goroutines.
type parts struct{ program *harm.Program }

func (p parts) pairOf(s *ScenarioResult) ([2]string, error) {
	if len(s.Units) != 2 {
		return [2]string{}, fmt.Errorf("the counterexample does not name two units")
	}
	return [2]string(s.Units), nil
}

func (p parts) try(ctx context.Context, pair [2]string, subject *execute.Subject, part int, want harm.Want) (
	string, error) {
	return p.program.Meet(ctx, pair, subject, part, want)
}

func (p parts) race(ctx context.Context, _ []Step, subject *execute.Subject, want harm.Want) (
	string, error) {
	return p.program.Race(ctx, subject, want)
}

// ofLibrary stands for a goroutine that the library has started.
const ofLibrary = "go"

// callsOf returns the functions of a library that clients call in a counterexample.
func callsOf(steps []Step) ([2]string, error) {
	var calls [2]string
	var roles []string
	inLibrary := map[string]bool{} // goroutines that are not started by a client
	for _, s := range steps {
		if s.Action == "start" {
			inLibrary[s.Target] = s.Pos != "" && s.Pos != "-"
		}
		if s.Event == 0 && s.Step != 0 {
			continue
		}
		goroutine := fmt.Sprintf("%s %d", s.Goroutine, s.Instance)
		role := slices.Index(roles, goroutine)
		if role < 0 {
			role = len(roles)
			roles = append(roles, goroutine)
		}
		if role > 1 {
			return calls, fmt.Errorf("more than two goroutines take part")
		}
		if inLibrary[s.Goroutine] {
			calls[role] = ofLibrary
		}
		if calls[role] == "" {
			calls[role] = s.Function
			if len(s.Stack) > 0 {
				calls[role] = s.Stack[0][:strings.LastIndex(s.Stack[0], " ")]
			}
		}
	}
	if len(roles) < 2 {
		return calls, fmt.Errorf("the counterexample does not say which two functions are called")
	}
	return calls, nil
}
