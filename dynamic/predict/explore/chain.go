package explore

import (
	"github.com/empire-go/empire-go/dynamic/predict/order"
	"github.com/empire-go/empire-go/dynamic/predict/segment"
)

// Chain looks for a run in which some events come in an order. The last one of each thread may be a read that sees
// something else. The verdict is Violation if there is such a run, and Atomic if there is none.
func Chain(h *order.History, chain []order.ID, o Options) Result {
	o.Runs *= pathShare // they are all for one path
	x := newExplorer(h, &segment.Block{Thread: chain[0].Thread, Accesses: []int32{chain[0].Index}}, o)
	x.isChain = true
	if c := x.ordering(chain); c != nil {
		x.result.Run, _ = x.run(c, 0)
	}
	switch r := &x.result; {
	case r.Run != nil:
		r.Verdict, r.Path = Violation, chain
	case x.bounded || x.missed:
		r.Verdict = Bounded
	case x.edge || h.Start() > 0 && !h.Finished:
		r.Verdict = Cut
	}
	return x.result
}

// ordering is what events need to come in an order; nil if that is impossible.
func (x *explorer) ordering(chain []order.ID) *candidate {
	c := x.empty()
	for _, id := range chain {
		if id.Index <= c.until[id.Thread] {
			return nil
		}
		c.end(x.h, id)
	}
	if !x.settle(c) {
		return nil
	}
	for i, id := range chain[1:] {
		if !x.before(c, chain[i], id, nil) {
			return nil
		}
	}
	return c
}
