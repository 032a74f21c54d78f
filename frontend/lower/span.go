package lower

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// span says where a function that is a unit by its own accesses works on the object:
// from the first access, or call that is handed the object, to the last. What main
// does before and after it looks at a field is no part of a unit.
type span struct {
	flow  *ssaflow.Flow
	works ssaflow.PlaceSet // places that access the object or hand it on
	ahead ssaflow.PlaceSet // places from which control may come to such a place, itself included
}

// spanKey is a node, as a unit on a star.
type spanKey struct {
	node *pointsto.Node
	star int
}

// spanOf returns the span of a unit.
func (l *lowerer) spanOf(c *clone, u unitFrame) *span {
	key := spanKey{c.node, u.star}
	if known, ok := l.relevant.spans[key]; ok {
		return known
	}
	s := &span{flow: ssaflow.NewFlow(c.fn.Function.Function)}
	s.works = make(ssaflow.PlaceSet, len(s.flow.Instrs))
	s.ahead = make(ssaflow.PlaceSet, len(s.flow.Instrs))
	for p, instr := range s.flow.Instrs {
		if !l.worksOn(c, instr, u) {
			continue
		}
		s.works[p], s.ahead[p] = true, true
		for q, in := range ssaflow.Reach(ssaflow.Place(p), s.flow.Preds, func(q ssaflow.Place) bool { return s.ahead[q] }) {
			s.ahead[q] = s.ahead[q] || in
		}
	}
	if l.relevant.spans == nil {
		l.relevant.spans = map[spanKey]*span{}
	}
	l.relevant.spans[key] = s
	return s
}

// worksOn tells whether the instruction may access the object of the unit, or calls a
// function that is handed it.
func (l *lowerer) worksOn(c *clone, instr ssa.Instruction, u unitFrame) bool {
	if l.mayAccess(c, instr, u) {
		return true
	}
	if kinds, _ := l.lockSets.OwnSection(c.node, instr); len(kinds) > 0 {
		return true
	}
	switch v := instr.(type) {
	case *ssa.Call:
		return l.handsOn(c, v, u)
	case *ssa.RunDefers:
		for _, b := range c.fn.Func.Blocks {
			for _, d := range b.Instrs {
				if d, ok := d.(*ssa.Defer); ok && (l.handsOn(c, d, u) || l.CallTouches(c.node, d)) {
					return true
				}
			}
		}
	}
	return false
}

// handsOn tells whether a call is given the object of the unit, or what leads to it, or
// runs code of the function itself that has it. Synchronisation does not count, nor
// what runs on other goroutines.
func (l *lowerer) handsOn(c *clone, call ssa.CallInstruction, u unitFrame) bool {
	common := call.Common()
	if _, isBuiltin := common.Value.(*ssa.Builtin); isBuiltin {
		return false
	}
	if callee := common.StaticCallee(); callee != nil && (knowledge.IsSynchronisation(callee)) {
		return false
	}
	reached := uint(0)
	for _, v := range append([]ssa.Value{common.Value}, common.Args...) {
		reached |= l.Reached(c.node, v)
		if made, ok := v.(*ssa.MakeClosure); ok {
			if made.Fn.(*ssa.Function).Synthetic == "" && l.runsHere(made) {
				return true
			}
			continue
		}
		if ssaflow.IsPointerLike(v.Type()) && l.leadsToStar(modref.NodeValue{Node: c.node, Value: v}, u) {
			return true
		}
	}
	// Else the function knows the object by itself: from a package variable.
	return reached&(modref.ObjectBit(u.star)|modref.ContentsBit(u.star)) == 0 && l.CallTouches(c.node, call)
}

// runsHere tells whether a closure that is made here may access the atomic
// set, and runs on the goroutine of its caller.
func (l *lowerer) runsHere(made *ssa.MakeClosure) bool {
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
func (l *lowerer) leadsToStar(v modref.NodeValue, u unitFrame) bool {
	objects := l.Graph.PointsTo(v.Node, v.Value).Objects()
	seen := map[*pointsto.Object]bool{}
	for len(objects) > 0 {
		o := objects[len(objects)-1]
		objects = objects[:len(objects)-1]
		if seen[o] {
			continue
		}
		seen[o] = true
		if l.isOf(o, u) || len(seen) > maxLed {
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
func (l *lowerer) isOf(o *pointsto.Object, u unitFrame) bool {
	for _, at := range l.Stars.Regions(o) {
		if u.concerns(at.Star) {
			return true
		}
	}
	for _, k := range l.Stars.StarsAt(pointsto.Cell{Object: o}) {
		if u.concerns(k) {
			return true
		}
	}
	return false
}

// enter returns the statements before an instruction that begin the units whose spans
// it is the first place of, and the state after.
func (l *lowerer) enter(c *clone, s state, instr ssa.Instruction) ([]esl.Stmt, state) {
	var stmts []esl.Stmt
	for i, u := range c.units {
		if u.direct && s.opened&(1<<i) == 0 && l.spanOf(c, u).works[l.spanOf(c, u).flow.At[instr]] {
			stmts = append(stmts, u.begin())
			s.opened |= 1 << i
		}
	}
	return stmts, s
}

// quit adds to outcomes of an instruction the ends of the units whose spans are over.
func (l *lowerer) quit(c *clone, outcomes []outcome, instr ssa.Instruction) []outcome {
	for i, u := range c.units {
		if !u.direct {
			continue
		}
		span := l.spanOf(c, u)
		at := span.flow.At[instr]
		if len(span.flow.Succs[at]) != 1 || !span.works[at] || span.ahead[at+1] {
			continue
		}
		for k, o := range outcomes {
			if o.state.opened&(1<<i) != 0 && !o.state.panicking {
				outcomes[k].stmts = append(o.stmts[:len(o.stmts):len(o.stmts)], u.finish(l.position(instr)))
				outcomes[k].state.opened &^= 1 << i
			}
		}
	}
	return outcomes
}

// isAhead tells whether the function still works on the object from a block on.
func (s *span) isAhead(b *ssa.BasicBlock) bool { return s.ahead[s.flow.At[b.Instrs[0]]] }
