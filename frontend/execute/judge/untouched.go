package judge

import (
	"fmt"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/execute"
)

// Untouched claims that an instruction, with all that it calls in its goroutine, accesses no place of
// a kind; that it writes none, if Writes is set.
type Untouched struct {
	At     ssa.Instruction
	In     Scope
	Of     func(execute.Place) bool
	Name   string // of the places, in words
	Writes bool
}

func (f Untouched) String() string {
	what := "accesses"
	if f.Writes {
		what = "writes"
	}
	return fmt.Sprintf("%s %s nothing of %s", where(f.At), what, f.Name)
}

func (f Untouched) watch(r *run, c *claim) {
	type span struct {
		by execute.Activation
		n  int // of the spans of the goroutine, when it begins
	}
	var open []span
	access := func(g execute.Goroutine, p execute.Place, kind int) {
		if (kind != execute.Read || !f.Writes) && f.Of(p) &&
			slices.ContainsFunc(open, func(s span) bool { return s.by.Goroutine() == g && !f.isOver(s.by) }) {
			c.holds(fmt.Sprintf("goroutine %d accesses %v", g.Number(), p))
		}
	}
	r.onBefore(f.At, f.In, func(a execute.Activation) {
		if !c.isOver() {
			g := a.Goroutine()
			open = append(open, span{a, len(r.spans[g])})
			r.spans[g] = append(r.spans[g], access)
		}
	})
	end := func(a execute.Activation) {
		for i := len(open) - 1; i >= 0; i-- {
			if open[i].by == a {
				g := a.Goroutine()
				r.spans[g] = r.spans[g][:min(open[i].n, len(r.spans[g]))]
				open = append(open[:i], open[i+1:]...)
				c.holds("")
				return
			}
		}
	}
	r.onAfter(f.At, f.In, end)
	r.onLeave(f.At.Parent(), f.In, end)
}

// isOver tells whether the instruction has panicked, which is told only when the activation ends:
// what it has deferred is at work.
func (f Untouched) isOver(by execute.Activation) bool {
	for a, ok := by.Goroutine().Top(); ok && a != by; {
		below, found := a.Caller()
		if found && below == by {
			return a.Call() != nil && a.Call() != f.At
		}
		a, ok = below, found
	}
	return false
}
