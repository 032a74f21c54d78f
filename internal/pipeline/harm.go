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
	"github.com/empire-go/empire-go/frontend/knowledge"
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
	// race looks for a data race of what meets in it, see raceOf.
	race(ctx context.Context, pair [2]string, subject *execute.Subject, part int, want harm.Want) (string, error)
	// raceOf returns the names of what meets in a data race of two accesses.
	raceOf(accesses []Step) ([2]string, error)
	// partners returns pairs of each name of a pair, and a function that takes a lock.
	partners(pair [2]string) [][2]string
	// ready says why no run can be begun; nil if one can.
	ready() error
}

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

// forget drops the experiment for a program: the runs of one are kept to begin others with, and take much memory.
func (e *experiments) forget(entry harness.Entry) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.all, entry.Main)
}

func newExperiment(entry harness.Entry) experiment {
	if !entry.IsLibrary() {
		return parts{harm.NewProgram(entry.Main, entry.Program.Embedded, harm.DefaultBudget)}
	}
	trial, err := entry.Trial()
	if err != nil {
		return calls{err: err}
	}
	return calls{harm.New(trial, entry.Program.Embedded, harm.DefaultBudget), trial, entry.Program.SSA, nil}
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

func (c calls) race(ctx context.Context, pair [2]string, subject *execute.Subject, part int, want harm.Want) (
	string, error) {
	return c.try(ctx, pair, subject, part, want)
}

func (c calls) raceOf(accesses []Step) ([2]string, error) {
	if c.err != nil {
		return [2]string{}, c.err
	}
	pair, err := callsOf(accesses)
	if err != nil {
		return pair, err
	}
	for i, name := range pair {
		if c.function(name) == nil { // the steps do not say who has started the goroutine
			pair[i] = ofLibrary
		}
	}
	return pair, nil
}

// maxPartners bounds the functions that are tried with another one, as they take locks.
const maxPartners = 6

func (c calls) partners(pair [2]string) (all [][2]string) {
	seen := map[*ssa.Function]bool{nil: true}
	for _, s := range c.trial.Steps {
		fn := c.program.FuncValue(s.Callee.Origin())
		if seen[fn] || !knowledge.TakesLock(fn) || len(seen) > maxPartners {
			continue
		}
		seen[fn] = true
		all = append(all, [2]string{pair[0], fn.String()})
		if pair[1] != pair[0] {
			all = append(all, [2]string{pair[1], fn.String()})
		}
	}
	return all
}

func (c calls) ready() error {
	if c.err != nil {
		return c.err
	}
	return c.library.Ready()
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
	// A method of what an interface holds: clients call that of the interface, or of another type that it may hold.
	for _, s := range c.trial.Steps {
		isOfInterface := c.program.FuncValue(s.Callee.Origin()) == nil ||
			c.handsOutInterface() && strings.HasPrefix(s.Text, "o.")
		if isOfInterface && strings.HasSuffix(name, ")."+s.Callee.Name()) {
			return s.Callee
		}
	}
	return nil
}

// handsOutInterface tells whether clients have the object as an interface.
func (c calls) handsOutInterface() bool {
	return len(c.trial.Makers) > 0 && types.IsInterface(c.trial.Makers[0].Func.Signature.Results().At(0).Type())
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

func (p parts) race(ctx context.Context, _ [2]string, subject *execute.Subject, part int, want harm.Want) (
	string, error) {
	return p.program.Race(ctx, subject, part, want)
}

// raceOf names nothing: the whole program is run.
func (p parts) raceOf([]Step) ([2]string, error) { return [2]string{}, nil }

func (p parts) partners([2]string) [][2]string { return nil }

func (p parts) ready() error { return nil }

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
		goroutine := s.actor()
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
