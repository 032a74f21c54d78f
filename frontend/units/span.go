package units

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/rules"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// span says where a function that is a unit by its own accesses works on the object:
// from the first access, or call that is handed the object, to the last. What main
// does before and after it looks at a field is no part of a unit.
type span struct {
	Flow  *ssaflow.Flow
	Works ssaflow.PlaceSet // places that access the object or hand it on
	Ahead ssaflow.PlaceSet // places from which control may come to such a place, itself included
}

// spanKey is a node, as a unit on a star.
type spanKey struct {
	node *pointsto.Node
	star int
}

// SpanOf returns the span of a unit.
func (l *Units) SpanOf(n *pointsto.Node, u Frame) *span {
	key := spanKey{n, u.Star}
	if known, ok := l.spans[key]; ok {
		return known
	}
	s := &span{Flow: ssaflow.NewFlow(l.values.Function(n.Func).Function)}
	s.Works = make(ssaflow.PlaceSet, len(s.Flow.Instrs))
	s.Ahead = make(ssaflow.PlaceSet, len(s.Flow.Instrs))
	for p, instr := range s.Flow.Instrs {
		if !l.worksOn(n, instr, u) {
			continue
		}
		s.Works[p], s.Ahead[p] = true, true
		for q, in := range ssaflow.Reach(ssaflow.Place(p), s.Flow.Preds, func(q ssaflow.Place) bool { return s.Ahead[q] }) {
			s.Ahead[q] = s.Ahead[q] || in
		}
	}
	l.spans[key] = s
	return s
}

// worksOn tells whether the instruction may access the object of the unit, or calls a
// function that is handed it.
func (l *Units) worksOn(n *pointsto.Node, instr ssa.Instruction, u Frame) bool {
	if l.mayAccess(n, instr, u) {
		return true
	}
	if kinds, _ := l.lockSets.OwnSection(n, instr); len(kinds) > 0 {
		return true
	}
	switch v := instr.(type) {
	case *ssa.Call:
		return l.handsOn(n, v, u)
	case *ssa.RunDefers:
		for _, b := range n.Func.Blocks {
			for _, d := range b.Instrs {
				d, ok := d.(*ssa.Defer)
				if ok && (l.handsOn(n, d, u) || l.CallTouches(n, d) || l.mayAccess(n, d, u)) {
					return true
				}
			}
		}
	}
	return false
}

// handsOn tells whether a call is given the object of the unit, or what leads to it, or
// runs code of the function itself that has it. Synchronisation does not count, but for what it
// calls back, as once.Do does, nor what runs on other goroutines.
func (l *Units) handsOn(n *pointsto.Node, call ssa.CallInstruction, u Frame) bool {
	common := call.Common()
	if _, isBuiltin := common.Value.(*ssa.Builtin); isBuiltin {
		return false
	}
	if callee := common.StaticCallee(); callee != nil && knowledge.IsSynchronisation(callee) {
		return l.CallTouches(n, call)
	}
	reached := uint(0)
	for _, v := range append([]ssa.Value{common.Value}, common.Args...) {
		reached |= l.Reached(n, v)
		if made, ok := v.(*ssa.MakeClosure); ok {
			if made.Fn.(*ssa.Function).Synthetic == "" && l.runsHere(made) {
				return true
			}
			continue
		}
		if ssaflow.IsPointerLike(v.Type()) && l.leadsToStar(modref.NodeValue{Node: n, Value: v}, u) {
			return true
		}
	}
	// Else the function knows the object by itself: from a package variable.
	return reached&(modref.ObjectBit(u.Star)|modref.ContentsBit(u.Star)) == 0 && l.CallTouches(n, call)
}

// runsHere tells whether a closure that is made here may access the atomic
// set, and runs on the goroutine of its caller.
func (l *Units) runsHere(made *ssa.MakeClosure) bool {
	for _, body := range l.Graph.NodesOf(made.Fn.(*ssa.Function)) {
		if !l.Touching().Nodes[body] {
			continue
		}
		for _, e := range l.Graph.Callers(body) {
			if _, isGo := e.Site.(*ssa.Go); !isGo && !e.IsStart() {
				return true
			}
		}
	}
	return false
}

// maxLed bounds the objects that are looked at for whether one leads to another.
const maxLed = 500

// leadsToStar tells whether the object of the unit can be reached through a value: in
// memory, not by way of function values.
func (l *Units) leadsToStar(v modref.NodeValue, u Frame) bool {
	leads := func() bool { return l.lead(l.Graph.PointsTo(v.Node, v.Value).Objects(), u) }
	if len(u.With) > 0 {
		return leads()
	}
	if l.led[u.Star] == nil {
		l.led[u.Star] = map[pointsto.SetID]bool{}
	}
	return pointsto.BySet(l.Graph, l.led[u.Star], v.Node, v.Value, leads)
}

// lead tells whether the object of the unit can be reached from one of the objects.
func (l *Units) lead(objects []*pointsto.Object, u Frame) bool {
	seen := map[*pointsto.Object]bool{}
	for len(objects) > 0 {
		o := objects[len(objects)-1]
		objects = objects[:len(objects)-1]
		if seen[o] {
			continue
		}
		seen[o] = true
		if len(seen) > maxLed {
			l.Rules.SwitchOff(rules.Spans)
			return true
		}
		if l.isOf(o, u) {
			return true
		}
		switch o.Site.(type) {
		case *ssa.MakeClosure, *ssa.Function:
			continue
		}
		for _, cell := range l.Graph.Cells(o) {
			objects = append(objects, l.Graph.Contents(cell).Objects()...)
		}
	}
	return false
}

// isOf tells whether the object may be the one of the unit, or contents of it.
func (l *Units) isOf(o *pointsto.Object, u Frame) bool {
	for _, at := range l.Stars.Regions(o) {
		if u.Concerns(at.Star) {
			return true
		}
	}
	for _, k := range l.Stars.StarsAt(pointsto.Cell{Object: o}) {
		if u.Concerns(k) {
			return true
		}
	}
	return false
}

// IsAhead tells whether the function still works on the object from a block on.
func (s *span) IsAhead(b *ssa.BasicBlock) bool { return s.Ahead[s.Flow.At[b.Instrs[0]]] }
