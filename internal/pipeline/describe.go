package pipeline

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/lower"
	"github.com/empire-go/empire-go/scenarios"
)

// PartSuffix ends the name of a location that is what a field leads to, as far as it is
// told apart from the field since those objects have locks of their own: "sessions.*".
const PartSuffix = lower.PartSuffix

// HeldSuffix ends the name of a location that is what a field leads to, in answers about data races: "sessions[...]".
const HeldSuffix = lower.HeldSuffix

// raceUndecided is the kind of the assumption that it is not known whether there is a data race.
const raceUndecided = "data race"

// Describe puts what the checker found out about a model into the form that is
// rendered. The source is what the model comes from, of which p may be a variant; nil
// means that the model was written by hand and speaks for itself.
func Describe(p *esl.Program, source *lower.Result, found *checker.Result) QueryResult {
	d := describer{program: p, source: source}
	q := QueryResult{
		Type: p.Name, Fields: []string{}, Site: p.Objects[0].Site, DataRace: found.DataRace != nil,
		Assumptions: []Assumption{}, Scenarios: []ScenarioResult{},
	}
	for l, location := range p.Locations {
		if source == nil || location.Object == 0 && !strings.HasSuffix(location.Name, lower.PartSuffix) &&
			!strings.HasSuffix(location.Name, lower.HeldSuffix) {
			q.Fields = append(q.Fields, d.location(l))
		}
	}
	q.Model = ModelSize{Goroutines: len(p.Instances()), Locks: len(p.Locks), Channels: len(p.Channels),
		Locations: len(p.Locations), Units: unitCount(p)}
	if race := found.DataRace; race != nil {
		q.Race = d.race(race)
	}
	for _, l := range found.RaceOpen {
		if name := d.location(l); !slices.Contains(q.Open, name) {
			q.Open = append(q.Open, name)
		}
	}
	if !found.RaceKnown {
		q.Assumptions = append(q.Assumptions, Assumption{Kind: raceUndecided, Text: "not decided whether there is one"})
	}
	for _, f := range found.Findings {
		s := d.scenario(f)
		if s.Scenario == scenarios.DataRaces.Number && q.DataRace {
			s.Verdict, s.Reason = VerdictViolation, ""
		}
		q.Scenarios = append(q.Scenarios, s)
	}
	q.Verdict = q.ofScenarios()
	return q
}

// ofScenarios returns the verdict on all scenarios, for which notes do not count.
func (q *QueryResult) ofScenarios() string {
	var verdicts []string
	for _, s := range q.Scenarios {
		if s.Level == "note" {
			s.Verdict = VerdictSafe
		}
		verdicts = append(verdicts, s.Verdict)
	}
	return overall(verdicts)
}

// overall returns the verdict on several things: a violation if there is one, else
// unknown if something is, else safe. Of nothing, nothing is known.
func overall(verdicts []string) string {
	result := VerdictSafe
	if len(verdicts) == 0 {
		result = VerdictUnknown
	}
	for _, v := range verdicts {
		switch v {
		case VerdictViolation:
			return v
		case VerdictUnknown:
			result = v
		}
	}
	return result
}

// describer renders parts of one model.
type describer struct {
	program *esl.Program
	source  *lower.Result // nil of a model written by hand
	parts   bool          // whether a field and what it leads to are told apart
}

// location returns the name of a location: the field, with its object in a model
// written by hand.
func (d describer) location(l int) string {
	if d.source == nil {
		return d.program.LocationName(l)
	}
	name := d.program.Locations[l].Name
	if d.parts {
		return name
	}
	return strings.TrimSuffix(name, lower.PartSuffix)
}

// hasParts tells whether the locations are two of one field.
func (d describer) hasParts(locations []int) bool {
	if len(locations) != 2 {
		return false
	}
	a, b := d.program.Locations[locations[0]], d.program.Locations[locations[1]]
	return a.Object == b.Object && (a.Name == b.Name+lower.PartSuffix || b.Name == a.Name+lower.PartSuffix)
}

// function returns the name of an ESL function, or of the Go function it is from.
func (d describer) function(f int) string {
	if d.source == nil {
		return d.program.Functions[f].Name
	}
	return d.source.GoFunctions[f]
}

// functionAt is function for a statement.
func (d describer) functionAt(f int, pos esl.Pos) string {
	if d.source != nil && d.source.Inlined[pos] != "" {
		return d.source.Inlined[pos]
	}
	return d.function(f)
}

// unitCount counts the different units of work.
func unitCount(p *esl.Program) int {
	labels := map[string]bool{}
	for _, f := range p.Functions {
		for _, s := range f.Body {
			if s.Op == esl.UnitBegin {
				labels[s.Unit] = true
			}
		}
	}
	return len(labels)
}

// scenario renders the verdict on one scenario.
func (d describer) scenario(f checker.Finding) ScenarioResult {
	s := ScenarioResult{Scenario: f.Scenario.Number, Name: f.Scenario.Name, Class: f.Scenario.Class()}
	switch v := f.Verdict.(type) {
	case checker.Safe:
		s.Verdict, s.DecidedBy = VerdictSafe, v.By
	case checker.Unknown:
		s.Verdict, s.Reason = VerdictUnknown, v.Reason
	case checker.Violation:
		s.Verdict, s.DecidedBy, s.Level, s.DataRace = VerdictViolation, v.By, "error", v.DataRace
		s.Units = []string{v.U.Label, v.V.Label}
		d.parts = d.hasParts(v.Locations)
		for _, l := range v.Locations {
			s.Locations = append(s.Locations, d.location(l))
		}
		if n := v.Pattern.Number; n != 0 {
			s.Pattern = &n
		}
		s.ID = d.id(s)
		s.Counterexample = d.steps(v.Steps, v.Matched)
		s.Confirmation = &Confirmation{Status: NotTried}
	}
	return s
}

// id identifies a violation across changes that only move lines.
func (d describer) id(s ScenarioResult) string {
	return shortID(fmt.Sprint(d.program.Name, s.Scenario, s.Units, s.Locations))
}

// shortID is what people copy from one command to another: the beginning of the hash of a text.
func shortID(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:4])
}

// raceID is id for the two accesses of a data race.
func raceID(query string, accesses []Step) string {
	var parts []string
	for _, a := range accesses {
		parts = append(parts, a.Function, a.Action, a.Location)
	}
	return shortID(fmt.Sprint(query, "data race", parts))
}

// thread is what steps keeps of an instance: its open calls and units.
type thread struct {
	stack []string  // open calls, outermost first
	calls []esl.Pos // where they were made
	units []string  // labels of the open units
}

// race renders the two accesses of a data race.
func (d describer) race(race *checker.Race) []Step {
	n := len(race.Steps)
	run := append(race.Steps[:n:n], race.Accesses[:]...)
	steps := d.steps(run, []int{n, n + 1})
	steps = steps[len(steps)-2:]
	for i := range steps {
		steps[i].Step, steps[i].Event = 0, 0
	}
	return steps
}

// steps renders the statements of a run that do something; silent ones between
// them only move the stack. Units inside a unit on the same object are part of it
// and are not shown. Of the statements that match the events of a pattern, matched
// has the indices.
func (d describer) steps(run []esl.Step, matched []int) []Step {
	event := map[int]int{}
	for e, at := range matched {
		event[at] = e + 1
	}
	var steps []Step
	threads := map[esl.Instance]*thread{}
	for i, step := range run {
		t := threads[step.Instance]
		if t == nil {
			t = &thread{}
			threads[step.Instance] = t
		}
		stmt, ok := d.statement(step)
		if !ok || stmt.Op == esl.Return {
			if len(t.stack) > 0 {
				t.stack, t.calls = t.stack[:len(t.stack)-1], t.calls[:len(t.calls)-1]
			}
			continue
		}
		if stmt.Op == esl.Call {
			t.stack = append(t.stack[:len(t.stack):len(t.stack)], d.function(step.Function)+" "+stmt.Pos.String())
			t.calls = append(t.calls, stmt.Pos)
			continue
		}
		at := stmt.Pos
		stmt.Pos = t.position(at)
		s := d.step(step, stmt)
		if d.source != nil && s.Location != "" && at == stmt.Pos {
			s.Memory, s.Key = d.source.Memory[at], d.source.Keys[at]
		}
		if s.Action == "" || stmt.Op == esl.Start && step.Target == 0 {
			continue
		}
		if !t.trackUnits(&s, stmt.Op) {
			continue
		}
		s.Step, s.Event, s.Stack = len(steps)+1, event[i], d.shownStack(t)
		steps = append(steps, s)
	}
	return steps
}

// shownStack returns the open calls, without those of the model's own functions,
// which have no position.
func (d describer) shownStack(t *thread) []string {
	shown := []string{}
	for i, call := range t.stack {
		if d.source == nil || t.calls[i].File != "" {
			shown = append(shown, call)
		}
	}
	return shown
}

// position returns where the user sees a step happen: its own position if that is
// in the module, else that of the innermost open call that is (a step in the
// standard library, or in a wrapper without source).
func (t *thread) position(own esl.Pos) esl.Pos {
	candidates := append(t.calls[:len(t.calls):len(t.calls)], own)
	for i := len(candidates) - 1; i >= 0; i-- {
		if candidates[i].InModule() {
			return candidates[i]
		}
	}
	return own
}

// statement returns the statement of a step; ok is false for the return at the end
// of a body.
func (d describer) statement(step esl.Step) (esl.Stmt, bool) {
	body := d.program.Functions[step.Function].Body
	if step.Index >= len(body) {
		return esl.Stmt{}, false
	}
	return body[step.Index], true
}

// trackUnits names the unit that a unit-end ends (the innermost open one) and
// tells whether the step is to be shown.
func (t *thread) trackUnits(s *Step, op esl.Op) bool {
	switch op {
	case esl.UnitBegin:
		t.units = append(t.units, s.Unit)
		return len(t.units) == 1
	case esl.UnitEnd:
		if len(t.units) > 0 {
			s.Unit = t.units[len(t.units)-1]
			t.units = t.units[:len(t.units)-1]
		}
		return len(t.units) == 0
	}
	return true
}

// actions is the actions of the statements that are shown, but for accesses.
var actions = map[esl.Op]string{
	esl.LockOp: "lock", esl.Unlock: "unlock", esl.RLock: "rlock", esl.RUnlock: "runlock",
	esl.UnitBegin: "unit-begin", esl.UnitEnd: "unit-end", esl.Start: "start", esl.Join: "wait",
	esl.Send: "send", esl.Receive: "recv", esl.ReceiveClosed: "recv", esl.CloseChannel: "close",
}

// flagActions is shown as well in models written by hand. In the model of a Go
// program they stand for no statement of the program.
var flagActions = map[esl.Op]string{esl.Set: "set", esl.Await: "await", esl.AwaitUnset: "await-unset", esl.Done: "done"}

// action returns the action of a statement that is no access; "" if it is not shown.
func (d describer) action(op esl.Op) string {
	if a, ok := flagActions[op]; ok && d.source == nil {
		return a
	}
	return actions[op]
}

// step renders one statement.
func (d describer) step(step esl.Step, stmt esl.Stmt) Step {
	p := d.program
	s := Step{
		Goroutine: p.Processes[step.Process].Name, Instance: step.Copy,
		Function: d.functionAt(step.Function, stmt.Pos), Action: d.action(stmt.Op), Pos: stmt.Pos.String(),
	}
	switch stmt.Op {
	case esl.Access:
		s.Action, s.Location = accessAction(stmt.Access), d.location(stmt.Arg)
		s.Object = p.Objects[p.Locations[stmt.Arg].Object].Site
	case esl.LockOp, esl.Unlock, esl.RLock, esl.RUnlock:
		s.Lock = p.Locks[stmt.Arg].Name
	case esl.Send, esl.Receive, esl.ReceiveClosed, esl.CloseChannel:
		s.Channel, s.Closed = p.Channels[stmt.Arg].Name, stmt.Op == esl.ReceiveClosed
	case esl.UnitBegin, esl.UnitEnd:
		s.Unit, s.Object = stmt.Unit, p.Objects[stmt.Arg].Site
	case esl.Start, esl.Join:
		s.Target = p.Processes[stmt.Arg].Name
	case esl.Set, esl.Await, esl.AwaitUnset:
		s.Lock = p.Flags[stmt.Arg].Name
	}
	return s
}

// accessAction returns the action of an access.
func accessAction(k esl.AccessKind) string {
	switch {
	case k.Reads() && k.Writes():
		return "rmw"
	case k.Writes():
		return "write"
	}
	return "read"
}
