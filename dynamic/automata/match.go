package automata

import (
	"math/bits"

	"github.com/empire-go/empire-go/scenarios"
)

// Match is an occurrence of a pattern in the events of two units.
type Match struct {
	Pattern   Pattern
	Units     [2]*Unit   // u and u'; valid during the call only
	Locations []Location // l1 and, for a pattern of two locations, l2
	Events    []Matched  // for each event of the pattern
}

// Matched is an event of a match.
type Matched struct {
	Unit  scenarios.Unit
	Index uint64
	Kind  Kind
	Ref   Ref
}

// report reports the patterns of a pair that an event has completed.
func (e *Engine) report(p *pair, d int, l1, l2 Location, ends state, last Access) {
	for ; ends != 0; ends &= ends - 1 {
		n := bits.TrailingZeros64(ends)
		pattern := &e.table.match[n]
		units, locations := [2]*Unit{p.units[d], p.units[1-d]}, [2]Location{l1, l2}
		if pattern.swapUnits {
			units[0], units[1] = units[1], units[0]
		}
		if pattern.swapLocations {
			locations[0], locations[1] = locations[1], locations[0]
		}
		if e.Wanted != nil && !e.Wanted(pattern, units[0], units[1], locations[0], locations[1]) {
			continue
		}
		m := &Match{Pattern: *pattern, Units: units, Locations: locations[:pattern.Locations()]}
		m.Events = witness(m, last)
		e.found(m)
	}
}

// witness finds events of the two units that match the pattern, ending with the last one:
// of those before, the latest ones.
func witness(m *Match, last Access) []Matched {
	events := m.Pattern.Events
	matched := make([]Matched, len(events))
	k := len(events) - 1
	matched[k] = Matched{Unit: events[k].Unit, Index: last.Index, Kind: last.Kind, Ref: last.Ref}
	var search func(k int, before uint64) bool
	search = func(k int, before uint64) bool {
		if k < 0 {
			return true
		}
		u := m.Units[events[k].Unit]
		forgotten := uint64(0)
		for i := len(u.log) - 1; i >= 0; i-- {
			at := u.log[i]
			if at.forgets != 0 {
				forgotten |= at.forgets
				continue
			}
			if at.index >= before || at.location != m.Locations[events[k].Loc-1] || !at.kind.matches(events[k].Kind) ||
				events[k].Kind == scenarios.Read && forgotten&(1<<at.token)&^1 != 0 {
				continue
			}
			matched[k] = Matched{Unit: events[k].Unit, Index: at.index, Kind: at.kind, Ref: at.ref}
			if search(k-1, at.index) {
				return true
			}
		}
		return false
	}
	if !search(k-1, last.Index) {
		return nil // the log of a unit was cut
	}
	return matched
}

func (k Kind) matches(want scenarios.Kind) bool {
	return k >= RMW || (k == Read) == (want == scenarios.Read)
}
