package automaton

import (
	"math/bits"

	"github.com/empire-go/empire-go/cpds"
)

// Set is a set of labels, interned in a Labels.
type Set int32

// None is the empty set of every Labels.
const None Set = 0

// Labels are the labels of one system and the sets of them that are in use. It
// is not safe for concurrent use.
type Labels struct {
	Names    []string
	sets     [][]uint64
	index    map[string]Set
	and, sub map[[2]Set]Set
	or       map[[2]Set]Set
}

// LabelsOf returns the labels of the finals of s in the order in which they first
// occur; the one label "" if there are none.
func LabelsOf(s *cpds.System) *Labels {
	seen := map[string]bool{}
	var names []string
	for _, c := range s.Components {
		for _, f := range c.Final {
			if f.Label != "" && !seen[f.Label] {
				seen[f.Label] = true
				names = append(names, f.Label)
			}
		}
	}
	return NewLabels(names)
}

// NewLabels returns a table for the names given, for "" if there are none.
func NewLabels(names []string) *Labels {
	if len(names) == 0 {
		names = []string{""}
	}
	l := &Labels{
		Names: names,
		index: map[string]Set{},
		and:   map[[2]Set]Set{}, sub: map[[2]Set]Set{}, or: map[[2]Set]Set{},
	}
	words := (len(names) + 63) / 64
	l.intern(make([]uint64, words))
	all := make([]uint64, words)
	for i := range names {
		all[i/64] |= 1 << (i % 64)
	}
	l.intern(all)
	return l
}

// All returns the set of all labels.
func (l *Labels) All() Set { return 1 }

// Of returns the set with one label.
func (l *Labels) Of(label int) Set {
	b := make([]uint64, len(l.sets[0]))
	b[label/64] |= 1 << (label % 64)
	return l.intern(b)
}

// Has tells whether a set contains a label.
func (l *Labels) Has(s Set, label int) bool {
	return l.sets[s][label/64]>>(label%64)&1 != 0
}

// SetOf returns the set with some labels.
func (l *Labels) SetOf(labels []int) Set {
	set := None
	for _, label := range labels {
		set = l.Union(set, l.Of(label))
	}
	return set
}

// Sets returns how many sets are in use.
func (l *Labels) Sets() int { return len(l.sets) }

// Lists returns for each set that is in use its labels, ascending.
func (l *Labels) Lists() [][]int {
	lists := make([][]int, len(l.sets))
	for s := range l.sets {
		lists[s] = l.List(Set(s))
	}
	return lists
}

// List returns the labels of a set, ascending.
func (l *Labels) List(s Set) []int {
	var list []int
	for i := range l.Names {
		if l.Has(s, i) {
			list = append(list, i)
		}
	}
	return list
}

// First returns the lowest label of a set, -1 if it is empty.
func (l *Labels) First(s Set) int {
	for i, w := range l.sets[s] {
		if w != 0 {
			return 64*i + bits.TrailingZeros64(w)
		}
	}
	return -1
}

// Union returns the labels in a or b.
func (l *Labels) Union(a, b Set) Set {
	switch {
	case a == b || b == None || a == l.All():
		return a
	case a == None || b == l.All():
		return b
	}
	return l.combine(l.or, a, b, func(x, y uint64) uint64 { return x | y })
}

// Intersect returns the labels in both a and b.
func (l *Labels) Intersect(a, b Set) Set {
	switch {
	case a == b || a == None || b == l.All():
		return a
	case b == None || a == l.All():
		return b
	}
	return l.combine(l.and, a, b, func(x, y uint64) uint64 { return x & y })
}

// Without returns the labels in a that are not in b.
func (l *Labels) Without(a, b Set) Set {
	switch {
	case a == b || a == None || b == l.All():
		return None
	case b == None:
		return a
	}
	return l.combine(l.sub, a, b, func(x, y uint64) uint64 { return x &^ y })
}

func (l *Labels) combine(memo map[[2]Set]Set, a, b Set, op func(x, y uint64) uint64) Set {
	key := [2]Set{a, b}
	if r, ok := memo[key]; ok {
		return r
	}
	out := make([]uint64, len(l.sets[a]))
	for i := range out {
		out[i] = op(l.sets[a][i], l.sets[b][i])
	}
	r := l.intern(out)
	memo[key] = r
	return r
}

func (l *Labels) intern(set []uint64) Set {
	key := make([]byte, 0, 8*len(set))
	for _, w := range set {
		for i := 0; i < 64; i += 8 {
			key = append(key, byte(w>>i))
		}
	}
	if id, ok := l.index[string(key)]; ok {
		return id
	}
	id := Set(len(l.sets))
	l.sets = append(l.sets, set)
	l.index[string(key)] = id
	return id
}

// Accept returns the labels that a component allows in the configurations of its
// final f: that of f, and all those that no final of the component has, since a
// component only has to be final for them.
func (l *Labels) Accept(c *cpds.Component, f cpds.Final) Set {
	named := map[string]bool{}
	for _, g := range c.Final {
		named[g.Label] = true
	}
	set := make([]uint64, len(l.sets[0]))
	for i, name := range l.Names {
		if name == f.Label || !named[name] {
			set[i/64] |= 1 << (i % 64)
		}
	}
	return l.intern(set)
}
