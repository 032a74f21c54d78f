package prefix

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/checker/automaton"
	"github.com/empire-go/empire-go/checker/poststar"
	"github.com/empire-go/empire-go/checker/witness"
	"github.com/empire-go/empire-go/checker/witness/enginetest"
	"github.com/empire-go/empire-go/cpds"
	"github.com/empire-go/empire-go/internal/testmain"
)

func TestRandom(t *testing.T) {
	random := func(r *rand.Rand) *cpds.System { return enginetest.Random(r, enginetest.Small) }
	always := func(string) bool { return true }
	enginetest.Conform(t, 500, random, checker.Limits{Rounds: 6, States: 20000}, always, New())
}

// TestClassics allows Undecided: the procedure proves few of them empty.
func TestClassics(t *testing.T) {
	for _, c := range enginetest.Classics() {
		t.Run(c.Name, func(t *testing.T) {
			a := New().Decide(context.Background(), c.System, checker.Limits{Rounds: 10, States: 50000})[0]
			t.Log(a.Status, a.By, a.Reason)
			if err := witness.Verify(c.System, a); err != nil {
				t.Error(err)
			}
			if a.Status != c.Status && (a.Status != checker.Undecided || c.Status == checker.Common) {
				t.Errorf("%v, want %v", a.Status, c.Status)
			}
			var word strings.Builder
			for _, a := range a.Word {
				word.WriteString(c.System.Actions[a])
			}
			if word.String() != c.Word {
				t.Errorf("word %q, want %q", word.String(), c.Word)
			}
		})
	}
}

// TestLimits ends with Undecided and a reason, whichever limit is passed. No limit
// on states lets more be made, of anything, than it says.
func TestLimits(t *testing.T) {
	shape := enginetest.Threads{Threads: 3, Procedures: 20, Nodes: 20, Locks: 2, Variables: 2, Patterns: 20,
		Accesses: 0.03, Recursive: true}
	large, endless := enginetest.Program(rand.New(rand.NewPCG(1, 1)), shape), enginetest.Classics()[0].System
	done, cancel := context.WithCancel(context.Background())
	cancel()
	soon, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	for name, c := range map[string]struct {
		ctx    context.Context
		system *cpds.System
		limits checker.Limits
	}{
		"cancelled": {done, large, checker.Limits{}},
		"time":      {soon, endless, checker.Limits{}},
		"states":    {context.Background(), large, checker.Limits{States: 1000}},
		"few":       {context.Background(), large, checker.Limits{States: 1}},
		"rounds":    {context.Background(), endless, checker.Limits{Rounds: 2}},
	} {
		begin := testmain.CPU()
		for _, a := range New().Decide(c.ctx, c.system, c.limits) {
			if a.Status != checker.Undecided || a.Reason == "" {
				t.Errorf("%s: %v, reason %q", name, a.Status, a.Reason)
			}
		}
		if took := testmain.CPU() - begin; took > 2*time.Second {
			t.Errorf("%s: %v", name, took)
		}
	}
}

// TestFull fills a domain: it stays near its limit, and operations go on to end.
func TestFull(t *testing.T) {
	const limit = 100
	d := newDomain(context.Background(), 8, limit)
	sum := d.One()
	for i := range int32(1000) {
		sum = d.Combine(sum, d.Extend(sum, d.letter(i%7)))
	}
	if !d.Full() || len(d.nodes) > limit+8 || d.unions.count > results*limit+1 {
		t.Errorf("full: %v, with %d languages and %d unions remembered", d.Full(), len(d.nodes), d.unions.count)
	}
	if d.reset(8); d.Full() || d.Combine(d.letter(1), d.letter(2)) == d.Combine(d.letter(1), d.letter(3)) {
		t.Error("full or wrong after a reset")
	}
}

// TestLanguages compares the weights of random components with saturation guided
// by each word: complete words are those that the component has, and each word
// that is longer has its prefix.
func TestLanguages(t *testing.T) {
	const k = 2
	shape := enginetest.Shape{Components: 1, Actions: 2, Controls: 3, Symbols: 3, Rules: 10}
	for seed := range testmain.Count(300) {
		s := enginetest.Random(rand.New(rand.NewPCG(uint64(seed), 4)), shape)
		labels := automaton.LabelsOf(s)
		p := poststar.Compile(s, labels)[0]
		d := newDomain(context.Background(), k, 0)
		w, err := poststar.Weigh(context.Background(), p, labels, d, d.letter, 0)
		if err != nil {
			t.Fatal(err)
		}
		root := w.Final(labels, 0)
		words(p.Letters, k, func(word []int32) {
			complete, cut := d.contains(root, word)
			exact := automaton.Word(word, labels.All())
			if has := accepts(t, p, labels, exact); has != complete {
				t.Errorf("seed %d: %v complete: %v, want %v", seed, word, complete, has)
			}
			if len(word) < k {
				return
			}
			longer := &automaton.Automaton{Edges: exact.Edges, Accept: exact.Accept}
			last := int32(len(word))
			longer.Accept[last] = automaton.None
			end := longer.Add(labels.All())
			for _, l := range p.Letters {
				longer.Connect(last, l, end)
				longer.Connect(end, l, end)
			}
			longer.Sort()
			if has := accepts(t, p, labels, longer); has != cut {
				t.Errorf("seed %d: %v cut: %v, want %v", seed, word, cut, has)
			}
		})
	}
}

func accepts(t *testing.T, p *poststar.Pushdown, labels *automaton.Labels, guide *automaton.Automaton) bool {
	t.Helper()
	run, err := poststar.Accepts(context.Background(), p, labels, guide, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	return run != nil
}

func (d *domain) contains(l language, word []int32) (complete, cut bool) {
	for _, letter := range word {
		next := nothing
		for _, e := range d.edgesOf(d.nodes[l]) {
			if e.letter == letter {
				next = e.rest
			}
		}
		l = next
	}
	return d.nodes[l].complete, d.nodes[l].cut
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
