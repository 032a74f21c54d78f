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

// report reports the patterns of two units, in the order of their roles, that an event has completed.
func (e *Engine) report(u, v *Unit, l1, l2 Location, ends state, last Access) {
	refused := e.refusedOf(u, v, l1, l2)
	if refused != nil {
		ends &^= refused.ends
	}
	for ; ends != 0; ends &= ends - 1 {
		n := bits.TrailingZeros64(ends)
		pattern := &e.table.match[n]
		units, locations := [2]*Unit{u, v}, [2]Location{l1, l2}
		if pattern.swapUnits {
			units[0], units[1] = units[1], units[0]
		}
		if pattern.swapLocations {
			locations[0], locations[1] = locations[1], locations[0]
		}
		if e.Wanted != nil && !e.Wanted(pattern, units[0], units[1], locations[0], locations[1]) {
			if refused != nil {
				refused.ends |= 1 << n
				refused.leads = e.table.leadsTo(e.table.ends &^ refused.ends)
				e.memo.refused++
			} else {
				e.memo.isOpen = true
			}
			continue
		}
		e.memo.isOpen = true
		m := &Match{Pattern: *pattern, Units: units, Locations: locations[:pattern.Locations()]}
		m.Events = witness(m, last)
		e.found(m)
	}
}

// refusal is the patterns that are not wanted of units of two codes at two fields.
type refusal struct {
	codes  [2]uint32
	fields [2]uint16
	set    uint16
	state  uint16 // 0: none; 1: the locations are of one object; 2: of two
	ends   state
	leads  state // the prefixes that lead to a pattern of two locations that is not one of them
}

// refusals are those that were asked for lately, by a hash.
type refusals struct {
	all    []refusal // a power of two
	misses int       // those that had to go
}

const (
	minRefusals = 1 << 6
	maxRefusals = 1 << 13
)

// at returns the place of a refusal.
func (r *refusals) at(hash uint64) *refusal {
	if n := len(r.all); n == 0 || r.misses > n && n < maxRefusals {
		r.all, r.misses = make([]refusal, max(minRefusals, 4*n)), 0
	}
	return &r.all[(hash^hash>>32)%uint64(len(r.all))]
}

// refusedOf returns the patterns that are known not to be wanted of two units at two locations, for more to be noted;
// nil if nothing is ever known.
func (e *Engine) refusedOf(u, v *Unit, l1, l2 Location) *refusal {
	if e.Code == nil {
		return nil
	}
	codes := [2]uint32{e.codeOf(u), e.codeOf(v)}
	key := refusal{codes: codes, fields: [2]uint16{l1.Field, l2.Field}, set: l1.Set, state: 1}
	if l1.Object != l2.Object {
		key.state = 2
	}
	h := (uint64(key.codes[0]) | uint64(key.codes[1])<<32) * 0x9e3779b97f4a7c15
	h = (h ^ h>>32 ^ uint64(l1.Field) ^ uint64(l2.Field)<<16 ^ uint64(l1.Set)<<32) * 0xd6e8feb86659fd93
	r := e.refused.at(h)
	if r.codes != key.codes || r.fields != key.fields || r.set != key.set || r.state != key.state {
		if r.state != 0 {
			e.refused.misses++
		}
		key.leads = e.table.leadsTo(e.table.ends)
		*r = key
	}
	return r
}

// A prefix that leads only to patterns that are not wanted of two units, at its locations, is not kept. That loses no
// match: what is not wanted once is never wanted of units of the same codes at the same fields, and each prefix of a
// match that is wanted leads to that. Of one location it is not known at which other one it will go on: it stays.

// leading returns the prefixes of a pair at two locations that lead to a pattern that may be wanted.
func (p *pair) leading(e *Engine, d, i, j int) state {
	if e.Code == nil || i == j {
		return ^state(0)
	}
	word := p.two(d, i, j)
	if len(p.leads) == 0 {
		p.leads = append(p.leads, make([]state, 2*p.capacity*(p.capacity+1))...)
	}
	if p.leads[word] == 0 {
		p.leads[word] = e.refusedOf(p.units[d], p.units[1-d], p.locations[i], p.locations[j]).leads
	}
	return p.leads[word]
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
