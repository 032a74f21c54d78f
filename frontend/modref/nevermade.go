package modref

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/rules"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// A library has methods for options that a program does not use:
//
//	if config.OnRemove != nil {
//		c.onRemove = c.report
//	} else {
//		c.onRemove = c.drop
//	}
//
// Where config.OnRemove is nothing by the points-to analysis, it is nil, and c.report is
// never made a value: c.onRemove is another function.

// WithoutNeverMade returns the callees of a call without those that are never made values, if
// it is of a function value.
func (l *Facts) WithoutNeverMade(call ssa.CallInstruction, callees []*pointsto.Node) []*pointsto.Node {
	if call.Common().IsInvoke() || call.Common().StaticCallee() != nil {
		return callees
	}
	made := slices.DeleteFunc(slices.Clone(callees), func(n *pointsto.Node) bool { return l.isNeverMade(n.Func) })
	if len(made) == 0 {
		return callees
	}
	l.Rules.Use(rules.NeverMade, len(made) < len(callees))
	return made
}

// isNeverMade tells whether a function is a closure, or a method value, that is only made in
// code which is never executed.
func (l *Facts) isNeverMade(fn *ssa.Function) bool {
	return ssaflow.Remember(l.neverMade, fn, func() bool {
		made := l.closuresOf(fn)
		for _, at := range made {
			if !l.isUnused(at.Node, at.Instr.Block()) {
				return false
			}
		}
		return len(made) > 0
	})
}

// isUnused tells whether a block is executed only if a function is not nil that always is.
func (l *Facts) isUnused(n *pointsto.Node, b *ssa.BasicBlock) bool {
	if !l.Graph.Analysed(n) {
		return false
	}
	for ; b.Idom() != nil; b = b.Idom() {
		outer := b.Idom()
		branch, ok := outer.Instrs[len(outer.Instrs)-1].(*ssa.If)
		if !ok || len(b.Preds) != 1 || outer.Succs[0] == outer.Succs[1] {
			continue
		}
		comparison := ssaflow.Equality(branch.Cond)
		if comparison == nil || !ssaflow.IsNil(comparison.Y) {
			continue
		}
		_, isFunction := comparison.X.Type().Underlying().(*types.Signature)
		if isFunction && b != ssaflow.WayIfNil(outer, comparison.X) && len(l.Graph.PointsTo(n, comparison.X).Objects()) == 0 {
			return true
		}
	}
	return false
}

// closuresOf returns the instructions that make a closure of a function: of a literal, in the
// function around it.
func (f *Facts) closuresOf(fn *ssa.Function) (all []nodeInstr) {
	if around := fn.Parent(); around != nil {
		for _, n := range f.Graph.NodesOf(around) {
			for _, b := range around.Blocks {
				for _, instr := range b.Instrs {
					if made, ok := instr.(*ssa.MakeClosure); ok && made.Fn == fn {
						all = append(all, nodeInstr{n, made})
					}
				}
			}
		}
		return all
	}
	if f.closures == nil {
		f.closures = map[*ssa.Function][]nodeInstr{}
		for _, n := range f.Graph.Nodes() {
			for _, b := range n.Func.Blocks {
				for _, instr := range b.Instrs {
					if made, ok := instr.(*ssa.MakeClosure); ok {
						of := made.Fn.(*ssa.Function)
						f.closures[of] = append(f.closures[of], nodeInstr{n, made})
					}
				}
			}
		}
	}
	return f.closures[fn]
}
