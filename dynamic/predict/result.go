package predict

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/dynamic"
	"github.com/empire-go/empire-go/dynamic/events"
	"github.com/empire-go/empire-go/dynamic/trace"
	"github.com/empire-go/empire-go/dynamic/watch"
	"github.com/empire-go/empire-go/scenarios"
)

// Result puts the patterns that were predicted from a recorded trace into the form of a static result, so that the
// program can be led along them, and gives each its ID.
func (r *Report) Result(h *trace.Header) (*empire.Result, error) {
	plan, err := watch.Decode(h.Plan)
	if err != nil {
		return nil, err
	}
	all := &dynamic.Report{Header: h, Plan: plan}
	for _, v := range r.Patterns {
		f := v.finding(h)
		v.ID = f.Violation.ID
		all.Findings = append(all.Findings, f)
	}
	return all.Result(), nil
}

// Blocking puts the deadlocks, data races, order violations and missed signals into the form of a static result about
// the program with a name, so that it can be led there, and gives each its ID. A race that the run has shown is
// confirmed by that.
func (r *Report) Blocking(h *trace.Header, entry string) *empire.BlockingResult {
	b := &empire.BlockingResult{Entry: entry, Verdict: empire.VerdictViolation, Guesses: []empire.Assumption{},
		Findings: []empire.BlockingFinding{}}
	for _, d := range r.Deadlocks {
		f := d.finding(h)
		d.ID = f.ID
		b.Findings = append(b.Findings, f)
	}
	for _, race := range r.Races {
		f := race.finding(h)
		race.ID = f.ID
		b.Findings = append(b.Findings, f)
	}
	for _, s := range r.Swaps {
		f := s.finding(h)
		s.ID = f.ID
		b.Findings = append(b.Findings, f)
	}
	return b
}

// lockOf names the lock that a step is on.
func lockOf(h *trace.Header, s Step) string {
	return cmp.Or(h.Site(s.Event.Place).Field, fmt.Sprintf("object %d of the run", s.Event.Object))
}

// taking is the steps that take and release locks, as steps of a result.
func taking(h *trace.Header, steps []Step) (all []empire.Step) {
	for _, s := range steps {
		if action := lockActions[s.Event.Op]; action != "" {
			all = append(all, empire.Step{Step: len(all) + 1, Goroutine: s.Thread, Instance: 1, Function: s.Code,
				Action: action, Lock: lockOf(h, s), Pos: s.Pos, Stack: []string{}})
		}
	}
	return all
}

// finding is a data race in the form of a finding about blocking: both goroutines are at their accesses.
func (r *Race) finding(h *trace.Header) empire.BlockingFinding {
	class, _ := scenarios.ClassByName("data-race")
	f := empire.BlockingFinding{Class: class.Name, Definition: class.Definition, Interleaving: taking(h, r.leads),
		Harm: &empire.Harm{Status: empire.HarmPossible}}
	var parts []string
	for _, s := range r.Accesses {
		f.Waits = append(f.Waits, empire.Waiting{Goroutine: s.Thread, Instance: 1, Function: s.Code, Pos: s.Pos,
			What: s.Text})
		parts = append(parts, s.Code+" "+s.Text)
	}
	f.ID = class.ID(parts...)
	if r.Seen {
		f.Harm.Status = empire.HarmSeen
		f.Confirmation = &empire.Confirmation{Status: empire.Confirmed, Reason: "Nothing ordered the accesses in the run."}
	}
	return f
}

// finding is a deadlock as the static check would report it.
func (d *Deadlock) finding(h *trace.Header) empire.BlockingFinding {
	class, _ := scenarios.ClassByName("deadlock")
	f := empire.BlockingFinding{Class: class.Name, Definition: class.Definition,
		Harm: &empire.Harm{Status: empire.HarmPossible}}
	f.Interleaving = taking(h, d.leads)
	key := []string{}
	for i, w := range d.Waits {
		what := "takes lock " + lockOf(h, w.Step)
		if w.Event.Op == events.RLock {
			what += " for reading"
		}
		next := d.Waits[(i+1)%len(d.Waits)].Thread
		f.Waits = append(f.Waits, empire.Waiting{Goroutine: w.Thread, Instance: 1, Function: w.Code, Pos: w.Pos, What: what,
			For: []empire.WaitsFor{{Goroutine: next, Instance: 1, Holds: lockOf(h, w.Step)}}})
		key = append(key, w.Code+" "+what)
	}
	f.ID = class.ID(key...)
	return f
}

// finding is a pattern as it would be reported if it had happened.
func (v *Pattern) finding(h *trace.Header) *dynamic.Finding {
	s := v.Scenario
	f := &dynamic.Finding{Violation: empire.ScenarioResult{Scenario: s.Number, Name: s.Name, Class: s.Class(),
		Verdict: empire.VerdictViolation, Level: "error", DecidedBy: "prediction",
		Units:        []string{v.Units[0].Name, v.Units[1].Name},
		Confirmation: &empire.Confirmation{Status: empire.NotTried}}}
	if n := v.Pattern.Number; n != 0 {
		f.Violation.Pattern = &n
	}
	add := func(s empire.Step) {
		s.Step, s.Instance = len(f.Violation.Counterexample)+1, 1
		f.Violation.Counterexample = append(f.Violation.Counterexample, s)
	}
	for _, start := range v.Starts {
		add(empire.Step{Goroutine: start.Thread, Function: start.Code, Action: "start", Target: start.Child, Pos: start.Pos})
	}
	for _, u := range v.Units {
		add(empire.Step{Goroutine: u.Thread, Function: u.Name, Action: "unit-begin", Unit: u.Name, Pos: h.Site(u.site).Pos})
	}
	event, locations := 0, map[int]string{}
	for _, step := range v.Steps {
		site := h.Site(step.Event.Place)
		out := empire.Step{Goroutine: step.Thread, Function: step.Code, Pos: step.Pos}
		if step.Path {
			f.Set = site.Set
			locations[v.Pattern.Events[event].Loc] = site.Field
			event++
			out.Action, out.Location, out.Event = accessActions[step.Event.Op], site.Field, event
			add(out)
		} else if action := lockActions[step.Event.Op]; action != "" {
			out.Action, out.Lock = action, cmp.Or(site.Field, fmt.Sprintf("object %d of the run", step.Event.Object))
			add(out)
		}
	}
	for l := 1; l <= v.Pattern.Locations(); l++ {
		f.Violation.Locations = append(f.Violation.Locations, locations[l])
	}
	sum := sha256.Sum256([]byte(fmt.Sprint(f.Set, s.Number, f.Violation.Units, f.Violation.Locations, v.Pattern)))
	f.Violation.ID = hex.EncodeToString(sum[:4])
	return f
}

var accessActions = map[events.Op]string{events.Read: "read", events.Write: "write", events.Update: "rmw"}

var lockActions = map[events.Op]string{events.Lock: "lock", events.Unlock: "unlock", events.RLock: "rlock",
	events.RUnlock: "runlock"}
