package simplify

import (
	"slices"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/limit"
)

// Idle tells of the choices of a program, by function and point, which ones decide nothing: the same operations come
// next on all their ways, up to where these lead. See Waiting. Of a program with too many ways it tells that none is.
func Idle(poll *limit.Poll, p *esl.Program) func(function, at int) bool {
	w := newWaiting(poll, p)
	for f := range p.Functions {
		for _, s := range p.Functions[f].Body {
			if s.Op == esl.Choice {
				w.ways[f] = append(w.ways[f], s.Targets...)
			}
		}
		slices.Sort(w.ways[f])
		w.ways[f] = slices.DeleteFunc(slices.Compact(w.ways[f]), func(at int) bool { return at == 0 })
	}
	if !w.close() {
		return func(int, int) bool { return false }
	}
	w.refine()
	return func(function, at int) bool {
		targets := p.Functions[function].Body[at].Targets
		return !slices.ContainsFunc(targets, func(to int) bool {
			return w.class[function][to] != w.class[function][targets[0]]
		})
	}
}
