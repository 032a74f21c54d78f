package execute

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/empire-go/empire-go/scenarios"
)

// match returns the scenarios in the trace of the run that have not been found before.
func (m *machine) match(found map[int]Finding) map[int]Finding {
	all := map[int]Finding{}
	written := map[any]bool{}
	byPart := map[any][]*Event{}
	for _, u := range m.trace.units {
		for _, e := range u.events {
			written[e.part] = written[e.part] || e.kind != Read
			byPart[e.part] = append(byPart[e.part], e)
		}
	}
	for i, u := range m.trace.units {
		for _, v := range m.trace.units[i+1:] {
			if u.object != v.object || u.g == v.g || len(u.events)+len(v.events) < 3 {
				continue
			}
			if !interleaved(u, v) {
				continue
			}
			p := &pair{u: u, v: v, strict: m.watch.Strict, written: written, byPart: byPart}
			if p.prepare(); len(p.events) < 3 {
				continue
			}
			for _, s := range scenarios.Table {
				if _, ok := found[s.Number]; ok {
					continue
				}
				if _, ok := all[s.Number]; ok {
					continue
				}
				for _, pattern := range s.Patterns {
					matched := p.find(pattern, u, v)
					if matched == nil {
						matched = p.find(pattern, v, u)
					}
					if matched != nil && p.isOnEntries() {
						all[s.Number] = Finding{Scenario: s.Number, Pattern: pattern.Number, Text: m.describe(matched)}
						break
					}
				}
			}
		}
	}
	return all
}

// showMatches adds to what is shown of a run what it did to the subject.
func (m *machine) showMatches(shown *Shown) {
	shown.Scenarios, shown.Races, shown.IsBare = m.match(map[int]Finding{}), m.races, m.bare
	for i, u := range m.trace.units {
		shown.Meets = shown.Meets || slices.ContainsFunc(m.trace.units[i+1:], func(v *unit) bool {
			return u.object == v.object && u.g != v.g && areBothOn(u, v)
		})
	}
}

// areBothOn tells whether one unit has begun with the fields when the other one had, and had not come to its end. What
// the fields lead to and guards itself may be accessed by then, too: these are no events.
func areBothOn(u, v *unit) bool {
	return len(u.events) > 0 && len(v.events) > 0 && (u.end == 0 || v.events[0].at < u.end) &&
		(v.end == 0 || u.events[0].at < v.end)
}

// interleaved tells whether events of one unit are between events of the other.
func interleaved(u, v *unit) bool {
	if len(u.events) == 0 || len(v.events) == 0 {
		return false
	}
	return u.events[0].at < v.events[len(v.events)-1].at && v.events[0].at < u.events[len(u.events)-1].at
}

// pair is two units of different goroutines, and the events of both in order.
type pair struct {
	u, v   *unit
	events []*Event
	strict bool

	written map[any]bool // memory that was, after publication
	byPart  map[any][]*Event

	entries   bool  // the entries of maps are told apart
	onEntries *bool // see isOnEntries; nil before it is asked for
}

// prepare merges the events, without those of which it could be said that nothing
// can go wrong with them: elements that one of the two alone accesses, and counters.
func (p *pair) prepare() {
	for _, e := range append(slices.Clone(p.u.events), p.v.events...) {
		other := p.v
		if e.unit == p.v {
			other = p.u
		}
		if e.elem && !slices.ContainsFunc(other.events, func(o *Event) bool { return o.part == e.part }) {
			continue
		}
		if p.isSettled(e) || p.isOrdered(e) {
			continue
		}
		p.events = append(p.events, e)
	}
	if !p.strict {
		counts := map[int]bool{}
		for _, e := range p.events {
			only, ok := counts[e.loc.field]
			counts[e.loc.field] = p.isCounter(e) && (only || !ok)
		}
		p.events = slices.DeleteFunc(p.events, func(e *Event) bool { return counts[e.loc.field] })
	}
	slices.SortFunc(p.events, func(a, b *Event) int { return a.at - b.at })
}

// isOrdered tells whether the event is to contents of a field, and all that other
// goroutines do to that memory, if one of the two writes, is ordered with it by joins and
// messages: as results that are filled in before a channel is closed, and read after.
func (p *pair) isOrdered(e *Event) bool {
	if c, ok := e.part.(*cell); ok && c.at != nil {
		return false
	}
	return !slices.ContainsFunc(p.byPart[e.part], func(o *Event) bool {
		return o.g != e.g && (o.kind != Read || e.kind != Read) && !before(o, e) && !before(e, o)
	})
}

// before tells whether the goroutine of the second event had learned of the first one,
// other than by a lock.
func before(a, b *Event) bool { return a.g < len(b.clock) && b.clock[a.g] >= a.clock[a.g] }

// isCounter tells whether the event is of an indivisible increment whose result is
// dropped: an atomic one, or one in a critical section of its own.
func (p *pair) isCounter(e *Event) bool {
	if !e.adds || e.kind == ReadModifyWrite {
		return e.adds
	}
	n := 0
	for _, o := range e.unit.events {
		if o.section == e.section && !p.isSettled(o) {
			n++
		}
	}
	return n == 2 && !p.isDisturbed(e)
}

// isDisturbed tells whether the other unit accesses the location between the two halves
// of an increment.
func (p *pair) isDisturbed(e *Event) bool {
	other := p.v
	if e.unit == p.v {
		other = p.u
	}
	for _, half := range e.unit.events {
		if half.section != e.section || half == e || half.loc.field != e.loc.field {
			continue
		}
		first, last := min(half.at, e.at), max(half.at, e.at)
		if slices.ContainsFunc(other.events, func(o *Event) bool {
			return o.loc.field == e.loc.field && first < o.at && o.at < last
		}) {
			return true
		}
	}
	return false
}

// isSettled tells whether the event is the read of a pointer, slice or map that nobody
// writes (what counts is what is done to the memory that it leads to), or of a part of
// such memory that nobody writes.
func (p *pair) isSettled(e *Event) bool {
	if p.written[e.part] {
		return false
	}
	c, ok := e.part.(*cell)
	if !ok || c.at == nil {
		return true
	}
	switch c.typ.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Interface, *types.Signature:
		return true
	}
	return false
}

// find returns the events that match the pattern with u and v in its two roles.
func (p *pair) find(pattern scenarios.Pattern, u, v *unit) []*Event {
	matched := make([]*Event, len(pattern.Events))
	var locs [3]place
	var search func(k, from int) bool
	search = func(k, from int) bool {
		if k == len(pattern.Events) {
			return p.counts(pattern, matched, u, v)
		}
		want := pattern.Events[k]
		by := u
		if want.Unit == scenarios.V {
			by = v
		}
		for i := from; i < len(p.events); i++ {
			e := p.events[i]
			if k > 0 && matched[k-1].access == e.access {
				continue
			}
			if e.unit != by || want.Kind == scenarios.Read && e.kind == Write || want.Kind == scenarios.Write && e.kind == Read {
				continue
			}
			before := locs
			if p.bind(&locs, want.Loc, e) {
				matched[k] = e
				if search(k+1, i+1) {
					return true
				}
			}
			locs = before
		}
		return false
	}
	if search(0, 0) {
		return matched
	}
	return nil
}

// counts tells whether the events that match a pattern stand for something that went
// wrong: the values read still mattered, and neither of the units waited for the other.
func (p *pair) counts(pattern scenarios.Pattern, matched []*Event, u, v *unit) bool {
	last := matched[len(matched)-1].at
	for k, e := range matched {
		if pattern.Events[k].Kind == scenarios.Read && !p.strict && !matters(e, last) {
			return false
		}
	}
	return !joined(matched, u, v) && !joined(matched, v, u)
}

// matters tells whether the value of a read still matters at a time, by the rules for
// reads that are checked again.
func matters(e *Event, at int) bool {
	if e.at == at {
		return true
	}
	// What the goroutine has done since it last did anything that others could see, it
	// could have done later as well.
	acted := max(e.unit.g.actedBefore(at), e.at)
	if e.unit.end > 0 {
		at, acted = min(at, e.unit.end), min(acted, e.unit.end)
	}
	if e.swap > 0 && e.swap <= at {
		return false
	}
	if e.failed && slices.ContainsFunc(e.unit.events, func(o *Event) bool {
		return o.at > e.at && o.at <= at && o.loc.field == e.loc.field
	}) {
		return false
	}
	if e.kept || e.used > acted {
		return true
	}
	if !e.open {
		return false
	}
	// A branch on it is open; a second read that decides ends that.
	for _, again := range e.unit.events {
		if again.at <= e.at || again.at > at || again.kind == Write || e.used >= again.at {
			continue
		}
		if again.loc.field == e.loc.field && sameDecision(e, again) {
			return false
		}
		// A condition of several parts, of which the first one has decided this time.
		if len(again.decided) > 0 && e.unit.g.m.sameLine(e, again) {
			return false
		}
	}
	return true
}

// actedBefore returns when the goroutine was last at a scheduling point before a time.
func (g *goroutine) actedBefore(at int) int {
	i, _ := slices.BinarySearch(g.acted, at)
	if i == 0 {
		return 0
	}
	return g.acted[i-1]
}

// sameDecision tells whether the second of two reads may have decided what the first
// one did.
func sameDecision(first, second *Event) bool {
	if second.unit.end == 0 && len(second.decided) == 0 {
		return true // the run ended before the decision
	}
	return slices.ContainsFunc(second.decided, func(p string) bool {
		return p == "" || slices.Contains(first.decided, "") || slices.Contains(first.decided, p)
	})
}

// sameLine tells whether two events are in one line.
func (m *machine) sameLine(a, b *Event) bool {
	if a.instr == nil || b.instr == nil {
		return false
	}
	p, q := m.program.ssa.Fset.Position(a.instr.Pos()), m.program.ssa.Fset.Position(b.instr.Pos())
	return p.Line == q.Line && p.Filename == q.Filename
}

// joined tells whether v was started in u, and waited for before a later event of u.
func joined(matched []*Event, u, v *unit) bool {
	if !v.g.parents[u] {
		return false
	}
	for i, e := range matched {
		if e.unit != v {
			continue
		}
		for _, later := range matched[i+1:] {
			if later.unit == u && e.g < len(later.clock) && later.clock[e.g] >= e.clock[e.g] {
				return true
			}
		}
	}
	return false
}

// describe shows the events.
func (m *machine) describe(matched []*Event) string {
	var b strings.Builder
	for _, e := range matched {
		pos := ""
		if e.instr != nil {
			at := m.program.ssa.Fset.Position(e.instr.Pos())
			pos = fmt.Sprintf("%s:%d", at.Filename[strings.LastIndex(at.Filename, "/")+1:], at.Line)
		}
		fmt.Fprintf(&b, "\n\tgoroutine %d, unit %d (%s): %s of %s at %s", e.g, e.unit.id, e.unit.name,
			[...]string{"R", "W", "RMW"}[e.kind], m.watch.Fields[e.loc.field], pos)
	}
	return b.String()
}
