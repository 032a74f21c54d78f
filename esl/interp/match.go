package interp

import (
	"context"
	"fmt"
	"slices"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/scenarios"
)

// UnitInstance is a unit of work of one instance.
type UnitInstance struct {
	esl.Instance
	esl.UnitName
}

// Occurrence is a place in a run where a pattern occurs.
type Occurrence struct {
	Pattern   scenarios.Pattern
	U, V      UnitInstance
	Locations []int // l1 and, for a pattern of two locations, l2
	Matched   []int // for each event of the pattern, the index of the step that matches it
}

// Match returns where the patterns occur in a run: for each pattern one
// occurrence, that with the earliest steps, for each pair of activations and
// choice of locations. It tries all ways to match, so that it is for short runs.
// The error is Replay's.
func Match(ctx context.Context, p *esl.Program, steps []esl.Step, patterns ...scenarios.Pattern) ([]Occurrence, error) {
	tr, err := newTrace(ctx, p, steps)
	if err != nil {
		return nil, err
	}
	var found []Occurrence
	accesses := esl.AccessesOf(p)
	for _, pattern := range patterns {
		for a, u := range tr.units {
			for b, v := range tr.units {
				if u.unit.Object != 0 || u.thread == v.thread {
					continue
				}
				found = append(found, tr.matchUnits(pattern, a, b, accesses)...)
			}
		}
	}
	return found, nil
}

// matchUnits returns the occurrences for one pair of activations.
func (tr *trace) matchUnits(pattern scenarios.Pattern, a, b int, accesses *esl.UnitAccesses) []Occurrence {
	var found []Occurrence
	for _, locations := range tr.locations(pattern.Locations()) {
		if at := tr.search(claim{pattern, a, b, locations, nil}, accesses); at != nil {
			found = append(found, Occurrence{pattern, tr.unitInstance(a), tr.unitInstance(b), locations, at})
		}
	}
	return found
}

// Accepts tells whether a run contains exactly this occurrence of a pattern: it is
// a run of the program; the steps at the indices matched match the pattern's
// events in order; they are events of one activation of u on the checked object
// and of one activation of v on objectV; and none of the exceptions applies (fork
// and join within a unit, forgotten reads, increments that commute). The error
// says what is wrong.
func Accepts(ctx context.Context, p *esl.Program, steps []esl.Step, pattern scenarios.Pattern, u, v esl.Instance,
	objectV int, locations []int, matched []int) error {
	_, err := Occurs(ctx, p, steps, pattern, u, v, objectV, locations, matched)
	return err
}

// Occurs is Accepts that returns the occurrence: it has the labels of the two units.
func Occurs(ctx context.Context, p *esl.Program, steps []esl.Step, pattern scenarios.Pattern, u, v esl.Instance,
	objectV int, locations []int, matched []int) (Occurrence, error) {
	none := Occurrence{}
	tr, err := newTrace(ctx, p, steps)
	if err != nil {
		return none, err
	}
	if len(matched) != len(pattern.Events) || len(locations) != pattern.Locations() {
		return none, fmt.Errorf("pattern %v has %d events and %d locations, and %d and %d are given",
			pattern, len(pattern.Events), pattern.Locations(), len(matched), len(locations))
	}
	if len(locations) == 2 && locations[0] == locations[1] {
		return none, fmt.Errorf("l1 and l2 are the same location")
	}
	for _, l := range locations {
		if l < 0 || l >= len(p.Locations) {
			return none, fmt.Errorf("there is no location %d", l)
		}
	}
	a, err := tr.activationOf(scenarios.U, u, 0, pattern, matched)
	if err != nil {
		return none, err
	}
	b, err := tr.activationOf(scenarios.V, v, objectV, pattern, matched)
	if err != nil {
		return none, err
	}
	if u == v {
		return none, fmt.Errorf("u and u' are the same instance")
	}
	if err := tr.check(claim{pattern, a, b, locations, matched}, esl.AccessesOf(p)); err != nil {
		return none, err
	}
	return Occurrence{pattern, tr.unitInstance(a), tr.unitInstance(b), locations, matched}, nil
}

// claim is that a pattern occurs in a trace.
type claim struct {
	pattern   scenarios.Pattern
	u, v      int // activations
	locations []int
	matched   []int
}

// activation returns the activation that the events of a unit belong to.
func (c claim) activation(unit scenarios.Unit) int { return [...]int{c.u, c.v}[unit] }

func (tr *trace) unitInstance(a int) UnitInstance {
	return UnitInstance{tr.program.Instances()[tr.units[a].thread], tr.units[a].unit}
}

// locations returns all choices of n different locations.
func (tr *trace) locations(n int) [][]int {
	var all [][]int
	for l1 := range tr.program.Locations {
		if n == 1 {
			all = append(all, []int{l1})
			continue
		}
		for l2 := range tr.program.Locations {
			if l1 != l2 {
				all = append(all, []int{l1, l2})
			}
		}
	}
	return all
}

// activationOf returns the activation of an instance on an object to which the
// first step that is to match an event of the unit belongs.
func (tr *trace) activationOf(unit scenarios.Unit, in esl.Instance, object int, pattern scenarios.Pattern,
	matched []int) (int, error) {
	k := slices.IndexFunc(pattern.Events, func(e scenarios.Event) bool { return e.Unit == unit })
	if matched[k] < 0 || matched[k] >= len(tr.moments) {
		return 0, fmt.Errorf("event %d is matched by step %d, and the run has %d steps", k+1, matched[k], len(tr.moments))
	}
	for _, a := range tr.moments[matched[k]].events {
		if x := tr.unitInstance(a); x.Instance == in && x.Object == object {
			return a, nil
		}
	}
	return 0, fmt.Errorf("event %d, %v: step %d is no access in a unit of copy %d of process %s on object %d",
		k+1, pattern.Events[k], matched[k], in.Copy, tr.program.Processes[in.Process].Name, object)
}

// search returns the first steps with which the claim holds, or nil. The steps
// that the claim has already are kept.
func (tr *trace) search(c claim, accesses *esl.UnitAccesses) []int {
	k, from := len(c.matched), 0
	if k == len(c.pattern.Events) {
		if tr.check(c, accesses) == nil {
			return c.matched
		}
		return nil
	}
	if k > 0 {
		from = c.matched[k-1] + 1
	}
	for at := from; at < len(tr.moments); at++ {
		if !tr.matches(c, c.pattern.Events[k], at) {
			continue
		}
		with := c
		with.matched = append(slices.Clone(c.matched), at)
		if found := tr.search(with, accesses); found != nil {
			return found
		}
	}
	return nil
}

// check says what is wrong with a claim; nil if it holds.
func (tr *trace) check(c claim, accesses *esl.UnitAccesses) error {
	for k, e := range c.pattern.Events {
		if k > 0 && c.matched[k] <= c.matched[k-1] {
			return fmt.Errorf("event %d, %v, is matched by step %d, which is not after step %d", k+1, e, c.matched[k],
				c.matched[k-1])
		}
		if err := tr.checkEvent(c, e, c.matched[k]); err != nil {
			return fmt.Errorf("event %d, %w", k+1, err)
		}
	}
	for _, l := range c.locations {
		if accesses.Commute(tr.units[c.u].unit, tr.units[c.v].unit, l) {
			return fmt.Errorf("both units only increment %s, and increments commute", tr.program.LocationName(l))
		}
		if tr.program.AreDisjoint(tr.unitInstance(c.u).Instance, tr.unitInstance(c.v).Instance, l) {
			return fmt.Errorf("the two copies access different parts of %s", tr.program.LocationName(l))
		}
	}
	if err := tr.checkForget(c); err != nil {
		return err
	}
	return tr.checkForkJoin(c)
}

// matches tells whether the step at matches the event.
func (tr *trace) matches(c claim, e scenarios.Event, at int) bool {
	m := tr.moments[at]
	return m.stmt.Op == esl.Access && m.stmt.Arg == c.locations[e.Loc-1] && kindMatches(e.Kind, m.stmt.Access) &&
		slices.Contains(m.events, c.activation(e.Unit))
}

// kindMatches tells whether an access is one of the kind that an event asks for.
func kindMatches(want scenarios.Kind, is esl.AccessKind) bool {
	if want == scenarios.Read {
		return is.Reads()
	}
	return is.Writes()
}

// checkEvent says why the step at does not match the event; nil if it does.
func (tr *trace) checkEvent(c claim, e scenarios.Event, at int) error {
	if at < 0 || at >= len(tr.moments) {
		return fmt.Errorf("%v: the run has no step %d", e, at)
	}
	if tr.matches(c, e, at) {
		return nil
	}
	m := tr.moments[at]
	location := c.locations[e.Loc-1]
	switch {
	case m.stmt.Op != esl.Access:
		return fmt.Errorf("%v: step %d is %v", e, at, m.stmt.Op)
	case m.stmt.Arg != location:
		return fmt.Errorf("%v: step %d accesses %s, not %s", e, at, tr.program.LocationName(m.stmt.Arg),
			tr.program.LocationName(location))
	case !kindMatches(e.Kind, m.stmt.Access):
		return fmt.Errorf("%v: step %d is %v", e, at, m.stmt.Access)
	}
	return fmt.Errorf("%v: step %d is no event of the activation that the other events of %v belong to", e, at, e.Unit)
}

// checkForget says which matched read was forgotten by the activation of a function
// that has made it, within its unit and before the last event.
func (tr *trace) checkForget(c claim) error {
	last := c.matched[len(c.matched)-1]
	for k, e := range c.pattern.Events {
		read, of := tr.moments[c.matched[k]], tr.units[c.activation(e.Unit)]
		if e.Kind != scenarios.Read || read.stmt.Key == "" {
			continue
		}
		for at := c.matched[k] + 1; at < min(last, of.end); at++ {
			m := tr.moments[at]
			if m.thread == of.thread && m.called == read.called && m.stmt.Op == esl.Forget && m.stmt.Key == read.stmt.Key {
				return fmt.Errorf("event %d, %v: the read %s is forgotten at step %d", k+1, e, m.stmt.Key, at)
			}
		}
	}
	return nil
}

// checkForkJoin says whether one of the two threads is part of the other's unit: it
// was started within it, and joined by it between an event of its own and a later
// one of the unit.
func (tr *trace) checkForkJoin(c claim) error {
	if err := tr.checkPart(c, scenarios.U, scenarios.V); err != nil {
		return err
	}
	return tr.checkPart(c, scenarios.V, scenarios.U)
}

// checkPart is checkForkJoin for the thread of the unit child as a part of the unit
// parent.
func (tr *trace) checkPart(c claim, parent, child scenarios.Unit) error {
	whole, part := tr.units[c.activation(parent)], tr.unitInstance(c.activation(child))
	within := slices.ContainsFunc(tr.moments[whole.begin:whole.end], func(m moment) bool {
		return m.thread == whole.thread && m.stmt.Op == esl.Start && m.stmt.Arg == part.Process && m.copy == part.Copy
	})
	first, last := c.matched[slices.IndexFunc(c.pattern.Events, func(e scenarios.Event) bool {
		return e.Unit == child
	})], 0
	for k, e := range c.pattern.Events {
		if e.Unit == parent {
			last = c.matched[k]
		}
	}
	for at := first; within && at < last; at++ {
		m := tr.moments[at]
		if m.thread == whole.thread && m.stmt.Op == esl.Join && m.stmt.Arg == part.Process {
			return fmt.Errorf("the thread of %v was started within %v and is joined at step %d, before the event of %v at "+
				"step %d", child, parent, at, parent, last)
		}
	}
	return nil
}
