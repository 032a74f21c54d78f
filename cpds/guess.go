package cpds

import (
	"slices"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/scenarios"
)

// Guess is what is fixed before a search: which units of which instances, and
// which locations. The patterns that are looked for are not: one system is for all
// of them.
type Guess struct {
	U, V    esl.Instance
	LabelU  string // of the unit on the checked object
	ObjectV int
	LabelV  string
	L1, L2  int // L2 is -1 for the patterns of one location
}

// UnitU and UnitV return the two units.
func (g Guess) UnitU() esl.UnitName { return esl.UnitName{Object: 0, Label: g.LabelU} }
func (g Guess) UnitV() esl.UnitName { return esl.UnitName{Object: g.ObjectV, Label: g.LabelV} }

// location returns what l1 or l2 stands for.
func (g Guess) location(loc int) int {
	if loc == 1 {
		return g.L1
	}
	return g.L2
}

// Guesses returns the guesses under which a pattern of the scenarios can occur, as
// far as the accesses tell that the two units contain, in a fixed order. There are
// at most O((instances x labels x locations)^2).
func (m *Model) Guesses(wanted []scenarios.Scenario) []Guess {
	var all []Guess
	for p := range m.codes {
		for q := range m.codes {
			for _, pair := range m.pairs(p, q) {
				all = append(all, m.guesses(pair[0], pair[1], wanted)...)
			}
		}
	}
	return all
}

// guesses returns the guesses about two instances.
func (m *Model) guesses(u, v esl.Instance, wanted []scenarios.Scenario) []Guess {
	var all []Guess
	for _, unitU := range m.facts[u.Process].unitNames {
		if unitU.Object != 0 {
			continue
		}
		for _, unitV := range m.facts[v.Process].unitNames {
			g := Guess{U: u, V: v, LabelU: unitU.Label, ObjectV: unitV.Object, LabelV: unitV.Label}
			common := m.common(g)
			for _, g.L1 = range common {
				for _, g.L2 = range append([]int{-1}, common...) {
					if g.L1 != g.L2 && len(m.feasible(g, wanted)) > 0 {
						all = append(all, g)
					}
				}
			}
		}
	}
	return all
}

// common returns the locations that both units access, ascending. Every pattern
// has an event of each unit on each of its locations.
func (m *Model) common(g Guess) []int {
	var locations []int
	for l := range m.Program.Locations {
		if m.kinds(g, scenarios.U, l) != 0 && m.kinds(g, scenarios.V, l) != 0 && !m.accesses.Commute(g.UnitU(), g.UnitV(), l) {
			locations = append(locations, l)
		}
	}
	return locations
}

// kinds returns the kinds of accesses to a location that a unit contains.
func (m *Model) kinds(g Guess, unit scenarios.Unit, location int) kinds {
	if unit == scenarios.U {
		return m.facts[g.U.Process].units[g.UnitU()][location]
	}
	return m.facts[g.V.Process].units[g.UnitV()][location]
}

// target is a pattern to look for, of a scenario.
type target struct {
	scenario int
	pattern  scenarios.Pattern
}

// feasible returns the patterns of the scenarios whose events the two units of a
// guess contain.
func (m *Model) feasible(g Guess, wanted []scenarios.Scenario) []target {
	locations := 2
	if g.L2 < 0 {
		locations = 1
	}
	var all []target
	for _, s := range wanted {
		for _, p := range s.Patterns {
			can := func(e scenarios.Event) bool {
				return m.kinds(g, e.Unit, g.location(e.Loc)).any(func(k esl.AccessKind) bool { return matches(k, e.Kind) })
			}
			if p.Locations() == locations && !slices.ContainsFunc(p.Events, func(e scenarios.Event) bool { return !can(e) }) {
				all = append(all, target{s.Number, p})
			}
		}
	}
	return all
}

// matches tells whether an access matches an event.
func matches(access esl.AccessKind, event scenarios.Kind) bool {
	if event == scenarios.Read {
		return access.Reads()
	}
	return access.Writes()
}
