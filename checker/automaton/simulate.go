package automaton

import (
	"math/bits"
	"slices"
)

// Simulators returns for each state s others that simulate it: they accept with at
// least the labels of s, and for each move of s have one with the same letter to a
// state that simulates where s goes. So they have all words of s. It returns at most
// a number of them for each state, the lowest and the next lower ones, and none at
// all if to find them takes looking at more edges or pairs of states than the bound.
// The automaton must be sorted and free of Epsilon.
//
// It is the greatest fixed point, by removal: O(edges of a letter + states/64) for each edge
// of a state, each time that the simulators of what the edge leads to shrink, and
// O(states^2) bits.
func (a *Automaton) Simulators(l *Labels, most, bound int) [][]int32 {
	if bound -= a.States() * (a.States()/64 + 1); bound < 0 {
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
	by       []bitSet // by state: the states that may simulate it
}

type edgeFrom struct{ from, to int32 }

// bitSet is a set of states.
type bitSet []uint64

func (b bitSet) add(s int32)      { b[s>>6] |= 1 << (s & 63) }
func (b bitSet) has(s int32) bool { return b[s>>6]>>(s&63)&1 != 0 }

// begin relates the states as their labels allow.
func (f *simulation) begin(l *Labels) {
	n := f.a.States()
	accepting := map[Set]bitSet{} // those that accept with at least the labels
	all := make(bitSet, n*(n/64+1))
	for s := range n {
		want := f.a.Accept[s]
		if accepting[want] == nil {
			accepting[want] = make(bitSet, n/64+1)
			for q := range n {
				if l.Intersect(want, f.a.Accept[q]) == want {
					accepting[want].add(int32(q))
				}
			}
		}
		row := all[s*(n/64+1):][:n/64+1]
		copy(row, accepting[want])
		f.by = append(f.by, row)
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
	can := make(bitSet, n/64+1)
	for len(work) > 0 {
		s := work[len(work)-1]
		work = work[:len(work)-1]
		waits[s] = false
		changed := false
		for _, e := range f.a.Edges[s] {
			same := f.byLetter[e.Letter]
			if bound -= n/64 + 1 + len(same); bound < 0 {
				return false
			}
			clear(can)
			for _, other := range same {
				if f.by[e.To].has(other.to) {
					can.add(other.from)
				}
			}
			for i, word := range f.by[s] {
				if word&^can[i] != 0 {
					f.by[s][i], changed = word&can[i], true
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
	for i, word := range f.by[s] {
		for ; word != 0; word &= word - 1 {
			if q := int32(i<<6 | bits.TrailingZeros64(word)); q != s {
				all = append(all, q)
			}
		}
	}
	if len(all) <= most {
		return all
	}
	lower, _ := slices.BinarySearch(all, s)
	first := max(most/2, lower-(most-most/2))
	return slices.Concat(all[:most/2], all[first:min(len(all), first+most-most/2)])
}
