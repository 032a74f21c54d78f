package instrument

import (
	"go/ast"
	"go/types"

	"github.com/empire-go/empire-go/frontend/knowledge"
)

// timers are the functions that make something happen later, their hooks, and what their
// sites are to a reader.
var timers = map[knowledge.TimeOp]struct{ hook, kind string }{
	knowledge.After:      {"After", "timer"},
	knowledge.NewTimer:   {"NewTimer", "timer"},
	knowledge.StartTimer: {"AfterFunc", "go"},
}

// timer rewrites a call of such a function.
func (f *file) timer(n *ast.CallExpr) (string, bool) {
	t, ok := timers[f.calledFunction(n).Time]
	if !ok {
		return "", false
	}
	arguments := []string{f.raw(n.Fun), f.syncSite(n.Fun, t.kind, n.Lparen)}
	for _, a := range n.Args {
		arguments = append(arguments, f.render(a))
	}
	return f.hook(t.hook, arguments...), true
}

// parallel rewrites b.RunParallel(body) for a benchmark.
func (f *file) parallel(n *ast.CallExpr, s *ast.SelectorExpr, selection *types.Selection) (string, bool) {
	if !knowledge.OfObject(selection.Obj().(*types.Func)).Parallel || len(selection.Index()) != 1 || len(n.Args) != 1 {
		return "", false
	}
	return f.hook("RunParallel", f.render(s.X), f.render(n.Args[0])), true
}
