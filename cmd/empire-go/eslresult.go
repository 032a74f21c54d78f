package main

import (
	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/esl"
)

// eslResult puts what the checker found out about a hand-written model into the
// form that is rendered, under a title.
func eslResult(title string, p *esl.Program, found *checker.Result) *empire.Result {
	q := empire.QueryResult{Type: title, Site: p.Objects[0].Site, DataRace: found.DataRace != nil}
	for l := range p.Locations {
		q.Fields = append(q.Fields, p.LocationName(l))
	}
	q.Model = empire.ModelSize{Goroutines: len(p.Instances()), Locks: len(p.Locks), Locations: len(p.Locations), Units: len(unitLabels(p))}
	if race := found.DataRace; race != nil {
		for _, in := range []esl.Instance{race.A, race.B} {
			q.Race = append(q.Race, empire.Step{Goroutine: p.Processes[in.Process].Name, Instance: in.Copy, Location: p.LocationName(race.Location)})
		}
	}
	if !found.RaceKnown {
		q.Assumptions = []empire.Assumption{{Kind: "data races", Text: "not decided whether there is one"}}
	}
	verdicts := map[string]bool{}
	for _, f := range found.Findings {
		s := eslScenario(p, f)
		verdicts[s.Verdict] = true
		q.Scenarios = append(q.Scenarios, s)
	}
	switch {
	case verdicts[empire.VerdictViolation]:
		q.Verdict = empire.VerdictViolation
	case verdicts[empire.VerdictUnknown] || len(verdicts) == 0:
		q.Verdict = empire.VerdictUnknown
	default:
		q.Verdict = empire.VerdictSafe
	}
	return &empire.Result{Verdict: q.Verdict, Queries: []empire.QueryResult{q}}
}

// unitLabels returns the labels of the units, each once.
func unitLabels(p *esl.Program) []string {
	var labels []string
	seen := map[string]bool{}
	for _, f := range p.Functions {
		for _, s := range f.Body {
			if s.Op == esl.UnitBegin && !seen[s.Unit] {
				seen[s.Unit] = true
				labels = append(labels, s.Unit)
			}
		}
	}
	return labels
}

func eslScenario(p *esl.Program, f checker.Finding) empire.ScenarioResult {
	s := empire.ScenarioResult{Scenario: f.Scenario.Number, Name: f.Scenario.Name, Class: f.Scenario.Class()}
	switch v := f.Verdict.(type) {
	case checker.Safe:
		s.Verdict, s.DecidedBy = empire.VerdictSafe, v.By
	case checker.Unknown:
		s.Verdict, s.Reason = empire.VerdictUnknown, v.Reason
	case checker.Violation:
		s.Verdict, s.DecidedBy, s.Level, s.DataRace = empire.VerdictViolation, v.By, "error", v.DataRace
		s.Units = []string{v.U.Label, v.V.Label}
		for _, l := range v.Locations {
			s.Locations = append(s.Locations, p.LocationName(l))
		}
		if n := v.Pattern.Number; n != 0 {
			s.Pattern = &n
		}
		s.Counterexample = eslSteps(p, v)
	}
	return s
}

// eslSteps renders the statements of a run that do something; the silent ones
// between them are left out.
func eslSteps(p *esl.Program, v checker.Violation) []empire.Step {
	event := map[int]int{}
	for e, at := range v.Matched {
		event[at] = e + 1
	}
	var steps []empire.Step
	units := map[esl.Instance][]string{}
	for i, step := range v.Steps {
		s, ok := eslStep(p, step)
		if !ok {
			continue
		}
		// A unit-end names no unit: it is the innermost open one.
		switch open := units[step.Instance]; {
		case s.Action == "unit-begin":
			units[step.Instance] = append(open, s.Unit)
		case s.Action == "unit-end" && len(open) > 0:
			s.Unit = open[len(open)-1]
			units[step.Instance] = open[:len(open)-1]
		}
		s.Step, s.Event = len(steps)+1, event[i]
		steps = append(steps, s)
	}
	return steps
}

// eslActions are the actions of the statements that are shown.
var eslActions = map[esl.Op]string{
	esl.LockOp: "lock", esl.Unlock: "unlock", esl.RLock: "rlock", esl.RUnlock: "runlock",
	esl.UnitBegin: "unit-begin", esl.UnitEnd: "unit-end", esl.Start: "start", esl.Join: "wait",
	esl.Set: "set", esl.Await: "await", esl.Done: "done",
}

func eslStep(p *esl.Program, step esl.Step) (empire.Step, bool) {
	f := p.Functions[step.Function]
	if step.Index >= len(f.Body) {
		return empire.Step{}, false // the return at the end of the body
	}
	stmt := f.Body[step.Index]
	s := empire.Step{
		Goroutine: p.Processes[step.Process].Name, Instance: step.Copy,
		Function: f.Name, Action: eslActions[stmt.Op], Pos: stmt.Pos.String(),
	}
	switch stmt.Op {
	case esl.Access:
		s.Action, s.Location = accessAction(stmt.Access), p.LocationName(stmt.Arg)
		s.Object = p.Objects[p.Locations[stmt.Arg].Object].Site
	case esl.LockOp, esl.Unlock, esl.RLock, esl.RUnlock:
		s.Lock = p.Locks[stmt.Arg].Name
	case esl.UnitBegin, esl.UnitEnd:
		s.Unit = stmt.Unit
	case esl.Start, esl.Join:
		s.Target = p.Processes[stmt.Arg].Name
	case esl.Set, esl.Await:
		s.Lock = p.Flags[stmt.Arg].Name
	}
	return s, s.Action != ""
}

// accessAction is the action of an access.
func accessAction(k esl.AccessKind) string {
	switch {
	case k.Reads() && k.Writes():
		return "rmw"
	case k.Writes():
		return "write"
	}
	return "read"
}
