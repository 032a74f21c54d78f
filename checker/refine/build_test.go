package refine

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/empire-go/empire-go/checker/automaton"
	"github.com/empire-go/empire-go/checker/poststar"
	"github.com/empire-go/empire-go/checker/witness/enginetest"
	"github.com/empire-go/empire-go/cpds"
	"github.com/empire-go/empire-go/internal/testmain"
)

// TestBuild compares the automata of random components with saturation guided by
// each short word: supersets have all words, subsets no others, and what is called
// exact is.
func TestBuild(t *testing.T) {
	shapes := []enginetest.Shape{
		{Components: 1, Actions: 2, Controls: 2, Symbols: 4, Rules: 12},
		{Components: 1, Actions: 2, Controls: 1, Symbols: 8, Rules: 14},
	}
	exactOnes := 0
	for seed := range testmain.Count(600) {
		r := rand.New(rand.NewPCG(uint64(seed), 5))
		s := enginetest.Random(r, shapes[seed%2])
		if seed%4 > 1 {
			acyclic(s.Components[0])
		}
		labels := automaton.LabelsOf(s)
		p := poststar.Compile(s, labels)[0]
		b, err := newBuilder(context.Background(), p, labels, 0)
		if err != nil {
			t.Fatal(err)
		}
		if !b.recursive() {
			exactOnes++
		}
		for name, build := range builds(b) {
			a, super, sub, err := build()
			if err != nil {
				t.Fatalf("seed %d, %s: %v", seed, name, err)
			}
			compare(t, fmt.Sprintf("seed %d, %s", seed, name), p, labels, a, super, sub)
		}
	}
	t.Logf("%d without recursion", exactOnes)
}

// acyclic makes a component push only what is higher than what it rewrites.
func acyclic(c *cpds.Component) {
	for i, r := range c.Rules {
		for k, g := range r.Push {
			if len(r.Push) == 2 {
				c.Rules[i].Push[k] = max(g, min(r.Top+1, len(c.Symbols)-1))
			} else {
				c.Rules[i].Push[k] = max(g, r.Top)
			}
		}
	}
}

type build func() (a *automaton.Automaton, super, sub bool, err error)

func builds(b *builder) map[string]build {
	out := map[string]build{
		"superset": func() (*automaton.Automaton, bool, bool, error) {
			a, exact, err := b.superset(0)
			return a, true, exact, err
		},
	}
	for _, size := range []int{4, 1, 0} {
		out[fmt.Sprint("merged above ", size)] = func() (*automaton.Automaton, bool, bool, error) {
			c := *b
			if err := c.mergeLarge(size, 0); err != nil {
				return nil, false, false, err
			}
			a, err := c.build(true, 0, 0)
			return a, true, !c.recursive(), err
		}
	}
	for depth := range 3 {
		out[fmt.Sprint("cut at ", depth)] = func() (*automaton.Automaton, bool, bool, error) {
			c := *b
			a, err := c.build(false, depth, 0)
			return a, !c.recursive(), true, err
		}
		out[fmt.Sprint("merged at ", depth)] = func() (*automaton.Automaton, bool, bool, error) {
			c := *b
			a, err := c.build(true, depth, 0)
			return a, true, !c.recursive(), err
		}
	}
	return out
}

func compare(t *testing.T, name string, p *poststar.Pushdown, labels *automaton.Labels, a *automaton.Automaton, super,
	sub bool) {
	t.Helper()
	words(p.Letters, 4, func(word []int32) {
		set := a.Accepts(labels, word)
		for label := range labels.Names {
			run, err := poststar.Accepts(context.Background(), p, labels, automaton.Word(word, labels.All()), label, 0)
			if err != nil {
				t.Fatal(err)
			}
			has, accepts := run != nil, labels.Has(set, label)
			if super && has && !accepts || sub && accepts && !has {
				t.Errorf("%s: %v for label %d: component %v, automaton %v", name, word, label, has, accepts)
			}
		}
	})
}

func words(letters []int32, length int, f func([]int32)) {
	var grow func(word []int32)
	grow = func(word []int32) {
		f(word)
		if len(word) < length {
			for _, a := range letters {
				grow(append(word[:len(word):len(word)], a))
			}
		}
	}
	grow(nil)
}
