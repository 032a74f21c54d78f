package modref

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// IsLoopBody tells whether fn is the body of a loop over a function.
func IsLoopBody(fn *ssa.Function) bool { return fn.Synthetic == "range-over-func yield" }

// loopBodies returns the bodies of the loops over functions in fn, and of those
// inside them.
func loopBodies(fn *ssa.Function) []*ssa.Function {
	var all []*ssa.Function
	for _, inner := range fn.AnonFuncs {
		if IsLoopBody(inner) {
			all = append(append(all, inner), loopBodies(inner)...)
		}
	}
	return all
}

// Recovers tells whether a function that n defers, or defers in the body of a loop
// over a function, may recover.
func (l *Facts) Recovers(n *pointsto.Node) bool {
	if l.defersRecovery(n) {
		return true
	}
	for _, body := range loopBodies(n.Func) {
		for _, m := range l.Graph.NodesOf(body) {
			if l.defersRecovery(m) {
				return true
			}
		}
	}
	return false
}

// defersRecovery tells whether a defer statement of n itself is of a function that
// may recover.
func (l *Facts) defersRecovery(n *pointsto.Node) bool {
	for _, b := range n.Func.Blocks {
		for _, instr := range b.Instrs {
			d, ok := instr.(*ssa.Defer)
			if !ok {
				continue
			}
			for _, callee := range l.Graph.Callees(n, d) {
				if l.MayRecover(callee, 0) {
					return true
				}
			}
		}
	}
	return false
}

// maxWrappers bounds the wrappers around one method: of promotion, of a method
// value.
const maxWrappers = 4

// MayRecover tells whether the function recovers when it is deferred: it calls
// recover itself, or is a wrapper of one that does.
func (l *Facts) MayRecover(n *pointsto.Node, wrappers int) bool {
	if !IsWrapper(n.Func) || wrappers == maxWrappers {
		return ssaflow.CallsRecover(n.Func)
	}
	for _, e := range l.Graph.Calls(n) {
		if l.MayRecover(e.Callee, wrappers+1) {
			return true
		}
	}
	return false
}

// IsWrapper tells whether fn is a promoted or bound method or the like, which only
// calls another function; the body of a range-over-func loop is none.
func IsWrapper(fn *ssa.Function) bool {
	return fn.Synthetic != "" && fn.Origin() == nil && fn.Syntax() == nil
}
