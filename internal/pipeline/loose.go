package pipeline

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/lower"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/scenarios"
)

// Of a violation counts only that in which no code has a part that is not followed in the model.

// vaguely begins the reason of what is open because code that is not followed may have a part in it.
const vaguely = "what was too large to follow may do this: "

// isVague tells whether a scenario is open for that reason.
func isVague(s ScenarioResult) bool {
	return s.Verdict == VerdictUnknown && strings.HasPrefix(s.Reason, vaguely)
}

// trusted returns what was found without what hangs on code that is not followed, and what stands for that.
func trusted(p *esl.Program, m *lower.Result, found *checker.Result) (*checker.Result, map[int][]loosePart) {
	if len(m.Loose) == 0 {
		return found, nil
	}
	sure, open := *found, map[int][]loosePart{}
	sure.Findings = slices.Clone(found.Findings)
	for i, f := range sure.Findings {
		if v, ok := f.Verdict.(checker.Violation); ok {
			loose := looseIn(p, m, v.Steps)
			if m.PassesLocks && len(loose) == 0 {
				for _, name := range slices.Sorted(maps.Keys(m.Loose)) {
					loose = append(loose, loosePart{name: name})
				}
			}
			if len(loose) > 0 {
				sure.Findings[i].Verdict = checker.Unknown{Reason: vaguely + strings.Join(namesOf(loose), ", ")}
				open[f.Scenario.Number] = loose
			}
		}
	}
	for i, f := range sure.Findings { // what may not happen may explain a conflict cycle that does
		_, isSafe := f.Verdict.(checker.Safe)
		if isSafe && f.Scenario.Number == scenarios.ConflictCycle && len(open) > 0 {
			var loose []loosePart
			for _, number := range slices.Sorted(maps.Keys(open)) {
				loose = append(loose, open[number]...)
			}
			names := slices.Sorted(slices.Values(namesOf(loose)))
			sure.Findings[i].Verdict = checker.Unknown{Reason: vaguely + strings.Join(names, ", ")}
			open[f.Scenario.Number] = loose
		}
	}
	var ofRaces []loosePart
	sure.Races = slices.DeleteFunc(slices.Clone(found.Races), func(r *checker.Race) bool {
		loose := looseIn(p, m, r.Steps)
		ofRaces = append(ofRaces, loose...)
		return m.PassesLocks || len(loose) > 0
	})
	if r := found.DataRace; r != nil && !slices.Contains(sure.Races, r) {
		if sure.DataRace = nil; len(sure.Races) > 0 {
			sure.DataRace = sure.Races[0]
		}
		sure.RaceKnown = sure.DataRace != nil
	}
	if !sure.RaceKnown && found.DataRace != nil && len(ofRaces) > 0 {
		for i, f := range sure.Findings {
			if f.Scenario.Number == scenarios.DataRaces.Number {
				sure.Findings[i].Verdict = checker.Unknown{Reason: vaguely + strings.Join(namesOf(ofRaces), ", ")}
				open[f.Scenario.Number] = ofRaces
			}
		}
	}
	return &sure, open
}

// loosePart is a part that code which is not followed has in a run: where functions of the model, by the names that
// Result.GoFunctions and Inlined have for them, come to what stands for it, and to what that leads; "" where the run
// begins or ends with it.
type loosePart struct{ name, from, to string }

// namesOf returns what stands for the code, each once.
func namesOf(parts []loosePart) (names []string) {
	for _, part := range parts {
		if !slices.Contains(names, part.name) {
			names = append(names, part.name)
		}
	}
	return names
}

// looseIn returns the parts of code that is not followed in a run, each once.
func looseIn(p *esl.Program, m *lower.Result, steps []esl.Step) (parts []loosePart) {
	if len(m.Loose) == 0 {
		return nil
	}
	processes := map[esl.Instance]*position{}
	of := func(i esl.Instance) *position {
		if processes[i] == nil {
			processes[i] = &position{from: map[string]string{}}
		}
		return processes[i]
	}
	end := func(part loosePart, to string) {
		if part.to = to; part.name != "" && !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	for _, step := range steps {
		at := esl.Place{Function: step.Function, Index: step.Index}
		now, name := of(step.Instance), looseAt(p, m, at)
		function := cmp.Or(name, functionAt(p, m, at))
		if name != now.part.name {
			if !now.isIdle || !mayBeIdle(m, now.part) {
				end(now.part, function)
			}
			now.comesTo(m, name)
		}
		now.last = function
		switch opAt(p, at) {
		case esl.Skip, esl.Goto, esl.Choice, esl.Return:
		case esl.Start:
			process := p.Functions[at.Function].Body[at.Index].Arg
			end(now.part, m.GoFunctions[p.Processes[process].Entry])
			of(esl.Instance{Process: process, Copy: step.Target}).last = function
			fallthrough
		default:
			now.isIdle = false
		}
	}
	for _, instance := range p.Instances() {
		if now := of(instance); !now.isIdle {
			end(now.part, "")
		}
	}
	return parts
}

// position is where a process is in a run.
type position struct {
	part   loosePart         // that it is in; its name is "" in what is followed
	isIdle bool              // it has done nothing that the model has since it came there
	last   string            // the function of its last step, or what stands for it
	from   map[string]string // from where it came last, by what it came to: what that calls returns into it
}

// comesTo notes that the process comes to what is not followed, or to what is if the name is "".
func (n *position) comesTo(m *lower.Result, name string) {
	if _, ok := m.Entrances[lower.Entrance{From: n.last, Into: name}]; ok {
		n.from[name] = n.last
	}
	n.part, n.isIdle = loosePart{name: name, from: n.from[name]}, true
}

// mayBeIdle tells whether what is not followed can return at once where a run has come to it, whichever call that is.
func mayBeIdle(m *lower.Result, part loosePart) bool {
	nodes := m.Entrances[lower.Entrance{From: part.from, Into: part.name}]
	return len(nodes) > 0 && !slices.ContainsFunc(nodes, func(n *pointsto.Node) bool { return m.Busy[n] })
}

// functionAt returns the Go function that a statement is of.
func functionAt(p *esl.Program, m *lower.Result, at esl.Place) string {
	if body := p.Functions[at.Function].Body; at.Index < len(body) && m.Inlined[body[at.Index].Pos] != "" {
		return m.Inlined[body[at.Index].Pos]
	}
	return m.GoFunctions[at.Function]
}

// opAt returns what a statement does; falling off the end of a function is a return.
func opAt(p *esl.Program, at esl.Place) esl.Op {
	if body := p.Functions[at.Function].Body; at.Index < len(body) {
		return body[at.Index].Op
	}
	return esl.Return
}

// looseAt returns the function that is not followed and has a statement; "" if that is followed.
func looseAt(p *esl.Program, m *lower.Result, at esl.Place) string {
	if name := m.GoFunctions[at.Function]; isLoose(m, name) {
		return name
	}
	if body := p.Functions[at.Function].Body; at.Index < len(body) && isLoose(m, m.Inlined[body[at.Index].Pos]) {
		return m.Inlined[body[at.Index].Pos]
	}
	return ""
}

// isLoose tells whether a function of the model stands for what is not followed.
func isLoose(m *lower.Result, name string) bool {
	_, isLoose := m.Loose[name]
	return isLoose
}
