package steer

import (
	"errors"
	"io"

	"github.com/empire-go/empire-go/dynamic/automata"
	"github.com/empire-go/empire-go/dynamic/trace"
	"github.com/empire-go/empire-go/dynamic/units"
	"github.com/empire-go/empire-go/dynamic/watch"
)

// seenIn returns what the automata accept on a trace, and adds the sites that it has records
// of to visited. Units are those of the static half, which knows the run to its end.
func seenIn(r io.Reader, visited map[uint32]bool) ([]Seen, error) {
	reader, err := trace.NewReader(r)
	if err != nil {
		return nil, err
	}
	header := reader.Header()
	if header.Reduced {
		return nil, trace.ErrReduced
	}
	plan, err := watch.Decode(header.Plan)
	if err != nil {
		return nil, err
	}
	var seen []Seen
	engine, err := automata.New(plan.Policy.Table(), func(m *automata.Match) {
		seen = append(seen, seenAs(header, plan, m))
	})
	if err != nil {
		return nil, err
	}
	engine.Name = func(u *automata.Unit) uint32 { return u.Data.(*units.Unit).Frame.Site }
	tracker := units.NewWhole(header, plan, engine)
	for range maxJudged {
		e, err := reader.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		visited[e.Site] = true
		tracker.Add(e)
	}
	tracker.Close()
	return seen, nil
}

// maxJudged is how many records of a run are looked at.
const maxJudged = 1 << 24

// seenAs names a match as the static half names violations.
func seenAs(header *trace.Header, plan *watch.Plan, m *automata.Match) Seen {
	set := plan.Sets[m.Locations[0].Set]
	s := Seen{Type: set.Type, Fields: set.Fields, Scenario: m.Pattern.Scenario.Number}
	for i, u := range m.Units {
		s.Units[i] = header.Site(u.Data.(*units.Unit).Frame.Site).Function
	}
	for _, l := range m.Locations {
		s.Locations = append(s.Locations, set.Fields[l.Field])
	}
	return s
}
