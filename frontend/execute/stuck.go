package execute

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Wait is where a call waits for something that does not come, or ends the program.
type Wait struct {
	At      ssa.Instruction       // that waits
	Calls   []ssa.CallInstruction // that lead there, the outermost first
	ForLock bool                  // it waits for a lock
}

// misuses panics as an operation on a channel or a wait group that is not allowed.
func (g *goroutine) misuses(why string) {
	g.m.misused = misuse{waitOf(g), why}
	panic(goPanic{runtimeError(why)})
}

// misusesLock ends the program as the release of a lock does that is not held.
func (g *goroutine) misusesLock(why string) {
	g.m.misused = misuse{waitOf(g), why}
	g.fatal(why)
}

// misuse is an operation on a channel, lock or wait group that ends the program, unless somebody recovers.
type misuse struct {
	at  *Wait
	why string
}

// noteEnd notes that a misuse has ended the program, if that is why it has ended.
func (c *carrier) noteEnd(text string) {
	if m := c.m.misused; m.at != nil && strings.Contains(text, m.why) {
		c.shown.Ends = m.at
	}
}

// noteStuck notes that nothing can go on though a call has not returned.
func (c *carrier) noteStuck() {
	c.shown.Blocked = true
	for i, call := range c.outcomes {
		if call != nil && !call.done {
			c.shown.Stuck[i] = waitOf(call.g)
		}
	}
}

// waitOf returns where a goroutine waits.
func waitOf(g *goroutine) *Wait {
	w := &Wait{ForLock: g.wants != nil}
	for f := g.top; f != nil; f = f.caller {
		if w.At == nil {
			w.At = f.instr
		}
		if f.call != nil {
			w.Calls = append(w.Calls, f.call)
		}
	}
	slices.Reverse(w.Calls)
	return w
}

// rescue lets others make the calls that could let those go on that wait.
func (c *carrier) rescue(g *goroutine) {
	for _, step := range c.trial.Rescue {
		c.shown.Freed = true // unless it is seen that it does not: the run may end here
		c.start(step)
		c.settle(g)
		if c.shown.Freed = !slices.ContainsFunc(c.outcomes[:], func(call *called) bool { return !call.done }); c.shown.Freed {
			return
		}
	}
}
