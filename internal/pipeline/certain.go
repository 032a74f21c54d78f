package pipeline

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/harness"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/races"
)

// maxCertain bounds the races that are added to those of the model, which are few, too.
const maxCertain = 4

// addCertainRaces makes errors of the data races that are certain by the locks that are held, and adds those that the
// model did not get to. Where the model has none, that is believed.
func (q *asking) addCertainRaces() {
	a := q.analysis
	if a.subject.Type == nil || !a.entry.IsLibrary() {
		return
	}
	undecided := func(as Assumption) bool { return as.Kind == raceUndecided }
	if q.isSearched && !q.answer.DataRace && !slices.ContainsFunc(q.answer.Assumptions, undecided) {
		if a.request.checksRaces != nil {
			a.request.checksRaces(len(a.certainRaces()))
		}
		return
	}
	if !a.request.Harm {
		return
	}
	added := 0
	for _, found := range a.certainRaces() {
		accesses := []Step{a.accessOf(&found[0]), a.accessOf(&found[1])}
		isTold := false // the access that lacks the lock is in a race that counts
		for i := range q.answer.Races {
			r := &q.answer.Races[i]
			if isSameRace(r.Accesses, accesses) {
				r.Level = "error"
				if r.Harm == nil || r.Harm.Status == HarmUnknown {
					r.Harm = &Harm{Status: HarmUnknown, Reason: a.whyCertain(&found)}
				}
			}
			isTold = isTold || r.Level == "error" && slices.ContainsFunc(r.Accesses, func(s Step) bool {
				return s.Location == accesses[0].Location && lineOf(s) == lineOf(accesses[0])
			})
		}
		if !isTold && added < maxCertain {
			added++
			q.answer.Races = append(q.answer.Races, Race{Accesses: accesses, ID: raceID(a.queryName(q.site), accesses),
				Level: "error", Harm: &Harm{Status: HarmUnknown, Reason: a.whyCertain(&found)}})
		}
	}
	slices.SortStableFunc(q.answer.Races, func(r, s Race) int { return r.Severity() - s.Severity() })
	if q.answer.DataRace = q.answer.DataRace || added > 0; len(q.answer.Race) == 0 && len(q.answer.Races) > 0 {
		q.answer.Race = q.answer.Races[0].Accesses
	}
}

// certainRaces returns the data races that are certain by the locks that are held. They are looked for once.
func (a *analysis) certainRaces() []races.Race {
	a.turns.Lock() // the program is added to
	defer a.turns.Unlock()
	a.runner.experiments.mu.Lock()
	defer a.runner.experiments.mu.Unlock()
	a.lookAtLocks()
	return a.certain
}

// lookAtLocks looks once at how locks are held at accesses of the fields. The experiments are locked.
func (a *analysis) lookAtLocks() {
	if !a.hasCertain {
		a.certain, a.locking = a.findCertainRaces()
		a.hasCertain = true
	}
}

func (a *analysis) findCertainRaces() ([]races.Race, map[string]races.Discipline) {
	c, ok := a.runner.experiments.of(a.entry).(calls)
	if !ok || c.err != nil {
		return nil, nil
	}
	var methods, makers []*ssa.Function
	steps := map[*ssa.Function]harness.TrialStep{}
	for _, s := range c.trial.Steps {
		if s.UnderLocks || s.IsLentLock {
			continue // what holds a lock is the caller
		}
		if fn := a.methodOf(c, s.Callee); fn != nil && !slices.Contains(methods, fn) {
			methods = append(methods, fn)
			steps[fn] = s
		}
	}
	for _, s := range c.trial.Makers {
		if s.Callee == nil {
			continue
		}
		if fn := c.program.FuncValue(s.Callee.Origin()); fn != nil && !slices.Contains(makers, fn) {
			makers = append(makers, fn)
		}
	}
	found, locking := races.Find(a.subject.Type, a.subject.Fields, methods, makers)
	return slices.DeleteFunc(found, func(r races.Race) bool {
		u, v := steps[r[0].Entry], steps[r[1].Entry]
		if r[0].Started == nil && r[1].Started == nil &&
			(u.Phase.IsTooEarly(v.Phase) || u.ByMaker && v.ByMaker || u.ForTests || v.ForTests ||
				u.Turn.IsApartFrom(v.Turn) || c.trial.IsTestDouble) {
			return true
		}
		return knowledge.IsNoRace(r[0].Instr.Parent()) || knowledge.IsNoRace(r[1].Instr.Parent())
	}), locking
}

// methodOf returns the method of the type that a call of a client runs: itself, or as that of an interface.
func (a *analysis) methodOf(c calls, callee *types.Func) *ssa.Function {
	if callee == nil || callee.Signature().Recv() == nil {
		return nil
	}
	of := callee.Signature().Recv().Type()
	if p, ok := of.(*types.Pointer); ok {
		of = p.Elem()
	}
	if named, ok := of.(*types.Named); ok && named.Origin() == a.subject.Type.Origin() {
		return c.program.FuncValue(callee.Origin())
	}
	if !types.IsInterface(of) {
		return nil
	}
	for m := range a.subject.Type.Origin().Methods() {
		if m.Name() == callee.Name() {
			return c.program.FuncValue(m)
		}
	}
	return nil
}

// accessOf is an access as it is shown.
func (a *analysis) accessOf(x *races.Access) Step {
	s := a.clientsStep(x.Instr, x.Pos(), x.IsWrite, x.Field)
	if x.Started != nil {
		s.Goroutine = "go " + x.Entry.String()
	}
	for _, call := range x.Calls {
		s.Stack = append(s.Stack, call.Parent().String()+" "+a.program.Position(call.Pos()).String())
	}
	return s
}

// clientsStep is an access by a client as it is shown.
func (a *analysis) clientsStep(at ssa.Instruction, pos token.Pos, isWrite bool, location string) Step {
	action := "read"
	if isWrite {
		action = "write"
	}
	return Step{Goroutine: "a client", Function: at.Parent().String(), Action: action, Location: location,
		Pos: a.program.Position(pos).String(), Stack: []string{}}
}

// whyCertain says what is known of the locks.
func (a *analysis) whyCertain(r *races.Race) string {
	held := func(x *races.Access) string {
		var names []string
		for _, l := range x.Locks {
			name := strings.TrimPrefix(strings.ReplaceAll(l.Place, "->", ""), ".")
			if l.Shared {
				name += " for reading"
			}
			names = append(names, name)
		}
		text := strings.Join(names, " and ")
		if len(names) == 0 {
			text = "no lock"
		}
		return fmt.Sprintf("%s at %s", text, strings.TrimSuffix(lineOf(a.accessOf(x)), ":"))
	}
	return "no run has shown it, but it is certain by the locks that are held: " + held(&r[0]) + ", " + held(&r[1])
}

// isSameRace tells whether two races are between accesses on the same lines.
func isSameRace(r, s []Step) bool {
	return len(r) == 2 && len(s) == 2 && areSame([2]string{lineOf(r[0]), lineOf(r[1])}, s)
}

// areSame tells whether two lines are those of two accesses, in any order.
func areSame(lines [2]string, accesses []Step) bool {
	of := [2]string{lineOf(accesses[0]), lineOf(accesses[1])}
	return lines == of || lines == [2]string{of[1], of[0]}
}

// lineOf returns the file and the line of a step.
func lineOf(s Step) string { return s.Pos[:strings.LastIndexByte(s.Pos, ':')+1] }
