package blocking

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
)

// A model of one call has what is local to it, see Config.Local. Calls of what cannot lead to that return, with an
// unknown result: what they wait for is no matter of the call.

// mayTouch tells whether a call is part of the model of a call: it is handed something local, memory of which something
// is known, does something with time, or is small: branches may depend on what it returns, and on whether it does.
func (l *lowerer) mayTouch(site ssa.CallInstruction, c callee) bool {
	switch path := knowledge.PackagePath(c.fn); {
	case l.c.Local.Touches(site), path == "context", path == "time":
		return true
	}
	isKnown := false
	for _, v := range slices.Concat(c.args, c.bindings) {
		if p, ok := v.(pointer); !ok || p.path != "context" { // of which nothing changes
			each(v, func(o *object) { isKnown = isKnown || o.made != nil })
		}
	}
	return isKnown || knowledge.Of(c.fn).Ends != knowledge.EndsNothing || isSmall(c.fn) && l.c.IsFollowed(c.fn)
}

// skip leaves out a call, and returns what is known of its result: no semaphore fails for a context that never ends.
func (l *lowerer) skip(c callee) value {
	row := knowledge.Of(c.fn)
	l.skips = l.skips || knowledge.IsOperation(c.fn) || row.Cond != knowledge.NoCond
	l.skipsJoins = l.skipsJoins || row.Group == knowledge.Wait || row.Cond == knowledge.CondWait
	if atLeastOne[knowledge.Name(c.fn)] {
		return bounded{1, unbounded}
	}
	if row.Semaphore != knowledge.NoLock && len(c.args) > 1 {
		if ctx, ok := c.args[1].(pointer); ok && ctx.to.isOver {
			return nothing{}
		}
	}
	return nil
}

// callOutside calls what is not known. It may do anything with what leads to something local, if that is called, or
// handed over.
func (l *lowerer) callOutside(s *state, site ssa.CallInstruction, args []value, result ssa.Value) effect {
	if l.c.Local.Touches(site) {
		l.guess(site, "what is called")
		l.doubtAll(site)
	}
	for _, v := range args {
		for _, o := range l.ledTo(s, v) {
			l.spoil(s, pointer{o, ""})
		}
		l.doubt(s, v)
	}
	return plain(s, result, nil)
}
