package dynamic

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/dynamic/automata"
	"github.com/empire-go/empire-go/dynamic/units"
	"github.com/empire-go/empire-go/scenarios"
)

// matcher makes findings of matches.
type matcher struct {
	report     *Report
	engine     *automata.Engine
	tracker    *units.Tracker
	found      func(*Finding)
	goroutines int
	seen       map[identity]bool
	noted      map[identity]bool    // the same, of notes
	explained  map[pairOfUnits]bool // by scenarios 1 to 11
	held       []heldFinding        // conflict cycles, until it is known that nothing else explains them
	facts      facts
	syncNames  map[uint32]string // of synchronisation objects that were shown
}

// heldFinding is a conflict cycle of two units.
type heldFinding struct {
	*Finding
	units pairOfUnits
}

// identity tells findings apart: a scenario, the code of the two units, the fields.
type identity struct {
	scenario int
	units    pairOfUnits
	l1, l2   [2]uint16 // set and field
	other    bool      // the locations are of different objects
}

// pairOfUnits is the code of two units on a set, in either order.
type pairOfUnits struct {
	set  int
	u, v uint32 // sites
}

func unitOf(u *automata.Unit) *units.Unit { return u.Data.(*units.Unit) }

func pairOf(u, v *automata.Unit) pairOfUnits {
	a, b := unitOf(u).Frame.Site, unitOf(v).Frame.Site
	return pairOfUnits{unitOf(u).Set, min(a, b), max(a, b)}
}

func identityOf(scenario int, u, v *automata.Unit, l1, l2 automata.Location) identity {
	return identity{
		scenario: scenario, units: pairOf(u, v),
		l1: [2]uint16{l1.Set, l1.Field}, l2: [2]uint16{l2.Set, l2.Field}, other: l1.Object != l2.Object,
	}
}

// isNew tells whether such a match has not been reported yet, except as a note.
func (m *matcher) isNew(p *automata.Pattern, u, v *automata.Unit, l1, l2 automata.Location) bool {
	id := identityOf(p.Scenario.Number, u, v, l1, l2)
	if p.Scenario.Number != scenarios.ConflictCycle {
		m.explained[id.units] = true
	}
	return !m.seen[id]
}

// match makes a finding of a match.
func (m *matcher) match(found *automata.Match) {
	u, v, l := found.Units[0], found.Units[1], found.Locations
	id := identityOf(found.Pattern.Scenario.Number, u, v, l[0], l[len(l)-1])
	seen := m.seen
	if m.level(found) == "note" {
		seen = m.noted
	}
	if seen[id] {
		return
	}
	seen[id] = true
	f := &Finding{Set: unitOf(u).Set, Violation: m.violation(found)}
	for _, e := range found.Events {
		f.Schedule = append(f.Schedule, e.Index)
	}
	if found.Pattern.Scenario.Number == scenarios.ConflictCycle {
		m.held = append(m.held, heldFinding{f, id.units})
		return
	}
	m.add(f)
}

func (m *matcher) add(f *Finding) {
	set, v := m.report.Plan.Sets[f.Set], &f.Violation
	sum := sha256.Sum256([]byte(fmt.Sprint(set.Name(), v.Scenario, v.Units, v.Locations)))
	v.ID = hex.EncodeToString(sum[:4])
	m.report.Findings = append(m.report.Findings, f)
	if m.found != nil {
		m.found(f)
	}
}

// cycles reports the conflict cycles of units that no other scenario explains.
func (m *matcher) cycles() {
	for _, h := range m.held {
		if !m.explained[h.units] {
			m.add(h.Finding)
		}
	}
}

// violation renders a match.
func (m *matcher) violation(found *automata.Match) empire.ScenarioResult {
	s, plan := found.Pattern.Scenario, m.report.Plan
	v := empire.ScenarioResult{
		Scenario: s.Number, Name: s.Name, Class: s.Class(), Verdict: empire.VerdictViolation, Level: m.level(found),
		DecidedBy:    "run",
		Confirmation: &empire.Confirmation{Status: empire.Confirmed},
	}
	if n := found.Pattern.Number; n != 0 {
		v.Pattern = &n
	}
	for _, u := range found.Units {
		v.Units = append(v.Units, m.report.Header.Site(unitOf(u).Frame.Site).Function)
	}
	for _, l := range found.Locations {
		v.Locations = append(v.Locations, plan.Sets[l.Set].Fields[l.Field])
	}
	v.Counterexample = m.steps(found)
	return v
}
