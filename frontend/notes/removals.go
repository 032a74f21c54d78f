package notes

import "github.com/empire-go/empire-go/esl"

// A map of what is under way is changed in two critical sections on purpose:
//
//	g.mu.Lock()
//	if c, ok := g.calls[key]; ok {
//		g.mu.Unlock()
//		return c.wait()
//	}
//	g.calls[key] = c
//	g.mu.Unlock()
//	c.run()
//	g.mu.Lock()
//	delete(g.calls, key)
//	g.mu.Unlock()
//
// The entry is the unit's own from when it is put in to when it is taken out, if all who
// put something in do so only where there is nothing, and all take out only what they have
// put in: others find it, and leave it alone. A violation that needs the removal is a
// note (WithoutRemovals).

// WithoutRemovals returns the model without the accesses, by their positions, by which units
// take out of maps what they have put in, and whether there are any.
func WithoutRemovals(p *esl.Program, removals map[esl.Pos]bool) (without *esl.Program, changed bool) {
	if len(removals) == 0 {
		return p, false
	}
	without = p.Rewritten(func(_ esl.Place, st esl.Stmt) esl.Stmt {
		if st.Op == esl.Access && removals[st.Pos] {
			changed = true
			return esl.Stmt{Op: esl.Skip, Pos: st.Pos}
		}
		return st
	})
	return without, changed
}
