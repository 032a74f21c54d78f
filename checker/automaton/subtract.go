package automaton

import (
	"context"

	"github.com/empire-go/empire-go/limit"
)

// Subtract returns an automaton that accepts a word with the labels with which a
// accepts it, without those of mask if r accepts the word for any label; false if
// the complement of r would have more states than the bound, or the result more
// edges, or the context is done. Both must be sorted and free of Epsilon.
func Subtract(ctx context.Context, l *Labels, a, r *Automaton, mask Set, bound int) (*Automaton, bool) {
	d, ok := r.Determinize(ctx, l, bound)
	if !ok {
		return nil, false
	}
	if d, ok = d.Quotient(ctx); !ok {
		return nil, false
	}
	// The state of d after a word that leaves it.
	outside := int32(d.States())
	out := &Automaton{}
	index := map[[2]int32]int32{}
	var pairs [][2]int32
	state := func(p [2]int32) int32 {
		s, ok := index[p]
		if !ok {
			accept := a.Accept[p[0]]
			if p[1] != outside && d.Accept[p[1]] != None {
				accept = l.Without(accept, mask)
			}
			s = out.Add(accept)
			index[p] = s
			pairs = append(pairs, p)
		}
		return s
	}
	state([2]int32{a.Start, d.Start})
	edges := 0
	for s := 0; s < len(pairs); s++ {
		p := pairs[s]
		for _, e := range a.Edges[p[0]] {
			to := outside
			if p[1] != outside {
				if on := d.On(p[1], e.Letter); len(on) > 0 {
					to = on[0].To
				}
			}
			out.Connect(int32(s), e.Letter, state([2]int32{e.To, to}))
		}
		if edges += len(out.Edges[s]); edges > 16*bound || s&1023 == 0 && limit.Pay(ctx, 1024*limit.State) != nil {
			return nil, false
		}
	}
	return out.Reduce(ctx, l, 0)
}
