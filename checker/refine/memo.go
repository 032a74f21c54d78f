package refine

import (
	"context"
	"encoding/binary"
	"errors"
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

// memoLimit bounds the states that are kept in a generation.
const memoLimit = 1 << 18

// memo is what an engine remembers from one system to the next. It may be used
// concurrently.
type memo struct {
	automata *store[kept]      // automata of components, whose letters are ranks
	reduced  *store[reduction] // what fragments of components are reduced to
	explored *store[explored]  // what came of products
	states   sync.Pool         // *states of products, empty
}

func newMemo() *memo {
	return &memo{automata: newStore[kept](memoLimit), reduced: newStore[reduction](memoLimit),
		explored: newStore[explored](exploredLimit)}
}

// kept is an automaton that is not changed any more.
type kept struct {
	automaton *automaton.Automaton // nil if it would have too many states
	labels    [][]int              // by set of labels in it: the labels
	exact     bool
}

// automatonOf returns an automaton of a component, and whether it is exact: the variant that make makes of
// the component's builder. It may fail with errStates.
func (m *memo) automatonOf(d *decision, p *process, variant string,
	make func(b *builder) (*automaton.Automaton, bool, error)) (*automaton.Automaton, bool, error) {
	letters := p.pds.Letters
	if p.identity == "" {
		p.identity = identity(p.component, d.labels.Names, letters, d.limits.States)
	}
	key := limit.KeyOf(append([]byte(variant), p.identity...))
	k, err := remembered(d.ctx, m.automata, key, func(ctx context.Context) (k kept, size int, err error) {
		if err := d.saturate(ctx, p); err != nil {
			return k, 0, err
		}
		b := *p.builder
		b.ctx = ctx
		a, exact, err := make(&b)
		switch {
		case errors.Is(err, errStates) && ctx.Err() == nil:
			return kept{exact: exact}, 1, nil
		case err != nil:
			return k, 0, err
		}
		ranked := a.Renamed(func(letter int32) int32 { return rank(letters, int(letter)) })
		return kept{ranked, d.labels.Lists(), exact}, a.States(), nil
	})
	p.isPaid = true // the builder was made for it, now or by somebody else
	switch {
	case err != nil:
		return nil, false, err
	case k.automaton == nil:
		return nil, false, errStates
	}
	a := k.automaton.Renamed(func(rank int32) int32 { return letters[rank] })
	a.Relabel(k.sets(d.labels))
	return a, k.exact, nil
}

// approximate sets the first automaton of a component.
func (m *memo) approximate(d *decision, p *process) (err error) {
	p.automaton, p.exact, err = m.automatonOf(d, p, "superset", func(b *builder) (*automaton.Automaton, bool, error) {
		return b.superset(d.limits.States)
	})
	return err
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
func (d *decision) saturate(ctx context.Context, p *process) (err error) {
	if p.builder == nil {
		if p.isPaid {
			ctx = limit.Free(ctx)
		}
		if p.builder, err = newBuilder(ctx, p.pds, d.labels, d.limits.States); err == nil {
			p.builder.reduced = d.memo.reduced
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

// buffers are for what identities are digests of.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// identity is equal for components with the same automaton up to the ranks of letters,
// under the same limit, and for no others.
func identity(c *cpds.Component, labels []string, letters []int32, states int) string {
	buffer := buffers.Get().(*[]byte)
	defer buffers.Put(buffer)
	b := (*buffer)[:0]
	ints := func(all ...int) {
		for _, i := range all {
			b = binary.AppendVarint(b, int64(i))
		}
	}
	ints(states, len(letters), len(c.Controls), len(c.Symbols), c.Initial.Control, len(c.Initial.Stack))
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
	*buffer = b
	sum := limit.KeyOf(b)
	return string(sum[:])
}
