// Package gaps says where units of work need yields, by the violations that the model checker has found: between
// which two of its accesses another unit comes in, and a least set of places at which a yield covers all of that.
//
// A violation is an interleaving of two units that no order of them explains. Package cooperable infers from it, as
// it does from a run, before which access a yield ends the cycle (the static counterpart of what Yi, Sadowski and
// Flanagan infer from runs, PPoPP 2011). A yield ends it as well wherever the unit is between that access and the last
// one of its own that the other unit has followed: this is the gap. Of the places in it a call is better than what the
// called function does: that function need not yield then.
//
// The model is of an atomic set. With all violations of it (empire.Request.All) there are all gaps. What a run infers,
// of the accesses to that set and for the same pairs of units, lies in them; other sets have gaps of their own.
package gaps

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/dynamic/cooperable"
	"github.com/empire-go/empire-go/dynamic/events"
)

// Report is where yields are needed.
type Report struct {
	Gaps   []*Gap
	Yields []*Yield // that are missing: a set of places that covers all gaps without one
	Least  bool     // there is no smaller set
}

// Gap is between two accesses of a unit of work between which another one comes in.
type Gap struct {
	Unit, Other   string
	Type          string // of the atomic set; "" for package variables
	Fields        []string
	After, Before Access
	By            []Access // what the other unit does there
	Points        []Point  // where a yield would do, the best first
	Scenarios     []int
	IDs           []string // of the violations that show it
	Yield         string   // where a yield is already, or ""
}

// Access is a step of a unit.
type Access struct {
	Action   string `json:"action"`
	On       string `json:"on"` // a field, a lock, a channel
	Function string `json:"function"`
	Pos      string `json:"pos"`
}

// Point is a place in a gap: an operation, or the call of a function that does it.
type Point struct {
	Action   string // what the operation is, "call" for a call
	On       string
	Function string // that it is in
	Pos      string
	depth    int    // calls between the unit's accesses and it
	before   string // where the access before the gap is in the same function; "" if it is in none of its calls
}

// Yield is a yield that is missing, and the gaps that it covers.
type Yield struct {
	Point
	Gaps []*Gap
}

// Find finds the gaps that the violations of a result show. Those that has tells to have a yield need none.
func Find(r *empire.Result, has func(p Point) bool) *Report {
	f := &finder{report: &Report{}, known: map[key]*Gap{}}
	for i := range r.Queries {
		q := &r.Queries[i]
		for _, v := range q.Violations() {
			f.violation(q, v)
		}
		for j := range q.All {
			f.violation(q, &q.All[j])
		}
	}
	slices.SortStableFunc(f.report.Gaps, func(a, b *Gap) int {
		return cmp.Or(cmp.Compare(a.Before.Pos, b.Before.Pos), cmp.Compare(a.After.Pos, b.After.Pos),
			cmp.Compare(a.Other, b.Other))
	})
	var open []*Gap
	for _, g := range f.report.Gaps {
		slices.Sort(g.Scenarios)
		if i := slices.IndexFunc(g.Points, has); i >= 0 {
			g.Yield = g.Points[i].Pos
		} else {
			open = append(open, g)
		}
	}
	f.report.Yields, f.report.Least = cover(open)
	return f.report
}

type finder struct {
	report *Report
	known  map[key]*Gap
}

// key tells gaps apart.
type key struct{ unit, other, after, before string }

// actor is who does a step.
type actor struct {
	goroutine string
	instance  int
}

func actorOf(s *empire.Step) actor { return actor{s.Goroutine, s.Instance} }

// operations are the events of actions.
var operations = map[string]events.Op{"read": events.Read, "write": events.Write, "rmw": events.Update}

// violation finds the gaps of a violation.
func (f *finder) violation(q *empire.QueryResult, v *empire.ScenarioResult) {
	threads, objects := map[actor]uint32{}, map[string]uint64{}
	c := cooperable.New(cooperable.Options{Infer: true, Found: func(found cooperable.Violation) {
		f.gap(q, v, found)
	}})
	for i := range v.Counterexample {
		s := &v.Counterexample[i]
		op, isAccess := operations[s.Action]
		if s.Event == 0 || !isAccess {
			continue
		}
		if _, ok := threads[actorOf(s)]; !ok {
			threads[actorOf(s)] = uint32(len(threads))
		}
		on := s.Location + " " + s.Key
		if _, ok := objects[on]; !ok {
			objects[on] = uint64(len(objects))
		}
		c.Add(events.Event{Op: op, Thread: threads[actorOf(s)], Object: objects[on], Number: i + 1})
	}
}

// gap takes in a yield that was inferred.
func (f *finder) gap(q *empire.QueryResult, v *empire.ScenarioResult, found cooperable.Violation) {
	steps := v.Counterexample
	from, to := found.Cycle[0].Before.Event.Number-1, found.Event.Number-1
	who := actorOf(&steps[to])
	g := &Gap{Type: q.Type, Fields: q.Fields, After: accessOf(&steps[from]), Before: accessOf(&steps[to]),
		Scenarios: []int{v.Scenario}, IDs: []string{v.ID}}
	g.Unit, g.Other = unitsOf(v, who)
	for i := from + 1; i <= to; i++ {
		s := &steps[i]
		if actorOf(s) != who {
			if s.Event > 0 {
				g.By = append(g.By, accessOf(s))
			}
			continue
		}
		for _, p := range pointsOf(&steps[from], s) {
			if !slices.ContainsFunc(g.Points, func(old Point) bool { return old.Pos == p.Pos && old.Action == p.Action }) {
				g.Points = append(g.Points, p)
			}
		}
	}
	slices.SortStableFunc(g.Points, func(a, b Point) int { return cmp.Compare(a.depth, b.depth) })
	k := key{g.Unit, g.Other, g.After.Pos, g.Before.Pos}
	if old := f.known[k]; old != nil {
		if !slices.Contains(old.Scenarios, v.Scenario) {
			old.Scenarios = append(old.Scenarios, v.Scenario)
		}
		if !slices.Contains(old.IDs, v.ID) {
			old.IDs = append(old.IDs, v.ID)
		}
		return
	}
	f.known[k] = g
	f.report.Gaps = append(f.report.Gaps, g)
}

// unitsOf are the units of the two who take part in a violation, that of one of them first.
func unitsOf(v *empire.ScenarioResult, who actor) (unit, other string) {
	for i := range v.Counterexample {
		s := &v.Counterexample[i]
		if s.Action != "unit-begin" || !slices.Contains(v.Units, s.Unit) {
			continue
		}
		if actorOf(s) == who {
			unit = s.Unit
		} else {
			other = s.Unit
		}
	}
	return Short(unit), Short(other)
}

var packages = regexp.MustCompile(`[\w.~-]+/`)

// Short is the name of a function with the last element of its package's path only.
func Short(function string) string { return packages.ReplaceAllString(function, "") }

func accessOf(s *empire.Step) Access {
	return Access{s.Action, cmp.Or(s.Location, s.Lock, s.Channel), Short(s.Function), s.Pos}
}

// places are the actions before which a yield may be.
var places = map[string]bool{"read": true, "write": true, "rmw": true, "lock": true, "rlock": true, "send": true,
	"recv": true, "wait": true}

// pointsOf are the places before which a yield lets others in after one step of a unit and before another: the step
// itself, and the calls by which the unit has come to it since. What is released at the end of a function has no place
// of its own, but for that it is too late.
func pointsOf(from, s *empire.Step) (all []Point) {
	if !places[s.Action] {
		return nil
	}
	before := append(slices.Clone(from.Stack), from.Function+" "+from.Pos)
	way := append(slices.Clone(s.Stack), s.Function+" "+s.Pos)
	common := 0
	for common < len(before) && common < len(way)-1 && before[common] == way[common] {
		common++
	}
	for i := common; i < len(way); i++ {
		function, pos := cut(way[i])
		p := Point{"call", "", Short(function), pos, i - common, ""}
		if i == common && common < len(before) {
			_, p.before = cut(before[common])
		}
		if i == len(way)-1 {
			p.Action, p.On = s.Action, cmp.Or(s.Location, s.Lock, s.Channel)
		} else {
			called, _ := cut(way[i+1])
			p.On = Short(called)
		}
		all = append(all, p)
	}
	return all
}

// cut splits an entry of a stack into the function and the position.
func cut(entry string) (function, pos string) {
	i := strings.LastIndexByte(entry, ' ')
	return entry[:max(i, 0)], entry[i+1:]
}
