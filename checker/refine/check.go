package refine

import (
	"slices"

	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/checker/automaton"
	"github.com/empire-go/empire-go/checker/poststar"
)

// check runs a word on the components, for each label of hit. It answers the
// labels for which every component has a run, and returns for the others a
// component that has none. Approximated components are asked first.
func (d *decision) check(hit automaton.Set, word []int32, by string) ([]spurious, error) {
	var wrong []spurious
	memo := map[[2]int][]int{} // by component and, if labelled, label + 1
	for label := range d.answers {
		if !d.labels.Has(hit, label) {
			continue
		}
		runs := make([][]int, len(d.processes))
		missing, err := d.runs(word, label, runs, memo)
		switch {
		case err != nil:
			return nil, err
		case missing >= 0:
			p := d.processes[missing]
			wrong = append(wrong, spurious{p, p.pds.Project(word), label})
		default:
			answer := checker.Answer{Status: checker.Common, Word: make([]int, len(word)), Runs: runs, By: by}
			for i, a := range word {
				answer.Word[i] = int(a)
			}
			d.answer(label, answer)
		}
	}
	return wrong, nil
}

// runs fills in a run for each component; it returns a component that has none, or
// -1.
func (d *decision) runs(word []int32, label int, runs [][]int, memo map[[2]int][]int) (int, error) {
	for _, exact := range []bool{false, true} {
		for i, p := range d.processes {
			if p.exact != exact {
				continue
			}
			key := [2]int{i, 0}
			if p.labelled {
				key[1] = label + 1
			}
			run, ok := memo[key]
			if !ok {
				var err error
				guide := automaton.Word(p.pds.Project(word), d.labels.All())
				run, err = poststar.Accepts(d.ctx, p.pds, d.labels, guide, label, d.limits.States)
				if err != nil {
					return -1, err
				}
				memo[key] = run
			}
			if run == nil {
				return i, nil
			}
			runs[i] = slices.Clone(run)
		}
	}
	return -1, nil
}

// prune removes what cannot happen: letters that a component that has them in its
// alphabet can never take, and labels that are answered. It repeats until nothing
// changes, or the context is done. Words of the product, and their lengths, stay
// the same.
func (d *decision) prune() {
	changed := make([]bool, len(d.processes))
	for i, p := range d.processes {
		changed[i] = p.forget(d.labels, d.open)
	}
	for again := true; again && d.ctx.Err() == nil; {
		again = false
		takes := make([]int, len(d.members)) // by letter: components that can take it
		for _, p := range d.processes {
			for letter := range lettersOf(p.automaton, len(d.members)) {
				takes[letter]++
			}
		}
		for i, p := range d.processes {
			lost := false
			for letter := range lettersOf(p.automaton, len(d.members)) {
				lost = lost || takes[letter] < len(d.members[letter])
			}
			if lost {
				p.automaton = p.automaton.Restrict(func(a int32) bool { return takes[a] == len(d.members[a]) })
				changed[i], again = true, true
			}
		}
	}
	for i, p := range d.processes {
		if changed[i] {
			if a, ok := p.automaton.Reduce(d.ctx, d.labels, 0); ok {
				p.automaton = a
			}
		}
	}
}

// forget drops the labels that are not open from a labelled component.
func (p *process) forget(labels *automaton.Labels, open automaton.Set) bool {
	changed := false
	if p.labelled {
		accept := slices.Clone(p.automaton.Accept)
		for s, set := range accept {
			accept[s] = labels.Intersect(set, open)
			changed = changed || accept[s] != set
		}
		if changed {
			p.automaton = (&automaton.Automaton{Start: p.automaton.Start, Edges: p.automaton.Edges, Accept: accept}).Trim()
		}
	}
	return changed
}

// lettersOf returns the letters on the edges of an automaton.
func lettersOf(a *automaton.Automaton, letters int) map[int32]bool {
	set := map[int32]bool{}
	for _, edges := range a.Edges {
		for _, e := range edges {
			set[e.Letter] = true
		}
	}
	return set
}
