package refine

import (
	"errors"
	"slices"

	"github.com/empire-go/empire-go/checker/automaton"
)

// inlineLimit bounds the states of all fragments of a component while calls are
// inlined.
const inlineLimit = 1 << 16

// mergedLimit bounds the states of the last attempt unless Limits.States does.
const mergedLimit = 1 << 20

// fragmentSizes are the numbers of states above which a fragment is not inlined,
// tried in turn until the whole is below inlineLimit. With the last the component
// has as many states as post* has transitions.
var fragmentSizes = []int{inlineLimit, 1024, 64, 8, 0}

// superset returns an automaton with all words of the component, and whether it
// has no others.
func (b *builder) superset(states int) (*automaton.Automaton, bool, error) {
	for i, size := range fragmentSizes {
		limit := inlineLimit
		if states > 0 {
			limit = min(limit, states)
		}
		if i == len(fragmentSizes)-1 {
			limit = mergedLimit
			if states > 0 {
				limit = states
			}
		}
		c := *b
		if i > 0 {
			if err := c.mergeLarge(size, limit); err != nil {
				return nil, false, err
			}
		}
		a, err := c.build(true, 0, limit)
		if !errors.Is(err, errStates) {
			return a, !c.recursive(), err
		}
	}
	return nil, false, errStates
}

// mergeLarge takes the activations with large fragments, and all that call them,
// as one recursive component, so that no large fragment is copied.
func (b *builder) mergeLarge(size, limit int) error {
	b.begin(true, 0, limit)
	order := make([]int32, len(b.acts))
	for a := range order {
		order[a] = int32(a)
	}
	// Callees have lower groups than their callers.
	slices.SortStableFunc(order, func(x, y int32) int { return int(b.group[x] - b.group[y]) })
	large := make([]bool, len(b.looped))
	for _, a := range order {
		g := b.group[a]
		for _, c := range b.acts[a].calls {
			large[g] = large[g] || large[b.group[c.callee]]
		}
		if large[g] || len(b.acts[a].nodes) == 0 || b.acts[a].first.callee >= 0 {
			continue
		}
		f, err := b.fragment(a, 0)
		if err != nil && !errors.Is(err, errStates) {
			return err
		}
		large[g] = err != nil || f.States() > size
	}
	b.regroup(large)
	return nil
}

// regroup makes one group of the large ones.
func (b *builder) regroup(large []bool) {
	merged := int32(len(b.looped))
	b.group, b.looped = slices.Clone(b.group), append(slices.Clone(b.looped), false)
	for a, g := range b.group {
		if large[g] {
			b.group[a] = merged
		}
	}
	for a := range b.acts {
		for _, c := range b.acts[a].calls {
			if b.group[a] == merged && b.group[c.callee] == merged {
				b.looped[merged] = true
			}
		}
	}
}
