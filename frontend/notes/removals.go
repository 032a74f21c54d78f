package notes

import (
	"slices"

	"github.com/empire-go/empire-go/esl"
)

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
	copied := *p
	copied.Functions = slices.Clone(copied.Functions)
	for i, f := range copied.Functions {
		body := slices.Clone(f.Body)
		for k, st := range body {
			if st.Op == esl.Access && removals[st.Pos] {
				body[k] = esl.Stmt{Op: esl.Skip, Pos: st.Pos}
				changed = true
			}
		}
		copied.Functions[i].Body = body
	}
	return &copied, changed
}
