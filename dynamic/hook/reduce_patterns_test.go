package hook

import (
	"slices"
	"testing"

	"github.com/empire-go/empire-go/scenarios"
)

// TestPatternsCommute looks at neighbours in patterns that a reduced run may exchange: reads of different units, and
// events of one unit at two locations. What comes of that is a pattern of the same scenario.
func TestPatternsCommute(t *testing.T) {
	for _, s := range scenarios.Table {
		for _, p := range s.Patterns {
			for i := 1; i < len(p.Events); i++ {
				a, b := p.Events[i-1], p.Events[i]
				reads := a.Kind == scenarios.Read && b.Kind == scenarios.Read && a.Unit != b.Unit
				if !reads && (a.Unit != b.Unit || a.Loc == b.Loc) {
					continue
				}
				events := slices.Clone(p.Events)
				events[i-1], events[i] = b, a
				if !slices.ContainsFunc(s.Patterns, func(q scenarios.Pattern) bool { return isSame(q.Events, events) }) {
					t.Errorf("scenario %d: %v is none of its patterns, and %v is", s.Number, events, p.Events)
				}
			}
		}
	}
}

// isSame tells whether two patterns differ in nothing but the names of units and locations.
func isSame(p, q []scenarios.Event) bool {
	return slices.EqualFunc(p, q, func(a, b scenarios.Event) bool {
		return a.Kind == b.Kind && (a.Unit == p[0].Unit) == (b.Unit == q[0].Unit) &&
			(a.Loc == p[0].Loc) == (b.Loc == q[0].Loc)
	})
}

// TestPatternsConflict uses the rule for conflicts on each pattern, with its locations in different objects, and
// units that end with their last events: the two units are in conflict.
func TestPatternsConflict(t *testing.T) {
	for _, s := range scenarios.Table {
		for _, p := range s.Patterns {
			last := map[scenarios.Unit]int{}
			for i, e := range p.Events {
				last[e.Unit] = i
			}
			type use struct {
				unit scenarios.Unit
				loc  int
			}
			writes, uses, conflict := map[use]bool{}, map[use]bool{}, false
			for i, e := range p.Events {
				this, other := use{e.Unit, e.Loc}, use{scenarios.V - e.Unit, e.Loc}
				uses[this] = true
				writes[this] = writes[this] || e.Kind == scenarios.Write
				if uses[other] && last[other.unit] > i && (writes[this] || writes[other]) {
					conflict = true
				}
			}
			if !conflict {
				t.Errorf("scenario %d: in %v the units are not in conflict", s.Number, p.Events)
			}
		}
	}
}
