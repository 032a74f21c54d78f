package harm

import (
	"go/types"

	"github.com/empire-go/empire-go/frontend/execute"
)

// A call that runs a function of its caller, as breaker.Do(f), is not meant to be indivisible: f may use the
// object itself. What comes of that is no harm that goroutines do, so it is a further order.

// maxInside bounds how many of the times are tried that a call calls back.
const maxInside = 2

// inside returns the outcomes of one call made inside the other one. Whoever computes something that is
// asked for, by a key, does not ask for the same: two calls of one function with a key have no such order. But who
// leaves a key alone while another one is at it, and says nothing of it, is meant to.
func (p *pair) inside(t *execute.Trial, u, v int, inOrder *execute.Shown) (all []*execute.Shown) {
	if u == timePasses || v == timePasses {
		return nil
	}
	watched := *t
	watched.Subject = p.subject
	steps := p.library.trial.Steps
	isKeyed := steps[u].Callee == steps[v].Callee && takesKey(steps[u].Callee)
	if isKeyed && tells(steps[u].Callee) {
		return nil
	}
	for outer, times := range inOrder.CalledBack {
		for k := range min(times, maxInside) {
			shown, err := p.library.program.Carry(&watched, execute.Inside(outer, k), execute.Schedule{})
			p.runs++
			if err == nil && !shown.Blocked && !shown.Panics && (!isKeyed || shown.CalledBack[1-outer] == 0) {
				all = append(all, shown)
			}
		}
	}
	return all
}

// tells tells whether a function has a result, besides errors.
func tells(fn *types.Func) bool {
	for v := range fn.Signature().Results().Variables() {
		if !types.Identical(v.Type(), types.Universe.Lookup("error").Type()) {
			return true
		}
	}
	return false
}

// takesKey tells whether a function has a parameter that two calls may share, besides functions and
// contexts.
func takesKey(fn *types.Func) bool {
	for v := range fn.Signature().Params().Variables() {
		_, isFunc := v.Type().Underlying().(*types.Signature)
		if !isFunc && !isContext(v.Type()) {
			return true
		}
	}
	return false
}

func isContext(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Name() == "Context" && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "context"
}
