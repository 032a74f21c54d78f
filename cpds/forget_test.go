package cpds

import (
	"fmt"
	"testing"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/scenarios"
)

// TestMaxMarks: no pattern has more reads by one unit than an activation bears marks.
func TestMaxMarks(t *testing.T) {
	for _, s := range scenarios.Table {
		for _, p := range s.Patterns {
			reads := map[scenarios.Unit]int{}
			for _, e := range p.Events {
				if e.Kind == scenarios.Read {
					reads[e.Unit]++
				}
			}
			for unit, n := range reads {
				if n > maxMarks {
					t.Errorf("scenario %d, %v: %d reads by %v", s.Number, p, n, unit)
				}
			}
		}
	}
}

// TestManyKeys: the points of a thread grow with the square of its keys at most.
func TestManyKeys(t *testing.T) {
	const keys = 16
	body := []esl.Stmt{{Op: esl.UnitBegin, Unit: "M"}}
	for i := range 2 * keys {
		s := esl.Stmt{Op: esl.Access, Key: fmt.Sprint("k", i)}
		if i >= keys {
			s = esl.Stmt{Op: esl.Forget, Key: fmt.Sprint("k", i-keys)}
		}
		body = append(body, s)
	}
	body = append(body, esl.Stmt{Op: esl.UnitEnd})
	p := &esl.Program{
		Objects: []esl.Object{{Name: "w"}}, Locations: []esl.Location{{Name: "a"}},
		Processes: []esl.Process{{Name: "p", Copies: 1, Initial: true}, {Name: "q", Entry: 1, Copies: 1, Initial: true}},
		Functions: []esl.Function{{Name: "p", Body: body}, {Name: "q", Body: []esl.Stmt{
			{Op: esl.UnitBegin, Unit: "N"}, {Op: esl.Access, Access: esl.Write}, {Op: esl.UnitEnd},
		}}},
	}
	m, err := Lower(p)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range m.Guesses(scenarios.Table) {
		for _, c := range m.System(g, scenarios.Table).Components {
			if n := len(c.Symbols); n > len(body)*keys*keys {
				t.Errorf("%s: %d symbols", c.Name, n)
			}
		}
	}
}
