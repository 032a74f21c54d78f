package poststar_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/checker/automaton"
	"github.com/empire-go/empire-go/checker/poststar"
	"github.com/empire-go/empire-go/checker/witness"
	"github.com/empire-go/empire-go/checker/witness/enginetest"
	"github.com/empire-go/empire-go/cpds"
	"github.com/empire-go/empire-go/internal/testmain"
)

var shape = enginetest.Shape{Components: 1, Actions: 3, Controls: 3, Symbols: 4, Rules: 12}

// reachable lists configurations that are reachable with stacks up to depth, with
// the words up to length that lead there, and whether no stack was deeper.
func reachable(c *cpds.Component, depth int) (configurations map[string]cpds.Configuration, complete bool) {
	configurations, complete = map[string]cpds.Configuration{}, true
	queue := []cpds.Configuration{c.Initial}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		if _, ok := configurations[fmt.Sprint(at)]; ok {
			continue
		}
		if len(at.Stack) > depth {
			complete = false
			continue
		}
		configurations[fmt.Sprint(at)] = at
		for _, r := range c.Rules {
			if len(at.Stack) > 0 && r.From == at.Control && r.Top == at.Stack[0] {
				queue = append(queue, cpds.Configuration{Control: r.To, Stack: append(append([]int{}, r.Push...), at.Stack[1:]...)})
			}
		}
	}
	return configurations, complete
}

// all calls f with every configuration of stacks up to a depth.
func all(c *cpds.Component, depth int, f func(cpds.Configuration)) {
	var grow func(stack []int)
	grow = func(stack []int) {
		for p := range c.Controls {
			f(cpds.Configuration{Control: p, Stack: stack})
		}
		if len(stack) < depth {
			for g := range c.Symbols {
				grow(append(append([]int{}, stack...), g))
			}
		}
	}
	grow([]int{})
}

// TestRandom compares reachability with an explicit search: every configuration
// that it finds is in the saturation, every one in the saturation has a run, and
// where the search is complete they are the same.
func TestRandom(t *testing.T) {
	for seed := range testmain.Count(400) {
		s := enginetest.Random(rand.New(rand.NewPCG(uint64(seed), 2)), shape)
		c := s.Components[0]
		labels := automaton.LabelsOf(s)
		sat, err := poststar.Saturate(context.Background(), poststar.Compile(s, labels)[0], labels, poststar.Query{})
		if err != nil {
			t.Fatal(err)
		}
		found, complete := reachable(c, 6)
		all(c, 4, func(at cpds.Configuration) {
			_, explicit := found[fmt.Sprint(at)]
			reaches := sat.Reaches(at)
			if explicit && !reaches || complete && reaches && !explicit {
				t.Errorf("seed %d: %v is reachable: %v by search, %v by saturation", seed, at, explicit, reaches)
			}
			if !reaches {
				return
			}
			run, err := sat.Witness(at)
			if err != nil {
				t.Fatal(err)
			}
			verifyRun(t, seed, s, run, at)
		})
	}
}

func verifyRun(t *testing.T, seed int, s *cpds.System, run []int, at cpds.Configuration) {
	t.Helper()
	c := *s.Components[0]
	c.Final = []cpds.Final{{Control: at.Control, Stack: at.Stack}}
	var word []int
	for _, r := range run {
		if a := c.Rules[r].Action; a != cpds.Tau {
			word = append(word, a)
		}
	}
	one := &cpds.System{Actions: s.Actions, Components: []*cpds.Component{&c}}
	answer := checker.Answer{Status: checker.Common, Word: word, Runs: [][]int{run}}
	if err := witness.Verify(one, answer); err != nil {
		t.Errorf("seed %d: %v: run %v: %v", seed, at, run, err)
	}
}

// TestGuide compares the words accepted with an explicit search of the pairs of
// configurations and positions.
func TestGuide(t *testing.T) {
	for seed := range testmain.Count(400) {
		r := rand.New(rand.NewPCG(uint64(seed), 3))
		s := enginetest.Random(r, shape)
		c := s.Components[0]
		labels := automaton.LabelsOf(s)
		pds := poststar.Compile(s, labels)[0]
		guide := randomGuide(r, pds.Letters)
		run, err := poststar.Accepts(context.Background(), pds, labels, guide, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		// The guide as a second component decides the same.
		both := &cpds.System{Actions: s.Actions, Components: []*cpds.Component{c, component(guide, pds.Letters)}}
		found, complete := enginetest.Explore(both, 7, 3000)
		_, has := found[labels.Names[0]]
		if has && run == nil || complete && !has && run != nil {
			t.Errorf("seed %d: found %v by search, run %v", seed, has, run)
		}
	}
}

func randomGuide(r *rand.Rand, letters []int32) *automaton.Automaton {
	a := &automaton.Automaton{}
	for range 1 + r.IntN(4) {
		a.Add(automaton.Set(r.IntN(2)))
	}
	for range 6 {
		if len(letters) > 0 {
			a.Connect(int32(r.IntN(a.States())), letters[r.IntN(len(letters))], int32(r.IntN(a.States())))
		}
	}
	a.Sort()
	return a
}

func component(a *automaton.Automaton, letters []int32) *cpds.Component {
	c := &cpds.Component{Name: "guide", Symbols: []string{"s"}, Initial: cpds.Configuration{Stack: []int{0}}}
	for _, l := range letters {
		c.Alphabet = append(c.Alphabet, int(l))
	}
	for s := range a.States() {
		c.Controls = append(c.Controls, fmt.Sprint(s))
		for _, e := range a.Edges[s] {
			c.Rules = append(c.Rules, cpds.Rule{From: s, Top: 0, Action: int(e.Letter), To: int(e.To), Push: []int{0}})
		}
		if a.Accept[s] != automaton.None {
			c.Final = append(c.Final, cpds.Final{Control: s, Open: true})
		}
	}
	if len(c.Final) == 0 {
		c.Controls = append(c.Controls, "unreachable")
		c.Final = []cpds.Final{{Control: a.States(), Open: true}}
	}
	return c
}
