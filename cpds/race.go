package cpds

import (
	"fmt"
	"slices"

	"github.com/empire-go/empire-go/esl"
)

// RaceGuess is two instances and a location on which they may be in a data race.
type RaceGuess struct {
	A, B     esl.Instance
	Location int
}

// RaceGuesses returns the guesses under which a data race can occur, as far as the
// accesses tell that the two processes contain, in a fixed order.
func (m *Model) RaceGuesses() []RaceGuess {
	var all []RaceGuess
	for p := range m.codes {
		for q := p; q < len(m.codes); q++ {
			for _, pair := range m.pairs(p, q) {
				if p == q && pair[0].Copy > pair[1].Copy {
					continue
				}
				for l := range m.Program.Locations {
					if m.mayRace(p, q, l) && !m.Program.AreDisjoint(pair[0], pair[1], l) {
						all = append(all, RaceGuess{pair[0], pair[1], l})
					}
				}
			}
		}
	}
	return all
}

// mayRace tells whether the processes have accesses to the location that race, and that no lock keeps apart if
// that is to be ruled out.
func (m *Model) mayRace(p, q, location int) bool {
	return m.facts[p].accesses[location].any(func(a esl.AccessKind) bool {
		return m.facts[q].accesses[location].any(func(b esl.AccessKind) bool {
			return race(a, b) && (m.spans == nil || !m.holds.exclude(p, accesses{location, a}, q, accesses{location, b}))
		})
	})
}

// race tells whether two accesses to one location, enabled at once, are a data
// race.
func race(a, b esl.AccessKind) bool {
	return (a.Writes() || b.Writes()) && !(a.Atomic() && b.Atomic())
}

// RaceSystem builds the system that has a common word just if the two instances
// can come to accesses of the location that are enabled at once and race, as far as the
// scope tells.
//
// Its monitor accepts when an access by b follows one by a with no visible action
// of a or b in between. That is right in both directions. If both accesses are
// enabled at once then a's can be taken and b's right after it, for an access
// blocks nobody. Conversely, take such a word. Since its access a has taken
// only silent steps, and they are of no concern. Between the two accesses b has
// taken only silent steps: moves within its code and accesses to other
// locations, which depend on nobody (a rendezvous is a visible action of both), so that b can take
// them before a's access as
// well, and then both are enabled. The action that starts b is one of b's, so that
// b is there already. Actions of other processes in between make no difference to
// that.
func (m *Model) RaceSystem(g RaceGuess, scope Scope) *System {
	a, b, location := g.A, g.B, g.Location
	name := fmt.Sprintf("data race of %s and %s on %s", m.instanceName(a), m.instanceName(b),
		m.Program.LocationName(location))
	bd := m.newBuilder(name, scope, &raceWatcher{a, b, location})
	bd.add(raceMonitor(a, b, bd.events))
	return bd.system
}

// raceWatcher shows the accesses of two instances to a location.
type raceWatcher struct {
	a, b     esl.Instance
	location int
}

func (w *raceWatcher) watch(in esl.Instance, l label) (shown label, ok bool) {
	ok = l.op == esl.Access && (in == w.a || in == w.b) && l.arg == w.location
	return label{op: l.op, arg: l.arg, access: l.access}, ok
}

func (w *raceWatcher) within(_, _ esl.Instance, _ []esl.UnitName) (esl.UnitName, bool) {
	return esl.UnitName{}, false
}

// raceMonitor remembers the last visible action of a or b if it is an access of a.
func raceMonitor(a, b esl.Instance, events []event) *Component {
	const none, found = 0, 1 // then a state for each kind of access of a
	states := []string{"none", "race"}
	for k := esl.Read; k <= esl.Increment; k++ {
		states = append(states, k.String())
	}
	after := func(k esl.AccessKind) int { return 2 + int(k) }
	c := newMachine("monitor", Monitor, states...)
	for _, e := range events {
		if !e.concerns(a) && !e.concerns(b) {
			continue
		}
		for state := range states {
			switch {
			case state == found:
			case e.op == esl.Access && e.by == a:
				c.rule(state, e.action, after(e.access))
			case e.op == esl.Access && state != none && race(esl.AccessKind(state-2), e.access):
				c.rule(state, e.action, found)
			default:
				c.rule(state, e.action, none)
			}
		}
	}
	c.component.Final = []Final{{Stack: []int{found}}}
	return c.finish()
}

// RaceAccesses returns the indices in a word of a RaceSystem of the access of a and
// the access of b that race. The error says that the word is none of such a system.
func (s *System) RaceAccesses(word []int) (a, b int, err error) {
	seen := s.Components[len(s.Components)-1].Alphabet
	var at []int
	for i, action := range word {
		if _, ok := slices.BinarySearch(seen, action); ok {
			at = append(at, i)
		}
	}
	if len(at) < 2 {
		return 0, 0, fmt.Errorf("the word has no two accesses that race")
	}
	return at[len(at)-2], at[len(at)-1], nil
}
