package automaton

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
)

const letters = 2

func random(r *rand.Rand, l *Labels, states, edges int) *Automaton {
	a := &Automaton{}
	for range 1 + r.IntN(states) {
		set := None
		if r.IntN(3) == 0 {
			set = l.Of(r.IntN(len(l.Names)))
		}
		a.Add(set)
	}
	for range r.IntN(edges) {
		a.Connect(int32(r.IntN(a.States())), int32(r.IntN(letters+1)-1), int32(r.IntN(a.States())))
	}
	return a
}

// accepts follows silent edges explicitly.
func accepts(a *Automaton, l *Labels, word []int32) Set {
	close := func(states map[int32]bool) {
		for changed := true; changed; {
			changed = false
			for s := range states {
				for _, e := range a.Edges[s] {
					if e.Letter == Epsilon && !states[e.To] {
						states[e.To], changed = true, true
					}
				}
			}
		}
	}
	now := map[int32]bool{a.Start: true}
	close(now)
	for _, letter := range word {
		next := map[int32]bool{}
		for s := range now {
			for _, e := range a.Edges[s] {
				if e.Letter == letter {
					next[e.To] = true
				}
			}
		}
		close(next)
		now = next
	}
	set := None
	for s := range now {
		set = l.Union(set, a.Accept[s])
	}
	return set
}

// words calls f with all words up to a length.
func words(length int, f func([]int32)) {
	var grow func(word []int32)
	grow = func(word []int32) {
		f(word)
		if len(word) < length {
			for a := range int32(letters) {
				grow(append(word[:len(word):len(word)], a))
			}
		}
	}
	grow(nil)
}

// ctx is never done.
var ctx = context.Background()

func quotient(t *testing.T, a *Automaton) *Automaton {
	t.Helper()
	q, ok := a.Quotient(ctx)
	if !ok {
		t.Fatal("stopped without a reason")
	}
	return q
}

// TestCancelled stops everything that can take long.
func TestCancelled(t *testing.T) {
	done, cancel := context.WithCancel(ctx)
	cancel()
	l := NewLabels(nil)
	a := Word(make([]int32, 100), l.All())
	for name, f := range map[string]func() (*Automaton, bool){
		"WithoutEpsilon": func() (*Automaton, bool) { return a.WithoutEpsilon(done, l, 0) },
		"Quotient":       func() (*Automaton, bool) { return a.Quotient(done) },
		"Determinize":    func() (*Automaton, bool) { return a.Determinize(done, l, 1000) },
		"Reduce":         func() (*Automaton, bool) { return a.Reduce(done, l, 0) },
		"Subtract":       func() (*Automaton, bool) { return Subtract(done, l, a, a, l.All(), 1000) },
	} {
		if _, ok := f(); ok {
			t.Errorf("%s: not stopped", name)
		}
	}
}

func TestOperationsKeepWords(t *testing.T) {
	l := NewLabels([]string{"x", "y"})
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 1))
		a := random(r, l, 6, 16)
		free, ok := a.WithoutEpsilon(ctx, l, 0)
		if !ok {
			t.Fatal("a limit without a limit")
		}
		results := map[string]*Automaton{"WithoutEpsilon": free, "Trim": a.Trim(), "Quotient": quotient(t, free.Trim())}
		if results["Reduce"], ok = a.Reduce(ctx, l, 0); !ok {
			t.Fatal("a limit without a limit")
		}
		if d, ok := free.Determinize(ctx, l, 1000); ok {
			results["Determinize"] = d
			minimal := quotient(t, d.Trim())
			results["minimal"] = minimal
			if n := results["Reduce"].States(); results["Reduce"].Deterministic() && n != minimal.States() {
				t.Errorf("seed %d: reduced to %d states, the minimum is %d", seed, n, minimal.States())
			}
		}
		words(5, func(word []int32) {
			want := accepts(a, l, word)
			for name, b := range results {
				if got := accepts(b, l, word); got != want {
					t.Errorf("seed %d: %s accepts %v with %v, want %v", seed, name, word, got, want)
				}
			}
			if got := results["Reduce"].Accepts(l, word); got != want {
				t.Errorf("seed %d: Accepts(%v) = %v, want %v", seed, word, got, want)
			}
		})
	}
}

func TestSubtract(t *testing.T) {
	l := NewLabels([]string{"x", "y"})
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 2))
		a, _ := random(r, l, 5, 12).Reduce(ctx, l, 0)
		b, _ := random(r, l, 5, 12).Reduce(ctx, l, 0)
		mask := []Set{l.All(), l.Of(0), l.Of(1)}[r.IntN(3)]
		d, ok := Subtract(ctx, l, a, b, mask, 1000)
		if !ok {
			t.Fatal("a small automaton is too large")
		}
		words(5, func(word []int32) {
			want := accepts(a, l, word)
			if accepts(b, l, word) != None {
				want = l.Without(want, mask)
			}
			if got := accepts(d, l, word); got != want {
				t.Errorf("seed %d: %v is accepted with %v, want %v", seed, word, got, want)
			}
		})
	}
}

// TestLongChain would take minutes if the quotient were quadratic.
func TestLongChain(t *testing.T) {
	l := NewLabels(nil)
	word := make([]int32, 200_000)
	a := Word(word, l.All())
	if q := quotient(t, a); q.States() != a.States() {
		t.Errorf("%d states, want %d", q.States(), a.States())
	}
	for s := range a.Accept {
		a.Accept[s] = l.All()
	}
	if q := quotient(t, a); q.States() != a.States() {
		t.Errorf("%d states, want %d", q.States(), a.States())
	}
}

func TestLabels(t *testing.T) {
	var names []string
	for i := range 130 {
		names = append(names, string(rune('A'+i)))
	}
	l := NewLabels(names)
	x := l.Union(l.Of(3), l.Of(129))
	for i := range names {
		if l.Has(x, i) != (i == 3 || i == 129) || !l.Has(l.All(), i) || l.Has(None, i) {
			t.Errorf("label %d", i)
		}
	}
	if l.Without(x, l.Of(3)) != l.Of(129) || l.Intersect(x, l.Of(3)) != l.Of(3) || l.Intersect(l.Of(3), l.Of(4)) != None {
		t.Error("set operations")
	}
}

// TestSimulators: a state that simulates another one accepts its words with at least
// its labels; and a copy of a state simulates it.
func TestSimulators(t *testing.T) {
	found := 0
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 9))
		l := NewLabels([]string{"x", "y"})
		a, ok := random(r, l, 6, 14).WithoutEpsilon(context.Background(), l, 0)
		if !ok {
			t.Fatal("no automaton")
		}
		twin := a.Add(a.Accept[a.Start])
		a.Edges[twin] = append(a.Edges[twin], a.Edges[a.Start]...)
		a.Sort()
		simulators := a.Simulators(l, a.States(), 1<<30)
		if !slices.Contains(simulators[a.Start], twin) || !slices.Contains(simulators[twin], a.Start) {
			t.Fatalf("seed %d: the copy of a state does not simulate it", seed)
		}
		for s, all := range simulators {
			for _, by := range all {
				found++
				from, of := *a, *a
				from.Start, of.Start = by, int32(s)
				words(4, func(word []int32) {
					if want := of.Accepts(l, word); l.Intersect(from.Accepts(l, word), want) != want {
						t.Fatalf("seed %d: state %d simulates %d and has not its word %v", seed, by, s, word)
					}
				})
			}
		}
		if few := a.Simulators(l, 2, 1<<30); slices.ContainsFunc(few, func(s []int32) bool { return len(s) > 2 }) {
			t.Fatalf("seed %d: more than two simulators", seed)
		}
		if a.Size() > 0 && a.Simulators(l, 2, 0) != nil {
			t.Fatalf("seed %d: simulators without work", seed)
		}
	}
	t.Logf("%d pairs", found)
}
