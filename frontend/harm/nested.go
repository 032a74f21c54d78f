package harm

import (
	"context"
	"go/types"

	"github.com/empire-go/empire-go/frontend/execute"
	"github.com/empire-go/empire-go/frontend/knowledge"
)

// A call that runs a function of its caller, as breaker.Do(f), is not meant to be indivisible: f may use the
// object itself. What comes of that is no harm that goroutines do, so it is a further order.

// maxInside bounds how many of the times are tried that a call calls back.
const maxInside = 3

// inside returns the outcomes of one call made inside the other one, by which of them is the outer one. Whoever
// computes something that is asked for, by a key, does not ask for the same: two calls of one function with a key have
// no such order. But who leaves a key alone while another one is at it, and says nothing of it, is meant to.
func (p *pair) inside(t *execute.Trial, u, v int, orders []*execute.Shown) (all [2][]*execute.Shown) {
	if u == timePasses || v == timePasses {
		return all
	}
	watched := *t
	watched.Subject = p.subject
	steps := p.library.trial.Steps
	isKeyed := steps[u].Callee == steps[v].Callee && takesKey(steps[u].Callee)
	if isKeyed && tells(steps[u].Callee) {
		return all
	}
	for outer := range all {
		times := 0 // that it calls back, in the order in which it does
		for _, o := range orders {
			times = max(times, o.CalledBack[outer])
		}
		for k := range min(times, maxInside) {
			shown, err := p.library.program.Carry(&watched, execute.Inside(outer, k), execute.Schedule{})
			p.runs++
			if err == nil && !shown.Blocked && !shown.Panics && (!isKeyed || shown.HandedBack[1-outer] == 0) {
				all[outer] = append(all[outer], shown)
			}
		}
	}
	return all
}

// maxToldStarts bounds the starts from which calls are made inside others to see what these are told there.
const maxToldStarts = 12

// isToldInside tells whether a run differs from an order only in what one of the calls returns, and that call is told
// just that inside the other one, maybe from another start: where the object has no function of the client's, say.
func (e *encounter) isToldInside(ctx context.Context, shown *execute.Shown) bool {
	if !e.isClient() {
		return false
	}
	for _, o := range e.orders {
		if len(o.Lines) != len(shown.Lines) {
			continue
		}
		of, tells := -1, true // the call whose results differ
		for i, line := range shown.Lines {
			if line == o.Lines[i] {
				continue
			}
			call, _, _, isResult := execute.SplitResult(line.Path)
			if tells = isResult && (of < 0 || of == call) && line.Path == o.Lines[i].Path; !tells {
				break
			}
			if of = call; !e.told(ctx)[call][line] {
				tells = false
				break
			}
		}
		if tells && of >= 0 {
			return true
		}
	}
	return false
}

// told returns what each of the two calls returns inside the other one.
func (p *pair) told(ctx context.Context) [2]map[execute.Line]bool {
	if p.toldInside[0] != nil {
		return p.toldInside
	}
	p.toldInside = [2]map[execute.Line]bool{{}, {}}
	u, v := p.calls[0][0], p.calls[1][0]
	for i := 0; i < maxToldStarts && !p.isOver(ctx) && p.library.hasState(ctx, i); i++ {
		t := p.library.trialOf(p.library.states[i])
		t.Calls = []execute.Call{p.library.call(u), p.library.call(v)}
		inOrder, err := p.library.program.Carry(t, execute.InOrder, execute.Schedule{})
		if p.runs++; err != nil || inOrder.Blocked || inOrder.Panics {
			continue
		}
		for outer, all := range p.inside(t, u, v, []*execute.Shown{inOrder}) {
			for _, shown := range all {
				for _, line := range shown.Lines {
					if call, _, _, ok := execute.SplitResult(line.Path); ok && call == 1-outer {
						p.toldInside[call][line] = true
					}
				}
			}
		}
	}
	return p.toldInside
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
// contexts: options that are functions are none, either.
func takesKey(fn *types.Func) bool {
	for v := range fn.Signature().Params().Variables() {
		t := v.Type()
		if all, ok := t.Underlying().(*types.Slice); ok {
			t = all.Elem()
		}
		_, isFunc := t.Underlying().(*types.Signature)
		if !isFunc && !knowledge.IsContext(t) {
			return true
		}
	}
	return false
}
