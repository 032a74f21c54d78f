package automaton

import (
	"context"
	"encoding/binary"
	"slices"

	"github.com/empire-go/empire-go/limit"
)

// Reduce returns a small automaton with the same words for every label, sorted
// and free of Epsilon: the smaller of the quotient by bisimulation and the
// minimal deterministic one, if the latter is found within a number of subsets
// proportional to the former; false if it takes more than limit edges (0: no
// limit), or the context is done.
func (a *Automaton) Reduce(ctx context.Context, l *Labels, limit int) (*Automaton, bool) {
	n, ok := a.WithoutEpsilon(ctx, l, limit)
	if !ok {
		return nil, false
	}
	n, ok = n.Trim().Quotient(ctx)
	if !ok || n.Deterministic() {
		return n, ok
	}
	if d, ok := n.Determinize(ctx, l, 2*n.States()+64); ok {
		if d, ok = d.Trim().Quotient(ctx); ok && d.States() <= n.States()+n.States()/4 {
			return d, true
		}
	}
	return n, true
}

// Deterministic tells whether no state has Epsilon or two edges with one letter.
// The automaton must be sorted.
func (a *Automaton) Deterministic() bool {
	for _, edges := range a.Edges {
		for i, e := range edges {
			if e.Letter == Epsilon || i > 0 && edges[i-1].Letter == e.Letter {
				return false
			}
		}
	}
	return true
}

// WithoutEpsilon returns an automaton with the same words for every label that
// has no silent edges. Its states are the initial one and the targets of edges
// with letters, cycles of silent edges being taken together first. It returns false
// if it would have more edges than limit (0: no limit), or the context is done.
func (a *Automaton) WithoutEpsilon(ctx context.Context, l *Labels, limit int) (*Automaton, bool) {
	group, count := a.SilentComponents()
	// Tarjan numbers a component after all those that it reaches.
	edges := make([][]Edge, count)
	accept := make([]Set, count)
	silent := make([][]int32, count)
	for s := range a.Edges {
		g := group[s]
		accept[g] = l.Union(accept[g], a.Accept[s])
		for _, e := range a.Edges[s] {
			switch {
			case e.Letter != Epsilon:
				edges[g] = append(edges[g], Edge{e.Letter, group[e.To]})
			case group[e.To] != g:
				silent[g] = append(silent[g], group[e.To])
			}
		}
	}
	keep := make([]bool, count)
	keep[group[a.Start]] = true
	for g := range edges {
		for _, e := range edges[g] {
			keep[e.To] = true
		}
	}
	return closeSilent(ctx, l, group[a.Start], edges, accept, silent, keep, limit)
}

// closeSilent adds to each kept state what its silent successors can do.
func closeSilent(ctx context.Context, l *Labels, start int32, edges [][]Edge, accept []Set, silent [][]int32,
	keep []bool, most int) (*Automaton, bool) {
	count := len(edges)
	// forward is where a state without anything of its own goes: following it
	// first keeps long silent chains linear.
	forward := make([]int32, count)
	for g := range forward {
		forward[g] = int32(g)
		if len(edges[g]) == 0 && accept[g] == None && len(silent[g]) == 1 {
			forward[g] = forward[silent[g][0]]
		}
	}
	out := &Automaton{}
	number := make([]int32, count)
	mark := make([]int32, count)
	for g := range count {
		number[g], mark[g] = -1, -1
		if keep[g] {
			number[g] = out.Add(None)
		}
	}
	var stack []int32
	var found []Edge
	var sort sorter
	total := 0
	for g := range count {
		if number[g] < 0 {
			continue
		}
		if g&63 == 63 && limit.Pay(ctx, 64*limit.State) != nil {
			return nil, false
		}
		state := number[g]
		stack, found = append(stack[:0], forward[g]), found[:0]
		mark[forward[g]] = int32(g)
		for len(stack) > 0 {
			s := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			out.Accept[state] = l.Union(out.Accept[state], accept[s])
			for _, e := range edges[s] {
				found = append(found, Edge{e.Letter, number[e.To]})
			}
			for _, t := range silent[s] {
				if t = forward[t]; mark[t] != int32(g) {
					mark[t] = int32(g)
					stack = append(stack, t)
				}
			}
		}
		out.Edges[state] = slices.Clone(sort.sorted(found))
		if total += len(out.Edges[state]); most > 0 && total > most {
			return nil, false
		}
	}
	out.Start = number[start]
	return out, true
}

// SilentComponents numbers the strongly connected components of the silent edges
// so that a component comes after those that it reaches.
func (a *Automaton) SilentComponents() (group []int32, count int) {
	n := len(a.Edges)
	group = make([]int32, n)
	order := make([]int32, n) // 0: not visited
	low := make([]int32, n)
	var path, open []int32
	cursor := make([]int32, n)
	for i := range group {
		group[i] = -1
	}
	clock := int32(0)
	for root := range n {
		if order[root] != 0 {
			continue
		}
		path = append(path[:0], int32(root))
		for len(path) > 0 {
			s := path[len(path)-1]
			if order[s] == 0 {
				clock++
				order[s], low[s] = clock, clock
				open = append(open, s)
			}
			next := int32(-1)
			for cursor[s] < int32(len(a.Edges[s])) && next < 0 {
				e := a.Edges[s][cursor[s]]
				cursor[s]++
				switch {
				case e.Letter != Epsilon:
				case order[e.To] == 0:
					next = e.To
				case group[e.To] < 0:
					low[s] = min(low[s], order[e.To])
				}
			}
			if next >= 0 {
				path = append(path, next)
				continue
			}
			path = path[:len(path)-1]
			if len(path) > 0 {
				low[path[len(path)-1]] = min(low[path[len(path)-1]], low[s])
			}
			if low[s] == order[s] {
				for {
					t := open[len(open)-1]
					open = open[:len(open)-1]
					group[t] = int32(count)
					if t == s {
						break
					}
				}
				count++
			}
		}
	}
	return group, count
}

// Determinize returns a deterministic automaton with the same words for every
// label; false if it would have more states than the bound, or if finding them
// looks at more than 16 times as many edges as the bound and the automaton have
// together, or the context is done. The automaton must be free of Epsilon.
func (a *Automaton) Determinize(ctx context.Context, l *Labels, bound int) (*Automaton, bool) {
	d := &Automaton{}
	index := map[string]int32{}
	var subsets [][]int32
	state := func(subset []int32) int32 {
		key := make([]byte, 0, 4*len(subset))
		for _, s := range subset {
			key = binary.LittleEndian.AppendUint32(key, uint32(s))
		}
		if s, ok := index[string(key)]; ok {
			return s
		}
		accept := None
		for _, s := range subset {
			accept = l.Union(accept, a.Accept[s])
		}
		s := d.Add(accept)
		index[string(key)] = s
		subsets = append(subsets, subset)
		return s
	}
	state([]int32{a.Start})
	var moves []Edge
	var sort sorter
	work := 16 * (bound + a.Size())
	for s := 0; s < len(subsets); s++ {
		if len(subsets) > bound || work < 0 || s&63 == 63 && limit.Pay(ctx, 64*limit.State) != nil {
			return nil, false
		}
		moves = moves[:0]
		for _, x := range subsets[s] {
			moves = append(moves, a.Edges[x]...)
		}
		work -= len(moves)
		moves = sort.sorted(moves)
		for i := 0; i < len(moves); {
			var subset []int32
			letter := moves[i].Letter
			for ; i < len(moves) && moves[i].Letter == letter; i++ {
				subset = append(subset, moves[i].To)
			}
			d.Connect(int32(s), letter, state(subset))
		}
	}
	return d, true
}
