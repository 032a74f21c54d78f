package automaton

import "slices"

// Simulators returns for each state s others that simulate it: they accept with at
// least the labels of s, and for each move of s have one with the same letter to a
// state that simulates where s goes. So they have all words of s. It returns at most
// a number of them for each state, the lowest and the next lower ones, and none at
// all if to find them takes looking at more edges or pairs of states than the bound.
// The automaton must be sorted and free of Epsilon.
//
// It is the greatest fixed point, by removal: O(states x edges of a letter) for each
// time that the simulators of a state shrink, and O(states^2) space.
func (a *Automaton) Simulators(l *Labels, most, bound int) [][]int32 {
	if bound -= a.States() * a.States(); bound < 0 {
		return nil
	}
	f := &simulation{a: a, byLetter: map[int32][]edgeFrom{}, into: a.reverse()}
	for s, edges := range a.Edges {
		for _, e := range edges {
			f.byLetter[e.Letter] = append(f.byLetter[e.Letter], edgeFrom{int32(s), e.To})
		}
	}
	f.begin(l)
	if !f.shrink(bound) {
		return nil
	}
	out := make([][]int32, a.States())
	for s := range out {
		out[s] = f.choose(int32(s), most)
	}
	return out
}

// simulation is a relation that is being made a simulation.
type simulation struct {
	a        *Automaton
	byLetter map[int32][]edgeFrom
	into     adjacency
	by       [][]bool // by state and state: the second may simulate the first
}

type edgeFrom struct{ from, to int32 }

// begin relates the states as their labels allow.
func (f *simulation) begin(l *Labels) {
	n := f.a.States()
	for s := range n {
		by := make([]bool, n)
		for q := range by {
			by[q] = l.Intersect(f.a.Accept[s], f.a.Accept[q]) == f.a.Accept[s]
		}
		f.by = append(f.by, by)
	}
}

// shrink removes what is no simulation. It returns false if that takes too long.
func (f *simulation) shrink(bound int) bool {
	n := f.a.States()
	waits := make([]bool, n)
	var work []int32
	for s := range n {
		waits[s] = true
		work = append(work, int32(s)) // the last ones are looked at first
	}
	can := make([]bool, n)
	for len(work) > 0 {
		s := work[len(work)-1]
		work = work[:len(work)-1]
		waits[s] = false
		changed := false
		for _, e := range f.a.Edges[s] {
			same := f.byLetter[e.Letter]
			if bound -= n + len(same); bound < 0 {
				return false
			}
			clear(can)
			for _, other := range same {
				can[other.from] = can[other.from] || f.by[e.To][other.to]
			}
			for q, ok := range f.by[s] {
				if ok && !can[q] {
					f.by[s][q], changed = false, true
				}
			}
		}
		if !changed {
			continue
		}
		for _, p := range f.into.of(s) {
			if !waits[p] {
				waits[p] = true
				work = append(work, p)
			}
		}
	}
	return true
}

// choose returns some of the simulators of a state.
func (f *simulation) choose(s int32, most int) []int32 {
	var all []int32
	for q, ok := range f.by[s] {
		if ok && int32(q) != s {
			all = append(all, int32(q))
		}
	}
	if len(all) <= most {
		return all
	}
	lower, _ := slices.BinarySearch(all, s)
	first := max(most/2, lower-(most-most/2))
	return slices.Concat(all[:most/2], all[first:min(len(all), first+most-most/2)])
}
