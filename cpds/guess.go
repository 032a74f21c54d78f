package cpds

import (
	"context"
	"slices"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/limit"
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
	all, _ := m.GuessesContext(context.Background(), wanted)
	return all
}

// GuessesContext is Guesses that ends early, with those found so far and an error,
// when the context is done.
func (m *Model) GuessesContext(ctx context.Context, wanted []scenarios.Scenario) ([]Guess, error) {
	var all []Guess
	needs := newNeeds(wanted)
	for p := range m.codes {
		for q := range m.codes {
			for _, pair := range m.pairs(p, q) {
				var err error
				if all, err = m.guesses(ctx, all, pair[0], pair[1], needs); err != nil {
					return all, err
				}
			}
		}
	}
	return all, nil
}

// guesses appends the guesses about two instances.
func (m *Model) guesses(ctx context.Context, all []Guess, u, v esl.Instance, needs needs) ([]Guess, error) {
	for _, unitU := range m.facts[u.Process].unitNames {
		if unitU.Object != 0 {
			continue
		}
		if err := limit.Pay(ctx, limit.Guess*limit.Work(len(m.facts[v.Process].unitNames))); err != nil {
			return all, err
		}
		for _, unitV := range m.facts[v.Process].unitNames {
			g := Guess{U: u, V: v, LabelU: unitU.Label, ObjectV: unitV.Object, LabelV: unitV.Label}
			common := m.common(g)
			can := make([]uint8, len(common))
			for i, l := range common {
				can[i] = m.can(g, l)
			}
			for i, l1 := range common {
				g.L1, g.L2 = l1, -1
				if needs.one(m.apart(g), can[i]) {
					all = append(all, g)
				}
				for j, l2 := range common {
					if g.L2 = l2; i != j && needs.two(m.apart(g), can[i], can[j]) {
						all = append(all, g)
					}
				}
			}
		}
	}
	return all, nil
}

// needs tells whether some pattern can occur on one location, or on two, where the
// units have the given kinds of accesses, as returned by Model.can, and are apart or not. It is tables,
// for there are many guesses.
type needs map[apart]*needsTable

type needsTable struct {
	one [16]bool
	two [16][16]bool
}

func (n needs) one(a apart, can uint8) bool        { return n[a].one[can] }
func (n needs) two(a apart, can1, can2 uint8) bool { return n[a].two[can1][can2] }

func newNeeds(wanted []scenarios.Scenario) needs {
	n := needs{}
	for _, a := range []apart{{}, {u: true}, {v: true}, {true, true}} {
		n[a] = &needsTable{}
		for _, s := range wanted {
			for _, p := range s.Patterns {
				if !a.excludes(p) {
					n[a].add(p)
				}
			}
		}
	}
	return n
}

// add notes what a pattern needs.
func (n *needsTable) add(p scenarios.Pattern) {
	var need [3]uint8 // by location
	for _, e := range p.Events {
		need[e.Loc] |= accessBit(e.Unit, e.Kind)
	}
	for c1 := range uint8(16) {
		if need[1]&^c1 != 0 {
			continue
		}
		if p.Locations() == 1 {
			n.one[c1] = true
			continue
		}
		for c2 := range uint8(16) {
			n.two[c1][c2] = n.two[c1][c2] || need[2]&^c2 == 0
		}
	}
}

// can returns which kinds of events each unit of a guess can have on a location.
func (m *Model) can(g Guess, location int) (bits uint8) {
	for _, unit := range []scenarios.Unit{scenarios.U, scenarios.V} {
		accesses := m.kinds(g, unit, location)
		for _, kind := range []scenarios.Kind{scenarios.Read, scenarios.Write} {
			if accesses.any(func(a esl.AccessKind) bool { return matches(a, kind) }) {
				bits |= accessBit(unit, kind)
			}
		}
	}
	return bits
}

func accessBit(unit scenarios.Unit, kind scenarios.Kind) uint8 {
	return 1 << (2*uint8(unit) + uint8(kind))
}

// Concerned returns the numbers of the scenarios that have a pattern that can occur
// under a guess, as far as the accesses tell.
func (m *Model) Concerned(g Guess, wanted []scenarios.Scenario) []int {
	var numbers []int
	for _, t := range m.feasible(g, wanted) {
		numbers = append(numbers, t.scenario)
	}
	return slices.Compact(numbers)
}

// Patterns calls visit, until it says no, for each scenario and each of its patterns that can occur under a guess, as
// far as the accesses tell.
func (m *Model) Patterns(g Guess, wanted []scenarios.Scenario, visit func(scenario int, p scenarios.Pattern) bool) {
	for _, t := range m.feasible(g, wanted) {
		if !visit(t.scenario, t.pattern) {
			return
		}
	}
}

// common returns the locations that both units access, ascending. Every pattern
// has an event of each unit on each of its locations.
func (m *Model) common(g Guess) []int {
	var locations []int
	for l := range m.Program.Locations {
		if m.kinds(g, scenarios.U, l) != 0 && m.kinds(g, scenarios.V, l) != 0 &&
			!m.accesses.Commute(g.UnitU(), g.UnitV(), l) && !m.Program.AreDisjoint(g.U, g.V, l) {
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
	apart := m.apart(g)
	for _, s := range wanted {
		for _, p := range s.Patterns {
			can := func(e scenarios.Event) bool {
				return m.kinds(g, e.Unit, g.location(e.Loc)).any(func(k esl.AccessKind) bool { return matches(k, e.Kind) })
			}
			cannot := func(e scenarios.Event) bool { return !can(e) }
			if p.Locations() == locations && !apart.excludes(p) && !slices.ContainsFunc(p.Events, cannot) {
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
