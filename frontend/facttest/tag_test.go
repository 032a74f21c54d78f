package facttest_test

import (
	"fmt"
	"slices"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/execute"
	"github.com/empire-go/empire-go/frontend/execute/judge"
	"github.com/empire-go/empire-go/frontend/facttest"
	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/mustalias"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
	"github.com/empire-go/empire-go/frontend/tag"
)

// tagFacts are what a value of unknown origin may be, and what calls do not return.
func tagFacts(t *testing.T, p *facttest.Program) []judge.Fact {
	var facts []judge.Fact
	for _, q := range queries(t, p) {
		choices := tag.NewChoices(mustalias.New(q), tag.NewTable())
		nodes := facttest.NewNodes(q.Graph)
		unknown := func(n *pointsto.Node, v ssa.Value) {
			if ssaflow.IsPointerLike(v.Type()) && len(q.Graph.PointsTo(n, v).Objects()) > 0 {
				facts = append(facts, choiceOf(q, nodes, n, v, choices.Unknown(n, v)))
			}
		}
		for _, n := range q.Graph.Nodes() {
			if p.IsOwn(n.Func) {
				for _, v := range n.Func.Params {
					unknown(n, v)
				}
			}
		}
		p.Instructions(q.Graph, func(n *pointsto.Node, i ssa.Instruction) {
			switch v := i.(type) {
			case *ssa.UnOp, *ssa.Lookup, *ssa.Phi, *ssa.TypeAssert:
				unknown(n, v.(ssa.Value))
			case *ssa.Call:
				unknown(n, v)
				callees := q.Graph.Callees(n, v)
				watched := func(callee *pointsto.Node) bool { return choices.ReturnsWatched(callee, 0) }
				if len(callees) > 0 && ssaflow.IsPointerLike(v.Type()) && !slices.ContainsFunc(callees, watched) {
					facts = append(facts, judge.MayPointTo{Value: v, In: nodes.In(n), Set: "nothing of the set",
						May: func(place execute.Place) bool { return !isContents(q, nodes, place) }})
				}
			}
		})
	}
	return facts
}

// isContents tells whether the place is in memory that fields of the set lead to.
func isContents(q *modref.Facts, nodes *facttest.Nodes, place execute.Place) bool {
	return nodes.IsCell(place, func(c pointsto.Cell) bool { return len(q.Stars.RegionsAt(c)) > 0 })
}

// choiceOf is that a value leads to a star only if a tag says so.
func choiceOf(q *modref.Facts, nodes *facttest.Nodes, n *pointsto.Node, v ssa.Value, tags []tag.Tag) judge.Fact {
	return judge.MayPointTo{Value: v, In: nodes.In(n), Set: fmt.Sprint("the stars of ", tags),
		May: func(place execute.Place) bool {
			all := nodes.Objects(place.Object())
			may := func(g tag.Tag) bool {
				return g.Kind == tag.Object && slices.ContainsFunc(all, func(o *pointsto.Object) bool {
					return q.Stars.Stars[g.Star].Objects[o]
				})
			}
			return len(all) == 0 || slices.ContainsFunc(all, func(o *pointsto.Object) bool {
				return !slices.ContainsFunc(q.Stars.Stars, func(s *isolate.Star) bool { return s.Objects[o] })
			}) || slices.ContainsFunc(tags, may)
		}}
}

// frozenFields are fields that nothing but what makes the object writes.
func frozenFields(t *testing.T, p *facttest.Program) []judge.Fact {
	var facts []judge.Fact
	for _, q := range queries(t, p) {
		nodes := facttest.NewNodes(q.Graph)
		star := q.Stars.Stars[0]
		var objects []*pointsto.Object
		for o := range star.Objects {
			objects = append(objects, o)
		}
		frozen := isolate.FindFrozen(t.Context(), q.Graph, objects...)
		for _, o := range objects {
			site, ok := o.Site.(*ssa.Alloc)
			if !ok || !p.IsOwn(site.Parent()) || star.Path != "" {
				continue
			}
			for _, cell := range q.Graph.Cells(o) {
				if cell.Path != "" && frozen.Is(cell) {
					part := func(place execute.Place) bool { return facttest.CellPath(place) == cell.Path }
					facts = append(facts, judge.WrittenOnce{
						Site: site, In: makersOf(q.Graph, nodes, o), Part: part, Name: cell.Path + " of"})
				}
			}
		}
	}
	return facts
}

// onceOrder is that what Once.Do runs is over when any Do of the same sync.Once is.
func onceOrder(t *testing.T, p *facttest.Program) []judge.Fact {
	var facts []judge.Fact
	for _, q := range queries(t, p)[:min(1, len(queries(t, p)))] {
		nodes := facttest.NewNodes(q.Graph)
		bodies, ends := map[pointsto.Cell][]judge.Event{}, map[pointsto.Cell][]judge.Event{}
		for _, e := range q.OnceCalls() {
			call, ok := e.Site.(*ssa.Call)
			if !ok || !p.IsOwn(e.Caller.Func) || call.Call.StaticCallee() != e.Callee.Func {
				continue
			}
			cells := q.Graph.PointsTo(e.Caller, call.Call.Args[0]).Cells()
			if len(cells) != 1 || !isOne(q, cells[0].Object) {
				continue
			}
			ends[cells[0]] = append(ends[cells[0]], judge.Event{At: call, In: nodes.In(e.Caller), End: true})
			for _, body := range q.NodesOfValue(e.Caller, call.Call.Args[1]) {
				for _, b := range body.Func.Blocks {
					for _, i := range b.Instrs {
						if _, isStore := i.(*ssa.Store); isStore && p.IsOwn(body.Func) {
							bodies[cells[0]] = append(bodies[cells[0]], judge.Event{At: i, In: nodes.In(body)})
						}
					}
				}
			}
		}
		for cell, before := range bodies {
			for _, a := range before {
				for _, b := range ends[cell] {
					facts = append(facts, judge.Ordered{A: a, B: b})
				}
			}
		}
	}
	return facts
}

// isOne tells whether an abstract object stands for one object.
func isOne(q *modref.Facts, o *pointsto.Object) bool {
	site, ok := o.Site.(*ssa.Alloc)
	if !ok {
		_, isGlobal := o.Site.(*ssa.Global)
		return isGlobal
	}
	return !slices.ContainsFunc(q.Graph.NodesOf(site.Parent()), func(n *pointsto.Node) bool {
		return q.Graph.ObjectAt(n, site) == o && !q.Multiplicity.OnceAt(n, site)
	})
}
