package facttest_test

import (
	"slices"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/execute"
	"github.com/empire-go/empire-go/frontend/execute/judge"
	"github.com/empire-go/empire-go/frontend/facttest"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/mustalias"
	"github.com/empire-go/empire-go/frontend/order"
	"github.com/empire-go/empire-go/frontend/ownership"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// joinFacts are the goroutines that are done when somebody has waited.
func joinFacts(t *testing.T, p *facttest.Program) []judge.Fact {
	var facts []judge.Fact
	for _, q := range queries(t, p) {
		o := order.New(mustalias.New(q))
		nodes := facttest.NewNodes(q.Graph)
		starts := startsOf(p, q, o, nodes)
		p.Instructions(q.Graph, func(n *pointsto.Node, i ssa.Instruction) {
			switch v := i.(type) {
			case *ssa.Call:
				if fn := v.Call.StaticCallee(); fn != nil {
					if op, ok := knowledge.WaitGroupOperation(fn); !ok || op != knowledge.Wait {
						return
					}
					if g := o.GroupOf(n, v.Common()); g != nil && len(starts[g]) > 0 {
						wait := judge.Event{At: v, In: nodes.In(n)}
						facts = append(facts, judge.Joined{Starts: starts[g], Wait: wait, Signal: path(v.Call.Args[0])})
					}
				}
			case *ssa.UnOp:
				if j := joinAt(q, o, n, v); j != nil && len(j.Exits) == 0 && len(starts[j.Group]) > 0 {
					wait := judge.Event{At: v, In: nodes.In(n)}
					facts = append(facts, judge.Joined{Starts: starts[j.Group], Wait: wait, Signal: path(v.X)})
				}
			}
		})
		for object, j := range o.Channels {
			made, ok := object.Site.(*ssa.MakeChan)
			for n, edges := range o.Edges {
				for edge, g := range edges {
					if ok && p.IsOwn(n.Func) && made.Parent() == n.Func && g == j.Group && len(starts[g]) > 0 {
						over := [2]*ssa.BasicBlock{edge.From, edge.To}
						in := nodes.In(n)
						facts = append(facts, judge.Joined{Starts: starts[g], Edge: over, In: in, Signal: path(made)})
					}
				}
			}
		}
	}
	return facts
}

// contextFacts are the errors of contexts that are over.
func contextFacts(t *testing.T, p *facttest.Program) []judge.Fact {
	var facts []judge.Fact
	for _, q := range queries(t, p) {
		o := order.New(mustalias.New(q))
		nodes := facttest.NewNodes(q.Graph)
		p.Instructions(q.Graph, func(n *pointsto.Node, i ssa.Instruction) {
			if call, ok := i.(*ssa.Call); ok && o.IsErrorOfContext(n, call) {
				facts = append(facts, judge.NotNil{Value: call, In: nodes.In(n)})
			}
		})
	}
	return facts
}

type groupStarts map[*order.JoinGroup][]judge.Event

// startsOf returns, for each group, the statements that start its goroutines.
func startsOf(p *facttest.Program, q *modref.Facts, o *order.Order, nodes *facttest.Nodes) groupStarts {
	starts := groupStarts{}
	groups := groupsOf(p, q, o)
	p.Instructions(q.Graph, func(n *pointsto.Node, i ssa.Instruction) {
		site, ok := i.(ssa.CallInstruction)
		if !ok {
			return
		}
		event := judge.Event{At: i, In: nodes.In(n)}
		if g := o.StartedBy(n, site); g != nil {
			starts[g] = append(starts[g], event)
		}
		for _, gate := range o.Gates[order.StartSite{Node: n, Site: site}] {
			for _, g := range groups {
				if g.Gate == gate {
					starts[g] = append(starts[g], event)
				}
			}
		}
		for _, g := range o.ChannelStarts[order.StartSite{Node: n, Site: site}] {
			starts[g] = append(starts[g], event)
		}
	})
	return starts
}

// groupsOf returns the groups that something waits for.
func groupsOf(p *facttest.Program, q *modref.Facts, o *order.Order) (all []*order.JoinGroup) {
	p.Instructions(q.Graph, func(n *pointsto.Node, i ssa.Instruction) {
		call, ok := i.(*ssa.Call)
		if !ok || call.Call.StaticCallee() == nil {
			return
		}
		if _, ok := knowledge.WaitGroupOperation(call.Call.StaticCallee()); !ok {
			return
		}
		if g := o.GroupOf(n, call.Common()); g != nil && !slices.Contains(all, g) {
			all = append(all, g)
		}
	})
	return all
}

// joinAt returns the join that a receive is, nil if it is none.
func joinAt(q *modref.Facts, o *order.Order, n *pointsto.Node, receive *ssa.UnOp) *order.ChannelJoin {
	if !ssaflow.IsReceive(receive) {
		return nil
	}
	if objects := q.Graph.PointsTo(n, receive.X).Objects(); len(objects) == 1 {
		return o.Channels[objects[0]]
	}
	return nil
}

// settledFacts are fields that nobody writes once others can reach them, and fields that are filled in
// before others have waited for them.
func settledFacts(t *testing.T, p *facttest.Program) []judge.Fact {
	var facts []judge.Fact
	for _, q := range queries(t, p) {
		owners := ownership.New(mustalias.New(q))
		nodes := facttest.NewNodes(q.Graph)
		p.Instructions(q.Graph, func(n *pointsto.Node, i ssa.Instruction) {
			pointer, kind := accessed(i)
			if pointer == nil {
				return
			}
			of := isLocation(q, n, pointer)
			if of == nil {
				return
			}
			if kind == esl.Read {
				if as, counts := owners.SettledRead(n, pointer, kind, i); !counts || as != kind {
					facts = append(facts, judge.Settled{At: i, In: nodes.In(n), Address: path(pointer), Of: of})
				}
			}
			if owners.IsCompleted(n, pointer) {
				facts = append(facts, judge.Uncontended{At: i, In: nodes.In(n), Of: of})
			}
		})
	}
	return facts
}

// accessed is the address that the instruction loads from or stores to.
func accessed(i ssa.Instruction) (ssa.Value, esl.AccessKind) {
	switch v := i.(type) {
	case *ssa.Store:
		return v.Addr, esl.Write
	case *ssa.UnOp:
		if v.Op.String() == "*" {
			return v.X, esl.Read
		}
	}
	return nil, esl.Read
}

// isLocation tells which places that an address may be of are locations of the query; nil if none is.
func isLocation(q *modref.Facts, n *pointsto.Node, address ssa.Value) func(execute.Place) bool {
	var all []*pointsto.Object
	for _, c := range q.Graph.PointsTo(n, address).Cells() {
		if len(q.Stars.LocationsAt(c)) > 0 {
			all = append(all, c.Object)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return func(place execute.Place) bool {
		return slices.ContainsFunc(all, func(o *pointsto.Object) bool { return facttest.IsOf(o, place.Object()) })
	}
}
