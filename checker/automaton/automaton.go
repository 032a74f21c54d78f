// Package automaton is finite automata whose states are accepting for sets of
// labels. The decision engines use them for the action languages of components.
//
// Words are sequences of letters that are not negative. Epsilon is a silent move.
// Lower letters are ways out of a fragment of an automaton (see package refine);
// every function here treats them as ordinary letters.
package automaton

import (
	"cmp"
	"slices"
)

// Epsilon is the letter of a silent edge.
const Epsilon int32 = -1

// Edge is a move to a state.
type Edge struct{ Letter, To int32 }

// Automaton is a nondeterministic finite automaton with one initial state.
type Automaton struct {
	Start  int32
	Edges  [][]Edge // by state; ascending and without duplicates after Sort
	Accept []Set    // by state: the labels for which it accepts
}

// Add adds a state and returns it.
func (a *Automaton) Add(accept Set) int32 {
	a.Edges = append(a.Edges, nil)
	a.Accept = append(a.Accept, accept)
	return int32(len(a.Accept) - 1)
}

// Connect adds an edge.
func (a *Automaton) Connect(from, letter, to int32) {
	a.Edges[from] = append(a.Edges[from], Edge{letter, to})
}

// States returns the number of states.
func (a *Automaton) States() int { return len(a.Accept) }

// Size returns the number of edges.
func (a *Automaton) Size() int {
	n := 0
	for _, e := range a.Edges {
		n += len(e)
	}
	return n
}

// Sort puts the edges of each state in order and removes duplicates.
func (a *Automaton) Sort() {
	var s sorter
	for state := range a.Edges {
		a.Edges[state] = s.sorted(a.Edges[state])
	}
}

// On returns the edges of a state with a letter. The automaton must be sorted.
func (a *Automaton) On(state, letter int32) []Edge {
	edges := a.Edges[state]
	lo := 0
	if len(edges) > 8 {
		lo, _ = slices.BinarySearchFunc(edges, letter, func(e Edge, l int32) int { return cmp.Compare(e.Letter, l) })
	}
	for lo < len(edges) && edges[lo].Letter < letter {
		lo++
	}
	hi := lo
	for hi < len(edges) && edges[hi].Letter == letter {
		hi++
	}
	return edges[lo:hi]
}

// Word returns the automaton of one word, accepting with the set given.
func Word(word []int32, accept Set) *Automaton {
	a := &Automaton{}
	s := a.Add(None)
	for _, letter := range word {
		t := a.Add(None)
		a.Connect(s, letter, t)
		s = t
	}
	a.Accept[s] = accept
	return a
}

// Accepts returns the labels with which a accepts a word. The automaton must be
// sorted and free of Epsilon.
func (a *Automaton) Accepts(l *Labels, word []int32) Set {
	now := []int32{a.Start}
	for _, letter := range word {
		var next []int32
		for _, s := range now {
			for _, e := range a.On(s, letter) {
				next = append(next, e.To)
			}
		}
		slices.Sort(next)
		now = slices.Compact(next)
	}
	set := None
	for _, s := range now {
		set = l.Union(set, a.Accept[s])
	}
	return set
}

// Renamed returns the automaton with another name for each of its letters. If that keeps
// their order, and it is sorted, so is what it returns.
func (a *Automaton) Renamed(name func(letter int32) int32) *Automaton {
	b := &Automaton{Start: a.Start, Edges: make([][]Edge, len(a.Edges)), Accept: slices.Clone(a.Accept)}
	all := make([]Edge, 0, a.Size())
	for s, edges := range a.Edges {
		first := len(all)
		for _, e := range edges {
			all = append(all, Edge{name(e.Letter), e.To})
		}
		b.Edges[s] = all[first:len(all):len(all)]
	}
	return b
}

// Relabel replaces each set of labels by another one, in place.
func (a *Automaton) Relabel(by []Set) {
	for s, set := range a.Accept {
		a.Accept[s] = by[set]
	}
}

// Restrict removes the edges whose letters are not kept, then what Trim removes.
func (a *Automaton) Restrict(keep func(letter int32) bool) *Automaton {
	b := &Automaton{Start: a.Start, Edges: make([][]Edge, len(a.Edges)), Accept: a.Accept}
	for s, edges := range a.Edges {
		for _, e := range edges {
			if e.Letter == Epsilon || keep(e.Letter) {
				b.Edges[s] = append(b.Edges[s], e)
			}
		}
	}
	return b.Trim()
}

// Trim returns the automaton without the states that are not reachable or from
// which there is no accepting state and no way out of a fragment. The initial
// state stays.
func (a *Automaton) Trim() *Automaton {
	useful := a.useful()
	number := make([]int32, len(a.Edges))
	for i := range number {
		number[i] = -1
	}
	b := &Automaton{}
	order := []int32{a.Start}
	number[a.Start] = b.Add(a.Accept[a.Start])
	var edges []Edge
	for i := 0; i < len(order); i++ {
		edges = edges[:0]
		for _, e := range a.Edges[order[i]] {
			if !useful[e.To] && e.Letter >= Epsilon {
				continue
			}
			if number[e.To] < 0 {
				number[e.To] = b.Add(a.Accept[e.To])
				order = append(order, e.To)
			}
			edges = append(edges, Edge{e.Letter, number[e.To]})
		}
		b.Edges[i] = slices.Clone(edges)
	}
	return b
}

// useful marks the states from which an accepting state or a way out is reachable.
func (a *Automaton) useful() []bool {
	into := a.reverse()
	useful := make([]bool, len(a.Edges))
	var work []int32
	for s := range a.Edges {
		out := a.Accept[s] != None
		for _, e := range a.Edges[s] {
			out = out || e.Letter < Epsilon
		}
		if out {
			useful[s] = true
			work = append(work, int32(s))
		}
	}
	for len(work) > 0 {
		s := work[len(work)-1]
		work = work[:len(work)-1]
		for _, p := range into.of(s) {
			if !useful[p] {
				useful[p] = true
				work = append(work, p)
			}
		}
	}
	return useful
}

// adjacency is a graph in compressed rows.
type adjacency struct{ first, to []int32 }

func (g adjacency) of(s int32) []int32 { return g.to[g.first[s]:g.first[s+1]] }

// reverse returns the predecessors of each state.
func (a *Automaton) reverse() adjacency {
	g := adjacency{first: make([]int32, len(a.Edges)+1), to: make([]int32, a.Size())}
	for _, edges := range a.Edges {
		for _, e := range edges {
			g.first[e.To+1]++
		}
	}
	for s := range a.Edges {
		g.first[s+1] += g.first[s]
	}
	next := slices.Clone(g.first)
	for s, edges := range a.Edges {
		for _, e := range edges {
			g.to[next[e.To]] = int32(s)
			next[e.To]++
		}
	}
	return g
}

// CanReach returns for each state the labels that are accepted somewhere after it.
func (a *Automaton) CanReach(l *Labels) []Set {
	into := a.reverse()
	reach := slices.Clone(a.Accept)
	queued := make([]bool, len(reach))
	var work []int32
	for s := range reach {
		if reach[s] != None {
			work = append(work, int32(s))
			queued[s] = true
		}
	}
	for i := 0; i < len(work); i++ {
		s := work[i]
		queued[s] = false
		for _, p := range into.of(s) {
			if u := l.Union(reach[p], reach[s]); u != reach[p] {
				reach[p] = u
				if !queued[p] {
					queued[p] = true
					work = append(work, p)
				}
			}
		}
	}
	return reach
}
