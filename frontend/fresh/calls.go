package fresh

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// isFreshParameter tells whether what the parameter leads to is fresh at every call
// of the node.
func (a *Analysis) isFreshParameter(n *pointsto.Node, p *ssa.Parameter) bool {
	key := parameterKey{n, p}
	if known := a.parameters[key]; known != unasked {
		return known == yes
	}
	a.parameters[key] = no
	position := -1
	for i, q := range n.Func.Params {
		if q == p {
			position = i
		}
	}
	callers := a.graph.Callers(n)
	if position < 0 || len(callers) == 0 {
		return false
	}
	for _, e := range callers {
		call, ok := e.Site.(*ssa.Call)
		if !ok || e.IsStart() || !isCallOf(call, n.Func) || call.Parent() != e.Caller.Func ||
			!a.Is(e.Caller, call.Call.Args[position], call) {
			return false
		}
		if a.hasAlias(e.Caller, call.Call.Args, position) {
			return false
		}
	}
	a.parameters[key] = yes
	return true
}

// FreshArguments returns, as bits, the parameters of a function whose memory is fresh when a node calls it, and is not
// at every call: so a constructor may use what others use for objects that all have. given is the parameters of the
// node itself of which that is known.
func (a *Analysis) FreshArguments(n *pointsto.Node, call *ssa.Call, callee *pointsto.Node, given uint64) (bits uint64) {
	if !isCallOf(call, callee.Func) || call.Call.StaticCallee() == nil {
		return 0
	}
	for i, p := range callee.Func.Params[:min(len(callee.Func.Params), 64)] {
		if isPointerLike(p.Type()) && !a.isFreshParameter(callee, p) && a.IsGiven(n, call.Call.Args[i], call, given) &&
			!a.hasAliasGiven(n, call.Call.Args, i, given) {
			bits |= 1 << i
		}
	}
	return bits
}

// isCallOf tells whether the arguments of a call are those of the function, which it
// calls itself or as a function value.
func isCallOf(call *ssa.Call, fn *ssa.Function) bool {
	callee := call.Call.StaticCallee()
	return (callee == nil || callee == fn) && !call.Call.IsInvoke() && len(call.Call.Args) == len(fn.Params)
}

// keeps tells whether the function may keep the memory that its parameter is the
// address of, or let others have it; with contents, or what is stored there.
func (a *Analysis) keeps(fn *ssa.Function, parameter int, contents bool) bool {
	if len(fn.Blocks) == 0 || parameter >= len(fn.Params) {
		return true
	}
	key := escapesKey{fn.Params[parameter], contents}
	if known := a.kept[key]; known != unasked {
		return known == no // of "is not kept"
	}
	a.kept[key] = no
	if len(a.findEscapes(key)) > 0 {
		return true
	}
	if a.kept[key] = yes; a.rounds != nil { // more may be found
		delete(a.kept, key)
	}
	return false
}

// Returns reports whether result i of a call is memory made for the caller: by every
// function that the call can run, in that very activation, and kept nowhere.
func (a *Analysis) Returns(n *pointsto.Node, call *ssa.Call, i int) bool {
	return a.returnsFresh(call, i, -1)
}

// ReturnsField is Returns for what one field leads to of a struct that the call returns.
func (a *Analysis) ReturnsField(call *ssa.Call, i, field int) bool {
	return a.returnsFresh(call, i, field)
}

// returnsFresh tells whether result i of a call, or a field of it if that is not -1, is memory
// made for the caller: by every function that the call can run, in that very activation, and
// kept nowhere.
func (a *Analysis) returnsFresh(call *ssa.Call, i, field int) bool {
	fn := call.Call.StaticCallee()
	if fn == nil {
		return false
	}
	if knowledge.Of(fn).Makes == knowledge.NewCopy {
		return true
	}
	key := resultKey{fn, i, field, false}
	if known := a.results[key]; known != unasked {
		return known == yes
	}
	a.results[key] = no
	if len(fn.Blocks) == 0 {
		return false
	}
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		if i >= len(ret.Results) || !a.isMadeHere(ret.Results[i], field, ret) || a.hasAlias(nil, ret.Results, i) {
			return false
		}
	}
	a.results[key] = yes
	return true
}

// isMadeHere tells whether a returned value, or a field of it if that is not -1, leads to memory
// made in the same activation that gets out of its hands by the return only.
func (a *Analysis) isMadeHere(v ssa.Value, field int, ret *ssa.Return) bool {
	return a.isKeptToReturn(a.rootsOfField(nil, v, field, nil))
}

// isKeptToReturn tells whether a pointer leads to memory made in the same activation that gets
// out of its hands by a return only.
func (a *Analysis) isKeptToReturn(origin origin) bool {
	if !origin.known {
		return false
	}
	for root := range origin.roots {
		if _, isParameter := root.(*ssa.Parameter); isParameter {
			return false
		}
		for _, x := range a.escapesOf(origin, root) {
			if _, isReturn := x.(*ssa.Return); !isReturn {
				return false
			}
		}
	}
	return true
}

// returnsHolding tells whether a result of a call is memory made for the caller, and so is what
// a field of it leads to, as in a clone: both are kept nowhere else.
func (a *Analysis) returnsHolding(result ssa.Value, field int) bool {
	if !a.makes(result) {
		return false
	}
	call, i := callOf(result)
	fn := call.Call.StaticCallee()
	key := resultKey{fn, i, field, true}
	if known := a.results[key]; known != unasked {
		return known == yes
	}
	a.results[key] = no
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		made := a.rootsOf(nil, ret.Results[i], nil)
		if !made.known {
			return false
		}
		for root := range made.roots {
			t := a.newTracer(nil, -1)
			if t.contents(root, field, ret, nil); !a.isKeptToReturn(t.origin) || a.leadsTo(nil, ret.Results, i, t.origin, 0) {
				return false
			}
		}
	}
	if len(fn.Blocks) > 0 {
		a.results[key] = yes
	}
	return a.results[key] == yes
}

// makes tells whether a result of a call is memory made for the caller.
func (a *Analysis) makes(result ssa.Value) bool {
	call, i := callOf(result)
	return call != nil && call.Call.StaticCallee() != nil && a.returnsFresh(call, i, -1)
}

// callOf returns the call, and which of its results the value is; nil if it is none.
func callOf(result ssa.Value) (call *ssa.Call, i int) {
	if extract, ok := result.(*ssa.Extract); ok {
		result, i = extract.Tuple, extract.Index
	}
	call, _ = result.(*ssa.Call)
	return call, i
}
