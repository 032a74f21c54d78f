package facttest

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/execute"
	"github.com/empire-go/empire-go/frontend/execute/judge"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// Nodes finds out which node of a call graph an activation is of.
type Nodes struct {
	graph *pointsto.Result
	known map[execute.Activation][]*pointsto.Node
}

// NewNodes returns that of a graph.
func NewNodes(graph *pointsto.Result) *Nodes {
	return &Nodes{graph, map[execute.Activation][]*pointsto.Node{}}
}

// In is the activations that are of the node, and of no other one as far as is known.
func (s *Nodes) In(n *pointsto.Node) judge.Scope {
	if len(s.graph.NodesOf(n.Func)) == 1 {
		return nil
	}
	return func(a execute.Activation) bool {
		all := s.Of(a)
		return len(all) == 1 && all[0] == n
	}
}

// maxKnown bounds the activations that are remembered, of all runs.
const maxKnown = 5000

// Of returns the nodes that the activation may be of: those that the call can run, where it was
// made, and of which the receiver is as it is. Where something built in has called, it is all
// nodes of the function.
func (s *Nodes) Of(a execute.Activation) []*pointsto.Node {
	if all, ok := s.known[a]; ok {
		return all
	}
	if len(s.known) > maxKnown {
		clear(s.known)
	}
	all := s.find(a)
	s.known[a] = all
	return all
}

func (s *Nodes) find(a execute.Activation) []*pointsto.Node {
	every := s.graph.NodesOf(a.Function())
	caller, ok := a.Caller()
	if !ok {
		caller, _, ok = a.Goroutine().By()
	}
	if !ok || a.Call() == nil || len(every) == 1 {
		return every
	}
	var all []*pointsto.Node
	for _, n := range s.Of(caller) {
		for _, callee := range s.graph.Callees(n, a.Call()) {
			if callee.Func == a.Function() && !slices.Contains(all, callee) && s.isReceiver(callee, a) {
				all = append(all, callee)
			}
		}
	}
	if len(all) == 0 {
		return every
	}
	return all
}

// isReceiver tells whether the receiver of the activation may be that of the node.
func (s *Nodes) isReceiver(n *pointsto.Node, a execute.Activation) bool {
	if n.Func.Signature.Recv() == nil || len(n.Func.Params) == 0 {
		return true
	}
	v, ok := a.Value(n.Func.Params[0])
	if !ok {
		return true
	}
	o, ok := v.Object()
	return !ok || MayBe(s.graph.PointsTo(n, n.Func.Params[0]), o)
}

// MayBe tells whether the object is among those of a points-to set, by the instruction that made
// it. Of an object that something built in has made it is not known: it may.
func MayBe(set pointsto.Set, o execute.Object) bool {
	return slices.ContainsFunc(set.Objects(), func(known *pointsto.Object) bool { return IsOf(known, o) })
}

// IsOf tells whether an object is of an abstract one, as far as their sites say.
func IsOf(known *pointsto.Object, o execute.Object) bool {
	if g := o.Global(); g != nil {
		return known.Site == g
	}
	site, ok := o.Site().(ssa.Value)
	return !ok || !isMaker(site) || known.Site == site
}

// isMaker tells whether an instruction makes the object that an analysis knows by it; else a
// function without body that it calls may have made it.
func isMaker(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Alloc, *ssa.MakeMap, *ssa.MakeChan, *ssa.MakeSlice, *ssa.MakeClosure:
		return true
	case *ssa.Call:
		b, ok := v.Call.Value.(*ssa.Builtin)
		return ok && b.Name() == "append"
	}
	return false
}

// Objects returns the abstract objects that an object may be of; nil if it is not known which.
func (s *Nodes) Objects(o execute.Object) (all []*pointsto.Object) {
	if g := o.Global(); g != nil {
		for _, known := range s.graph.Objects() {
			if known.Site == g {
				all = append(all, known)
			}
		}
		return all
	}
	site, ok := o.Site().(ssa.Value)
	maker, made := o.Maker()
	if !ok || !made || !isMaker(site) {
		return nil
	}
	for _, n := range s.Of(maker) {
		known := s.graph.ObjectAt(n, site)
		if known == nil {
			return nil
		}
		all = append(all, known)
	}
	return all
}

// IsCell tells whether a place is of cells for which is holds, whichever abstract object it is of.
func (s *Nodes) IsCell(p execute.Place, is func(pointsto.Cell) bool) bool {
	if t := p.Type(); t != nil && IsSynchronisation(t) || p.IsChannel() {
		return false
	}
	all := s.Objects(p.Object())
	return len(all) > 0 && !slices.ContainsFunc(all, func(o *pointsto.Object) bool {
		return !is(pointsto.Cell{Object: o, Path: CellPath(p)})
	})
}
