package lower

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
	"github.com/empire-go/empire-go/frontend/tag"
)

// thenStarts adds to the outcomes of a call the goroutines that it starts for its
// callbacks, by the table of functions that run them concurrently.
func (l *lowerer) thenStarts(c *clone, outcomes []outcome, at ssa.CallInstruction) []outcome {
	for _, e := range l.Graph.Starts(c.node, at) {
		var next []outcome
		for _, o := range outcomes {
			for _, p := range l.startCallback(c, o.state, e) {
				next = append(next, outcome{append(o.stmts[:len(o.stmts):len(o.stmts)], p.stmts...), p.state})
			}
		}
		outcomes = next
	}
	return outcomes
}

// startCallback lowers the start of one callback.
func (l *lowerer) startCallback(c *clone, s state, e pointsto.Edge) []outcome {
	callback := e.Start.By
	arguments := ssaflow.Arguments(e.Site.Common())
	if recv := e.Site.Common().Signature().Recv(); recv != nil || e.Site.Common().IsInvoke() {
		arguments = arguments[1:]
	}
	if callback.Argument >= len(arguments) {
		return one(nil, s)
	}
	value := arguments[callback.Argument]
	known := l.tagOf(c, s, value)
	if known.Kind == tag.Closure && known.Fn != e.Callee.Func {
		return one(nil, s)
	}
	published := l.tags.Stars(known)
	s.private &^= l.escaping(c, s, value) | published
	common := &ssa.CallCommon{Value: value}
	if callback.Method != "" {
		common = &ssa.CallCommon{Value: e.Callee.Func, Args: []ssa.Value{value}}
	}
	var all []outcome
	started, _ := l.startOne(c, s, e.Site, e.Callee, common, published, false, nil)
	for _, o := range started {
		start := o.stmts[len(o.stmts)-1]
		if p := l.processList[start.Arg-1]; e.Start.Often {
			p.copies = max(p.copies, l.Copies)
			for range p.copies - 1 {
				o.stmts = append(o.stmts[:len(o.stmts):len(o.stmts)], start)
			}
		}
		all = append(all, o)
	}
	if len(all) == 0 {
		return one(nil, s)
	}
	return all
}
