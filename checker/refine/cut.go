package refine

import (
	"github.com/empire-go/empire-go/checker/automaton"
	"github.com/empire-go/empire-go/checker/poststar"
)

// checkBudget bounds the saturations that generalise one word.
const checkBudget = 400

// determinizeLimit bounds the complement of a generalised word.
const determinizeLimit = 1 << 12

// cut removes a spurious word from its component's automaton, and with it as large
// a regular language around it as saturation shows to be disjoint from the
// component's.
func (d *decision) cut(w spurious) error {
	mask := d.labels.All()
	if w.process.labelled {
		mask = d.labels.Of(w.label)
	}
	g := &generaliser{d: d, w: w, budget: checkBudget}
	wide, err := g.generalise()
	if err != nil {
		return err
	}
	a, ok := automaton.Subtract(d.ctx, d.labels, w.process.automaton, wide, mask, determinizeLimit)
	if !ok {
		// The word alone has a small complement.
		a, ok = automaton.Subtract(d.ctx, d.labels, w.process.automaton, automaton.Word(w.word, d.labels.All()), mask,
			len(w.word)+2+w.process.automaton.Size())
	}
	if err := d.ctx.Err(); err != nil {
		return err
	}
	if !ok || d.limits.States > 0 && a.States() > d.limits.States {
		return errStates
	}
	w.process.automaton = a
	return nil
}

// generaliser widens the automaton of a word, one set of edges at a time, as long
// as the component has none of its words. The automaton is sorted after each try.
type generaliser struct {
	d      *decision
	w      spurious
	budget int
	a      *automaton.Automaton
	err    error
}

// generalise widens in one of two orders, in turns: loops at single states first,
// which separates by what occurs at all and in which order; or edges back first,
// which separates by counting modulo small numbers.
func (g *generaliser) generalise() (*automaton.Automaton, error) {
	letters := g.letters()
	if g.w.process.cuts%2 == 0 {
		g.shorten(letters)
		g.loops(letters)
		g.back(letters)
	} else {
		g.a = automaton.Word(g.w.word, g.d.labels.All())
		g.back(letters)
		g.loops(letters)
	}
	g.w.process.cuts++
	return g.a, g.err
}

func (g *generaliser) loops(letters []int32) {
	last := int32(g.a.States() - 1)
	for s := last; s >= 0; s-- {
		g.widen(s, s, letters)
	}
	for s := last - 1; s >= 0; s-- {
		g.widen(s, s+1, letters)
	}
}

func (g *generaliser) back(letters []int32) {
	last := int32(g.a.States() - 1)
	for span := int32(1); span <= last && g.err == nil && g.budget > 0; span++ {
		for s := last; s >= span; s-- {
			g.widen(s, s-span, letters)
		}
	}
}

// letters returns those that the automaton still has, ascending; the others do not
// matter.
func (g *generaliser) letters() []int32 {
	used := lettersOf(g.w.process.automaton, 0)
	var out []int32
	for _, a := range g.w.process.pds.Letters {
		if used[a] {
			out = append(out, a)
		}
	}
	return out
}

// shorten finds the shortest prefix that no word of the component continues, and
// lets it be continued by anything; if there is none, the word stays as it is.
func (g *generaliser) shorten(letters []int32) {
	prefix := func(n int) *automaton.Automaton {
		a := automaton.Word(g.w.word[:n], g.d.labels.All())
		for _, letter := range letters {
			a.Connect(int32(n), letter, int32(n))
		}
		a.Sort()
		return a
	}
	low, high := 0, len(g.w.word)
	if !g.disjoint(prefix(high)) {
		g.a = automaton.Word(g.w.word, g.d.labels.All())
		return
	}
	for low < high {
		if m := (low + high) / 2; g.disjoint(prefix(m)) {
			high = m
		} else {
			low = m + 1
		}
	}
	g.a = prefix(high)
}

// widen adds as many edges between two states as it can, by halving.
func (g *generaliser) widen(from, to int32, letters []int32) {
	if len(letters) == 0 || g.err != nil || g.budget <= 0 {
		return
	}
	wider := &automaton.Automaton{Start: g.a.Start, Edges: append([][]automaton.Edge(nil), g.a.Edges...),
		Accept: g.a.Accept}
	edges := append([]automaton.Edge(nil), g.a.Edges[from]...)
	for _, letter := range letters {
		edges = append(edges, automaton.Edge{Letter: letter, To: to})
	}
	wider.Edges[from] = edges
	wider.Sort()
	if len(wider.Edges[from]) == len(g.a.Edges[from]) {
		return
	}
	if g.disjoint(wider) {
		g.a = wider
		return
	}
	if len(letters) > 1 {
		g.widen(from, to, letters[:len(letters)/2])
		g.widen(from, to, letters[len(letters)/2:])
	}
}

// disjoint tells whether the component has no word of a.
func (g *generaliser) disjoint(a *automaton.Automaton) bool {
	if g.err != nil || g.budget <= 0 {
		return false
	}
	g.budget--
	run, err := poststar.Accepts(g.d.ctx, g.w.process.pds, g.d.labels, a, g.w.label, g.d.limits.States)
	g.err = err
	return err == nil && run == nil
}
