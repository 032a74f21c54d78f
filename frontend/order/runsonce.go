package order

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// RunsOnceFor tells whether a function is executed at most once for each object that
// the allocation makes: it is the function that makes it, or a closure there that is
// called or started where it is made, and not again before the next object is. A second
// execution would fill the object in while others, who have waited for the first one,
// read it.
func RunsOnceFor(fn *ssa.Function, site *ssa.Alloc) bool {
	for range maxNested {
		if fn == site.Parent() {
			return true
		}
		call := onlyRunAt(fn)
		if call == nil {
			return false
		}
		fn = call.Parent()
		if fn == site.Parent() {
			return !ssaflow.RepeatsWithout(call.Block(), site.Block())
		}
		if ssaflow.IsInCycle(call.Block()) {
			return false
		}
	}
	return false
}

// maxNested bounds the closures within closures that are followed.
const maxNested = 4

// onlyRunAt returns the instruction that runs a closure once, or hands it to a function
// that does, if nothing else is done with it; else nil.
func onlyRunAt(fn *ssa.Function) ssa.CallInstruction {
	made := onlyClosure(fn)
	if made == nil {
		return nil
	}
	var run ssa.CallInstruction
	for _, r := range *made.Referrers() {
		if _, isDebug := r.(*ssa.DebugRef); isDebug {
			continue
		}
		call, ok := r.(ssa.CallInstruction)
		if !ok || run != nil || call.Common().Value != ssa.Value(made) && !runsArgumentOnce(call) {
			return nil
		}
		run = call
	}
	return run
}

// onlyClosure returns the instruction that makes closures of the function, if there is
// one.
func onlyClosure(fn *ssa.Function) *ssa.MakeClosure {
	if fn.Parent() == nil {
		return nil
	}
	var only *ssa.MakeClosure
	for _, b := range fn.Parent().Blocks {
		for _, instr := range b.Instrs {
			if made, ok := instr.(*ssa.MakeClosure); ok && made.Fn == ssa.Value(fn) {
				if only != nil {
					return nil
				}
				only = made
			}
		}
	}
	return only
}

// runsArgumentOnce tells whether the function called runs its argument once, on another
// goroutine.
func runsArgumentOnce(call ssa.CallInstruction) bool {
	callee := call.Common().StaticCallee()
	return callee != nil && knowledge.RunsOnce(callee)
}
