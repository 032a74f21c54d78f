package pointsto

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
)

// isHelper reports whether the function works on what it is handed: analysed once per call from
// others, it does not merge that. It is one of a package of such functions, or it calls what it is
// handed, as io.ReadFull does a reader: merged, the readers of all callers would be called by each.
func isHelper(f *ssa.Function) bool {
	if knowledge.IsHelper(f) {
		return f.Synthetic != "package initializer"
	}
	return f.Signature.Recv() == nil && f.Parent() == nil && !isWrapper(f) && !isBound(f) &&
		callsParameter(f, map[*ssa.Function]bool{})
}

// callsParameter reports whether a parameter, or a method of one, is called: by the function, or by
// another one that it is handed on to.
func callsParameter(f *ssa.Function, seen map[*ssa.Function]bool) bool {
	if seen[f] {
		return false
	}
	seen[f] = true
	for _, p := range f.Params {
		if !types.IsInterface(p.Type()) {
			continue
		}
		for _, use := range *p.Referrers() {
			call, ok := use.(ssa.CallInstruction)
			if !ok {
				continue
			}
			if common := call.Common(); common.IsInvoke() && common.Value == p {
				return true
			} else if callee := common.StaticCallee(); callee != nil && callsParameter(callee, seen) {
				return true
			}
		}
	}
	return false
}
