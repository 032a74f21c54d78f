package refine

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/checker/automaton"
	"github.com/empire-go/empire-go/checker/witness/enginetest"
	"github.com/empire-go/empire-go/cpds"
	"github.com/empire-go/empire-go/esl/random"
	"github.com/empire-go/empire-go/internal/testmain"
	"github.com/empire-go/empire-go/scenarios"
)

// TestSubsumption: a search that leaves subsumed tuples out finds a word for the same
// labels, of the same lengths; on random systems and on those of random programs.
func TestSubsumption(t *testing.T) {
	systems := searched(t)
	fewer, words := 0, 0
	for _, s := range systems {
		d := newDecision(context.Background(), s, checker.Limits{})
		if err := d.approximate(); err != nil {
			t.Fatal(err)
		}
		plain, all := lengths(t, d, 0)
		pruned, some := lengths(t, d, 1<<20)
		if !slices.Equal(plain, pruned) {
			t.Fatalf("%s: lengths %v, without subsumed tuples %v", s.Name, plain, pruned)
		}
		if some > all {
			t.Errorf("%s: %d states, without subsumed tuples %d", s.Name, all, some)
		}
		if some < all {
			fewer++
		}
		for _, n := range plain {
			if n > 0 {
				words++
			}
		}
	}
	t.Logf("of %d products %d got smaller, %d labels have words", len(systems), fewer, words)
	if fewer < 50 || words < 50 {
		t.Errorf("%d products got smaller, %d labels have words: too few to compare", fewer, words)
	}
}

// searched returns random systems and those of random programs.
func searched(t *testing.T) []*cpds.System {
	var systems []*cpds.System
	shape := enginetest.Shape{Components: 3, Actions: 4, Controls: 2, Symbols: 5, Rules: 22}
	for seed := range testmain.Count(500) {
		systems = append(systems, enginetest.Random(rand.New(rand.NewPCG(uint64(seed), 11)), shape))
	}
	for seed := range testmain.Count(60) {
		m, err := cpds.Lower(random.Program(uint64(seed)+77_000, random.Shape{}))
		if err != nil {
			t.Fatal(err)
		}
		for i, g := range m.Guesses(scenarios.Table) {
			if i%4 == 0 {
				systems = append(systems, m.System(g, scenarios.Table))
			}
		}
	}
	return systems
}

// lengths returns for each label the length of the word found, -1 for none, and the
// number of states explored.
func lengths(t *testing.T, d *decision, bound int) (length []int, states int) {
	p := d.newProduct(d.automata())
	p.prepare(bound)
	return lengthsIn(t, d, p)
}

func lengthsIn(t *testing.T, d *decision, p *product) (length []int, states int) {
	length = make([]int, len(d.labels.Names))
	for i := range length {
		length[i] = -1
	}
	_, err := p.search(d.ctx, d.labels.All(), 0, func(hit automaton.Set, word []int32) (automaton.Set, error) {
		for i := range length {
			if d.labels.Has(hit, i) {
				length[i] = len(word)
			}
		}
		return hit, nil
	}, func(int, automaton.Set) automaton.Set { return automaton.None })
	if err != nil {
		t.Fatal(err)
	}
	return length, len(p.parent)
}
