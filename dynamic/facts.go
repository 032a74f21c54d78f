package dynamic

import (
	"github.com/empire-go/empire-go/dynamic/automata"
	"github.com/empire-go/empire-go/dynamic/watch"
	"github.com/empire-go/empire-go/scenarios"
)

// facts is what the plan says of whole matches, to be looked up.
type facts struct {
	apart map[watch.Apart]bool
	notes map[place]bool // reads that are only for output
}

// place is where a field of a set is accessed.
type place struct {
	set        int
	field, pos string
}

func newFacts(plan *watch.Plan) facts {
	f := facts{map[watch.Apart]bool{}, map[place]bool{}}
	for _, a := range plan.Apart {
		f.apart[a] = true
	}
	for _, a := range plan.Accesses {
		if a.Note {
			f.notes[place{a.Set, a.Field, a.Pos}] = true
		}
	}
	return f
}

// areApart tells whether two units access different parts of a location: their goroutines
// were started by one statement, which gives each its own.
func (m *matcher) areApart(u, v *automata.Unit, l automata.Location) bool {
	a, b := m.tracker.Started(u.Goroutine), m.tracker.Started(v.Goroutine)
	set := int(l.Set)
	return a.By != 0 && a.Site == b.Site && m.facts.apart[watch.Apart{
		Set: set, Field: m.report.Plan.Sets[set].Fields[l.Field], Start: m.report.Header.Site(a.Site).Pos,
	}]
}

// level returns "note" for a match that reads something, and all of it only for output.
func (m *matcher) level(found *automata.Match) string {
	reads, notes := 0, 0
	for i, e := range found.Events {
		if found.Pattern.Pattern.Events[i].Kind != scenarios.Read {
			continue
		}
		site := m.report.Header.Site(e.Ref.Site)
		reads++
		if m.facts.notes[place{site.Set, site.Field, site.Pos}] {
			notes++
		}
	}
	if reads > 0 && notes == reads && !m.report.Plan.Policy.Strict {
		return "note"
	}
	return "error"
}
