package steer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/dynamic/trace"
	"github.com/empire-go/empire-go/scenarios"
)

// Script is the part of a counterexample that a run is led along: the events of the pattern,
// and who has them.
type Script struct {
	Roles  [2]Role // u and u'
	Events []Event
	// Missing are the events that the program has no site for: it may do the same elsewhere,
	// by another name.
	Missing []string
}

// Role is the goroutine of one of the two units.
type Role struct {
	Main    bool     // it is the main goroutine
	Origins []uint32 // its go statements, by site; none: they are not known
	Units   []uint32 // the functions that are its unit, by site; none: they are not known
}

// Event is one event of the pattern.
type Event struct {
	Role     int // 0 for u
	Location int // 0 or 1
	Step     int // of the counterexample
	Sites    []uint32
	Locks    []uint32 // the sites at which the lock is taken under which it happens; none: there is none
}

// NewScript makes the script for a violation, with the numbers that the sites have in a
// program. The error says what the program has no site for.
func NewScript(v Violation, sites []trace.Site) (*Script, error) {
	steps := v.Scenario.Counterexample
	events := slices.DeleteFunc(slices.Clone(steps), func(s empire.Step) bool { return s.Event == 0 })
	slices.SortFunc(events, func(a, b empire.Step) int { return cmp.Compare(a.Event, b.Event) })
	if len(events) < 3 {
		return nil, fmt.Errorf("the counterexample has %d events; check the program again", len(events))
	}
	table := siteTable{sites}
	s := &Script{}
	for role := range s.Roles {
		i := slices.IndexFunc(events, func(e empire.Step) bool { return roleOf(e, events[0]) == role })
		if i < 0 {
			return nil, fmt.Errorf("the events of the counterexample are all of one goroutine")
		}
		s.Roles[role] = newRole(table, steps, events[i], v.Scenario.Units, role)
	}
	var missing []string
	for i, e := range events {
		kind, location := inPattern(v.Scenario, events, i)
		if e.Action == "rmw" && len(table.accesses(e)) == 0 {
			e.Action = kind // two accesses in one critical section
		}
		found := table.accesses(e)
		if len(found) == 0 {
			missing = append(missing, fmt.Sprintf("%s of %s at %s", e.Action, e.Location, e.Pos))
			continue
		}
		s.Events = append(s.Events, Event{roleOf(e, events[0]), location, e.Step, found, table.lockOf(steps, e)})
	}
	if len(s.Events) == 0 {
		return nil, fmt.Errorf("the program records no %s", strings.Join(missing, ", no "))
	}
	s.Missing = missing
	return s, nil
}

// inPattern returns what event i is in its pattern: "read" or "write", and which of the two
// locations it is on.
func inPattern(s *empire.ScenarioResult, events []empire.Step, i int) (kind string, location int) {
	if s.Pattern != nil {
		if _, p, ok := scenarios.ByPattern(*s.Pattern); ok && i < len(p.Events) {
			kind = "read"
			if p.Events[i].Kind == scenarios.Write {
				kind = "write"
			}
			return kind, p.Events[i].Loc - 1
		}
	}
	e := events[i]
	if first := events[0]; e.Location != first.Location || e.Object != first.Object {
		location = 1
	}
	if kind = e.Action; kind == "rmw" {
		kind = "write"
	}
	return kind, location
}

// roleOf returns 0 for the goroutine of the first event, 1 for the other one.
func roleOf(e, first empire.Step) int {
	if e.Goroutine == first.Goroutine && e.Instance == first.Instance {
		return 0
	}
	return 1
}

// newRole finds the sites of the role of the goroutine that has the event.
func newRole(table siteTable, steps []empire.Step, event empire.Step, units []string, role int) Role {
	r := Role{Main: event.Goroutine == "main"}
	begin := ""
	for _, s := range steps {
		switch {
		case s.Action == "start" && s.Target == event.Goroutine:
			r.Origins = append(r.Origins, table.at("go", s.Pos)...)
		case s.Action == "unit-begin" && s.Goroutine == event.Goroutine && s.Instance == event.Instance &&
			s.Step < event.Step:
			begin = s.Pos
		}
	}
	slices.Sort(r.Origins)
	r.Origins = slices.Compact(r.Origins)
	name := ""
	if role < len(units) {
		name = units[role]
	}
	r.Units = table.units(name, begin)
	return r
}

// lockOf returns the sites at which the goroutine of an event takes the first of the locks that
// it has there, but did not have at its event before that.
func (t siteTable) lockOf(steps []empire.Step, event empire.Step) []uint32 {
	var held []empire.Step
	after := 0 // the step of the event before
	for _, s := range steps {
		if s.Goroutine != event.Goroutine || s.Instance != event.Instance || s.Step >= event.Step {
			continue
		}
		switch s.Action {
		case "lock", "rlock":
			held = append(held, s)
		case "unlock", "runlock":
			held = slices.DeleteFunc(held, func(l empire.Step) bool { return l.Lock == s.Lock })
		}
		if s.Event > 0 {
			after = s.Step
		}
	}
	i := slices.IndexFunc(held, func(l empire.Step) bool { return l.Step > after })
	if i < 0 {
		return nil
	}
	return append(t.at("lock", held[i].Pos), t.at("rlock", held[i].Pos)...)
}

// siteTable finds sites by what the static half says about them.
type siteTable struct{ sites []trace.Site }

func (t siteTable) filter(keep func(trace.Site) bool) []uint32 {
	var found []uint32
	for i, s := range t.sites {
		if i > 0 && keep(s) {
			found = append(found, uint32(i))
		}
	}
	return found
}

// at returns the sites of a kind at a position.
func (t siteTable) at(kind, pos string) []uint32 {
	return t.filter(func(s trace.Site) bool { return s.Kind == kind && s.Pos == pos })
}

// units returns the sites at which the unit begins.
func (t siteTable) units(name, pos string) []uint32 {
	return t.filter(func(s trace.Site) bool {
		return s.Field == "" && isUnitKind(s.Kind) && (s.Pos == pos || name != "" && s.Function == name)
	})
}

// isUnitKind tells whether records of the kind open a unit.
func isUnitKind(kind string) bool {
	switch kind {
	case "unit", "method", "constructor", "direct", "named":
		return true
	}
	return false
}

// accesses returns the sites of an access: at the same position, or if there are none, on
// the same line. The kind has to fit, and the field if any of them has it.
func (t siteTable) accesses(e empire.Step) []uint32 {
	location := strings.TrimSuffix(e.Location, empire.PartSuffix)
	fits := func(s trace.Site) bool { return s.Field != "" && kindFits(s.Kind, e.Action) }
	sameField := func(s trace.Site) bool {
		return s.Field == location || strings.HasPrefix(s.Field, location+".") || strings.HasSuffix(s.Field, "."+location)
	}
	for _, near := range []func(trace.Site) bool{
		func(s trace.Site) bool { return s.Pos == e.Pos && fits(s) && sameField(s) },
		func(s trace.Site) bool { return line(s.Pos) == line(e.Pos) && fits(s) && sameField(s) },
		func(s trace.Site) bool { return line(s.Pos) == line(e.Pos) && fits(s) },
	} {
		if found := t.filter(near); len(found) > 0 {
			return found
		}
	}
	return nil
}

// kindFits tells whether the records of a kind of site are of an action.
func kindFits(kind, action string) bool {
	indivisible := strings.Contains(kind, "rmw")
	switch action {
	case "read":
		return strings.Contains(kind, "read") || indivisible
	case "write":
		return strings.Contains(kind, "write") || indivisible
	}
	return indivisible
}

// line returns a position without its column.
func line(pos string) string {
	if i := strings.LastIndexByte(pos, ':'); i >= 0 {
		return pos[:i]
	}
	return pos
}
