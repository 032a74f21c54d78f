package harness

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/load"
)

// Of what only the module can have, all calls are known. Where it calls a function of the object only on what it has
// made itself, or was handed by who has, from call to call, all of these calls are made by the goroutine that has made
// the object: one after the other. What a variable, a field, a channel or a go statement has in between may be another
// goroutine's.

// isByMaker tells whether the module calls a function only so, and nobody else can.
func (w *clientWriter) isByMaker(fn *types.Func) bool {
	if w.named == nil || fn.Signature().Recv() == nil || w.named.TypeParams().Len() > 0 || !w.isModules() {
		return false
	}
	m := &making{moduleCallsOf(w.loaded), w.makers, map[ssa.Value]bool{}}
	return m.isByMaker(fn)
}

// isModules tells whether only the module can have the object: programs, or internal packages, make it, and other
// packages only call its methods where they do.
func (w *clientWriter) isModules() bool {
	isOwn := func(pkg *types.Package) bool {
		_, isInternal := load.InternalTo(pkg.Path())
		return isInternal || pkg.Name() == "main"
	}
	isWhole := slices.ContainsFunc(w.loaded.Packages, func(pkg *ssa.Package) bool {
		_, isInternal := load.InternalTo(pkg.Pkg.Path())
		return !isInternal // else others around are not there
	})
	if !isWhole || w.isHandedOut() {
		return false
	}
	calls := moduleCallsOf(w.loaded)
	return !slices.ContainsFunc(w.makers, func(m maker) bool {
		return m.fn == nil || !isOwn(m.fn.Pkg()) || calls.isValue(m.fn) ||
			slices.ContainsFunc(calls.of(m.fn), func(call ssa.CallInstruction) bool {
				by := knowledge.Outermost(call.Parent()).Pkg
				return by == nil || !isOwn(by.Pkg) && !isOnlyCalled(call)
			})
	})
}

// isOnlyCalled tells whether methods are called on what a call returns, and nothing else is done with it.
func isOnlyCalled(call ssa.CallInstruction) bool {
	v, ok := call.(*ssa.Call)
	if !ok {
		return true
	}
	for work := []ssa.Value{v}; len(work) > 0; work = work[1:] {
		for _, use := range *work[0].Referrers() {
			switch use := use.(type) {
			case *ssa.DebugRef:
			case *ssa.Extract:
				work = append(work, use)
			case ssa.CallInstruction:
				common := use.Common()
				at := slices.Index(common.Args, work[0])
				if !common.IsInvoke() && (at > 0 || common.Signature().Recv() == nil) || common.IsInvoke() && at >= 0 {
					return false
				}
			default:
				return false
			}
		}
	}
	return true
}

// making follows an object back to where it was made.
type making struct {
	calls  *moduleCalls
	makers []maker
	seen   map[ssa.Value]bool // parameters
}

// isByMaker tells whether all calls of a method are on what the goroutine has made.
func (m *making) isByMaker(fn *types.Func) bool {
	return m.eachCall(fn, func(call *ssa.CallCommon) ssa.Value {
		if call.IsInvoke() {
			return call.Value
		}
		return call.Args[0]
	})
}

// eachCall tells whether a function is called, nobody else can call it, no go statement does, and of each call a value
// is one that the goroutine has made.
func (m *making) eachCall(fn *types.Func, value func(*ssa.CallCommon) ssa.Value) bool {
	all := m.calls.of(fn)
	return len(all) > 0 && !m.calls.isValue(fn) && !slices.ContainsFunc(all, func(call ssa.CallInstruction) bool {
		_, isGo := call.(*ssa.Go)
		return isGo || !m.isMade(value(call.Common()))
	})
}

// isMade tells whether a value is an object that the goroutine has made, or nil.
func (m *making) isMade(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Const:
		return true
	case *ssa.MakeInterface:
		return m.isMade(v.X)
	case *ssa.ChangeInterface:
		return m.isMade(v.X)
	case *ssa.Extract:
		return m.isMade(v.Tuple)
	case *ssa.Call:
		callee := originOf(v.Call.StaticCallee())
		return callee != nil && slices.ContainsFunc(m.makers, func(by maker) bool { return callee.Object() == by.fn })
	case *ssa.Phi:
		return m.once(v, func() bool {
			return !slices.ContainsFunc(v.Edges, func(edge ssa.Value) bool { return !m.isMade(edge) })
		})
	case *ssa.Parameter:
		return m.once(v, func() bool { return m.isHanded(v) })
	}
	return false
}

// once is what holds of a value; on the way to itself that is taken for granted.
func (m *making) once(v ssa.Value, holds func() bool) bool {
	if m.seen[v] {
		return true
	}
	m.seen[v] = true
	return holds()
}

// isHanded tells whether a parameter is always such an object.
func (m *making) isHanded(p *ssa.Parameter) bool {
	fn, ok := p.Parent().Object().(*types.Func)
	if !ok || p.Parent().Origin() != nil { // a literal, or an instance
		return false
	}
	at := slices.Index(p.Parent().Params, p)
	return m.eachCall(fn, func(call *ssa.CallCommon) ssa.Value {
		switch {
		case !call.IsInvoke():
			return call.Args[at]
		case at == 0:
			return call.Value
		}
		return call.Args[at-1]
	})
}
