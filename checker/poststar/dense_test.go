package poststar_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/empire-go/empire-go/checker/automaton"
	"github.com/empire-go/empire-go/checker/poststar"
	"github.com/empire-go/empire-go/checker/witness/enginetest"
	"github.com/empire-go/empire-go/cpds"
	"github.com/empire-go/empire-go/internal/testmain"
)

// explicit drops the actions of a component.
func explicit(c *cpds.Component) *poststar.Explicit {
	e := &poststar.Explicit{Controls: len(c.Controls), Symbols: len(c.Symbols),
		Initial: [2]uint32{uint32(c.Initial.Control), uint32(c.Initial.Stack[0])}}
	for _, r := range c.Rules {
		rule := poststar.ExplicitRule{From: uint32(r.From), Top: uint32(r.Top), To: uint32(r.To), Push: uint8(len(r.Push))}
		if len(r.Push) > 0 {
			rule.Upper = uint32(r.Push[0])
		}
		if len(r.Push) > 1 {
			rule.Lower = uint32(r.Push[1])
		}
		e.Rules = append(e.Rules, rule)
	}
	return e
}

// TestReach compares both saturations: on small random systems which configurations they
// have, and on larger ones how many transitions; and post* with pre*.
func TestReach(t *testing.T) {
	shapes := []enginetest.Shape{shape, {Components: 1, Actions: 1, Controls: 7, Symbols: 30, Rules: 120},
		{Components: 1, Actions: 1, Controls: 150, Symbols: 20, Rules: 600}}
	for k, shape := range shapes {
		for seed := range testmain.Count(60) {
			s := enginetest.Random(rand.New(rand.NewPCG(uint64(seed), uint64(k))), shape)
			c := s.Components[0]
			if len(c.Initial.Stack) != 1 {
				continue
			}
			c.Final = nil
			labels := automaton.LabelsOf(s)
			want, err := poststar.Saturate(context.Background(), poststar.Compile(s, labels)[0], labels, poststar.Query{})
			if err != nil {
				t.Fatal(err)
			}
			got, err := poststar.Reach(context.Background(), explicit(c))
			if err != nil {
				t.Fatal(err)
			}
			if got.Transitions+got.Silent != len(want.Transitions) {
				t.Fatalf("shape %d, seed %d: %d and %d silent transitions, want %d in all", k, seed, got.Transitions, got.Silent,
					len(want.Transitions))
			}
			target := [2]uint32{uint32(seed % len(c.Controls)), uint32(seed % len(c.Symbols))}
			before, err := poststar.Before(context.Background(), explicit(c), target)
			if err != nil {
				t.Fatal(err)
			}
			if forwards, backwards := got.Has(target[0], target[1]),
				before.Has(uint32(c.Initial.Control), uint32(c.Initial.Stack[0])); forwards != backwards {
				t.Fatalf("shape %d, seed %d: the target is reachable forwards: %v, backwards: %v", k, seed, forwards, backwards)
			}
			if k > 0 {
				continue
			}
			all(c, 4, func(at cpds.Configuration) {
				stack := make([]uint32, len(at.Stack))
				for i, g := range at.Stack {
					stack[i] = uint32(g)
				}
				if has := got.Has(uint32(at.Control), stack...); has != want.Reaches(at) {
					t.Fatalf("seed %d: %v: %v", seed, at, has)
				}
			})
		}
	}
}

// TestRuns: a run leads to each configuration that is reachable, and to no other.
func TestRuns(t *testing.T) {
	shapes := []enginetest.Shape{shape, {Components: 1, Actions: 1, Controls: 7, Symbols: 30, Rules: 120},
		{Components: 1, Actions: 1, Controls: 150, Symbols: 20, Rules: 600}}
	runs, longest := 0, 0
	for seed := range testmain.Count(150) {
		s := enginetest.Random(rand.New(rand.NewPCG(uint64(seed), 3)), shapes[seed%3])
		c := s.Components[0]
		if len(c.Initial.Stack) != 1 {
			continue
		}
		e := explicit(c)
		r, err := poststar.Reach(context.Background(), e)
		if err != nil {
			t.Fatal(err)
		}
		w, err := poststar.NewRuns(context.Background(), e)
		if err != nil {
			t.Fatal(err)
		}
		all(c, 3-min(seed%3, 2), func(at cpds.Configuration) {
			if len(at.Stack) == 0 {
				return
			}
			stack := make([]uint32, len(at.Stack))
			for i, g := range at.Stack {
				stack[i] = uint32(g)
			}
			run, err := w.To(context.Background(), uint32(at.Control), stack...)
			if has := r.Has(uint32(at.Control), stack...); err != nil || has != (run != nil) {
				t.Fatalf("seed %d: %v is reachable: %v, by the run %v, %v", seed, at, has, run, err)
			}
			if run == nil {
				return
			}
			runs, longest = runs+1, max(longest, len(run))
			if control, end, err := e.Follow(run); err != nil || control != uint32(at.Control) || !slices.Equal(end, stack) {
				t.Fatalf("seed %d: the run %v to %v leads to %d %v, %v", seed, run, at, control, end, err)
			}
		})
	}
	t.Logf("%d runs, the longest of %d rules", runs, longest)
}

func TestParseExplicit(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"c 2 3 1\ni 0 1\nt 1 1 ?\nr 0 1 1\nr 1 1 0 2\nr 0 2 1 1 2\n\n",
			"&{2 3 [0 1] [{0 1 1 0 0 0} {1 1 0 2 0 1} {0 2 1 1 2 2}] [[1 1]]}"},
		{"c 2 3 1\ni 0 1", "&{2 3 [0 1] [] []}"},
		{"", "line 1: there is no size; begin with c CONTROLS SYMBOLS RULES"},
		{"i 0 1\n", "line 1: the size comes first; begin with c CONTROLS SYMBOLS RULES"},
		{"c 2 3 1\n", "line 2: there is no initial configuration; write i CONTROL SYMBOL"},
		{"c 2 3 1\ni 0 1\nr 0 3 1\n", "line 3: a control or symbol is too large; the size allows controls up to 1 and " +
			"symbols up to 2"},
		{"c 2 3 1\ni 0 1\nr 0 1\n", "line 3: 'r' with 2 numbers is no line; write c CONTROLS SYMBOLS RULES, i CONTROL " +
			"SYMBOL, or r FROM TOP TO and what is pushed, the upper symbol first"},
		{"c 2 3 1\ni 0 1\nr 0 1 x\n", "line 3: 'x' is no number"},
		{"c 2 3 1\ni 0 1\nr 0 1 1 1 1 1\n",
			"line 3: no letter, or too many numbers; write r FROM TOP TO with up to two more"},
		{"c 2 99999999999 1\n", "line 1: a number is too large; write one below 2147483648"},
		{"c 0 3 1\n", "line 1: there has to be a control and a symbol"},
	} {
		e, err := poststar.ParseExplicit(strings.NewReader(c.text))
		got := fmt.Sprint(e)
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%q: %s\nwant %s", c.text, got, c.want)
		}
	}
}

func FuzzParseExplicit(f *testing.F) {
	f.Add("c 2 3 1\ni 0 1\nt 1 1 ?\nr 0 1 1\nr 1 1 0 2\nr 0 2 1 1 2\n")
	f.Add("c 1 1 4294967295\ni 0 0")
	f.Fuzz(func(t *testing.T, text string) {
		e, err := poststar.ParseExplicit(strings.NewReader(text))
		if err != nil || e.Controls*e.Symbols > 1<<16 {
			return
		}
		if _, err := poststar.Reach(t.Context(), e); err != nil {
			t.Error(err)
		}
	})
}
