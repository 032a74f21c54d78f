package pipeline

import (
	"errors"
	"reflect"
	"testing"

	"github.com/empire-go/empire-go/frontend/harness"
	"github.com/empire-go/empire-go/limit"
)

// TestPlanWithoutContexts makes plans with just so much work that there is none to tell calls apart: they are made of
// the solution as it is, and have the candidates that there are with as much work as it takes. That work is looked for,
// from little on.
func TestPlanWithoutContexts(t *testing.T) {
	for _, name := range []string{"./testdata/adopted_by_parent", "./testdata/apart_connections"} {
		t.Run(name, func(t *testing.T) {
			r := Request{Packages: []string{name}}
			if err := r.Normalize(); err != nil {
				t.Fatal(err)
			}
			program, err := loadProgram(t.Context(), r, &runner{})
			if err != nil {
				t.Fatal(err)
			}
			all, err := entriesToCheck(r, program)
			if err != nil {
				t.Fatal(err)
			}
			whole, err := candidatesOf(t.Context(), r, all, &runner{})
			if err != nil {
				t.Fatal(err)
			}
			little := planOf(t, r, all)
			if a, b := len(little.graph.Nodes()), len(whole.graph.Nodes()); a >= b {
				t.Errorf("%d nodes with little work, %d with more: calls are told apart", a, b)
			}
			if a, b := setsOf(little), setsOf(whole); !reflect.DeepEqual(a, b) {
				t.Errorf("candidates %v, want %v", a, b)
			}
		})
	}
}

// planOf returns the plan that is made with the least work that one is made with.
func planOf(t *testing.T, r Request, all []harness.Entry) *plan {
	for work := limit.InWork(DefaultBudget) / (1 << 12); ; work += work / 8 {
		stages := &runner{budget: &budget{work, work, true}}
		p, err := candidatesOf(t.Context(), r, all, stages)
		if late := new(limitError); err == nil {
			return p
		} else if !errors.As(err, &late) {
			t.Fatal(err)
		}
	}
}

// setsOf returns what the candidates of a plan are called.
func setsOf(p *plan) (sets []string) {
	for _, c := range p.found.Candidates {
		sets = append(sets, rankKey(c.Type, c.Fields))
	}
	return sets
}
