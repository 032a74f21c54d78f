package refine

import (
	"encoding/binary"
	"slices"
	"sync"

	"github.com/empire-go/empire-go/checker/automaton"
	"github.com/empire-go/empire-go/cpds"
	"github.com/empire-go/empire-go/limit"
)

// The systems of the guesses about one program are made of the same components, again
// and again: a guess shows a few accesses of two goroutines, and hides all others. What
// differs is the numbers of the actions. So the first automaton of a component is kept
// under its rules with each action replaced by its rank in the alphabet.

// memoLimit bounds the states that are kept.
const memoLimit = 1 << 18

// memo is what an engine remembers from one system to the next. It may be used
// concurrently.
type memo struct {
	automata *store[kept]     // the first automata of components, whose letters are ranks
	explored *store[explored] // what came of products
	states   sync.Pool        // *states of products, empty
}

// store keeps values under keys, up to a limit of their sizes.
type store[V any] struct {
	mutex  sync.Mutex
	values map[string]V
	size   int // of all values, in the units of put
	limit  int
}

func newStore[V any](limit int) *store[V] { return &store[V]{values: map[string]V{}, limit: limit} }

func (s *store[V]) get(key string) (V, bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	v, ok := s.values[key]
	return v, ok
}

// put keeps the value of a size, unless there is one, or no room.
func (s *store[V]) put(key string, v V, size int) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if _, ok := s.values[key]; !ok && s.size+size <= s.limit {
		s.values[key] = v
		s.size += size
	}
}

// kept is an automaton that is not changed any more.
type kept struct {
	automaton *automaton.Automaton
	labels    [][]int // by set of labels in it: the labels
	exact     bool
	cost      limit.Work // of making it
}

func newMemo() *memo {
	return &memo{automata: newStore[kept](memoLimit), explored: newStore[explored](exploredLimit)}
}

// approximate sets the first automaton of a component.
func (m *memo) approximate(d *decision, p *process) error {
	letters := p.pds.Letters
	key := identity(p.component, d.labels.Names, letters, d.limits.States)
	if k, ok := m.automata.get(key); ok {
		// It costs what it would cost to make it: an answer may not depend on what others have asked.
		p.isPaid = true
		if err := limit.Pay(d.ctx, k.cost); err != nil {
			return err
		}
		p.exact = k.exact
		p.automaton = k.automaton.Renamed(func(rank int32) int32 { return letters[rank] })
		p.automaton.Relabel(k.sets(d.labels))
		return nil
	}
	before := limit.Spent(d.ctx)
	if err := d.saturate(p); err != nil {
		return err
	}
	var err error
	if p.automaton, p.exact, err = p.builder.superset(d.limits.States); err != nil {
		return err
	}
	m.automata.put(key, kept{
		p.automaton.Renamed(func(letter int32) int32 { return rank(letters, int(letter)) }),
		d.labels.Lists(), p.exact, limit.Spent(d.ctx) - before,
	}, p.automaton.States())
	return nil
}

// sets returns the sets of labels in the automaton as those of another table.
func (k kept) sets(labels *automaton.Labels) []automaton.Set {
	sets := make([]automaton.Set, len(k.labels))
	for i, list := range k.labels {
		sets[i] = labels.SetOf(list)
	}
	return sets
}

// saturate makes the builder of a component, unless it is there.
func (d *decision) saturate(p *process) (err error) {
	if p.builder == nil {
		ctx := d.ctx
		if p.isPaid {
			ctx = limit.Free(ctx)
		}
		p.builder, err = newBuilder(ctx, p.pds, d.labels, d.limits.States)
		if p.builder != nil {
			p.builder.ctx = d.ctx
		}
	}
	return err
}

// rank returns the place of an action among the visible letters, automaton.Epsilon if it
// is not one of them.
func rank(letters []int32, action int) int32 {
	if i, ok := slices.BinarySearch(letters, int32(action)); ok {
		return int32(i)
	}
	return automaton.Epsilon
}

// identity is equal for components with the same automaton up to the ranks of letters,
// under the same limit.
func identity(c *cpds.Component, labels []string, letters []int32, limit int) string {
	b := make([]byte, 0, 8*len(c.Rules)+64)
	ints := func(all ...int) {
		for _, i := range all {
			b = binary.AppendVarint(b, int64(i))
		}
	}
	ints(limit, len(letters), len(c.Controls), len(c.Symbols), c.Initial.Control, len(c.Initial.Stack))
	ints(c.Initial.Stack...)
	ints(len(labels), len(c.Final))
	for _, f := range c.Final {
		open := 0
		if f.Open {
			open = 1
		}
		ints(slices.Index(labels, f.Label), f.Control, open, len(f.Stack))
		ints(f.Stack...)
	}
	for _, r := range c.Rules {
		ints(r.From, r.Top, int(rank(letters, r.Action)), r.To, len(r.Push))
		ints(r.Push...)
	}
	return string(b)
}
