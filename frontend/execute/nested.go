package execute

import (
	"slices"

	"github.com/empire-go/empire-go/frontend/knowledge"
)

// A function that clients hand to a call may call the library itself, with no second goroutine about. So
// what comes of making one call there is an outcome of code that runs in order: of a call that is split
// there anyway, as it does not store afterwards what it has read of the object before. What clients have handed over
// earlier, as where the object was made, may look at the object there: it is told what there is at that moment.

// Inside returns the order in which one of the calls of a trial, 0 or 1, is made by a function that clients have
// handed over, the k-th time that the other one calls such a function, from 0.
func Inside(outer, k int) Order { return firstNested + Order(2*k+outer) }

// firstNested is above the other orders.
const firstNested = ReversedAtOnce + 1

// nested returns what Inside was told.
func (o Order) nested() (outer, k int, ok bool) {
	n := int(o - firstNested)
	return n & 1, n >> 1, n >= 0
}

// nesting is a call that was made inside another one.
type nesting struct {
	outer, inner *goroutine
	begins       int  // when the inner one was made
	ends         int  // when it had returned; 0: it has not
	onlyLooks    bool // the inner one must not write
}

// callsBack is told that a goroutine is about to run fn. In a nested order the other call is made there.
func (c *carrier) callsBack(g *goroutine, fn *closure) {
	outer, k, isNested := c.order.nested()
	if c.afterwards != nil && c.afterwards.g == g && c.isOfClient(fn) {
		c.toldAfter++
	}
	for i := range c.trial.Calls {
		isHanded := c.isHanded(i, fn)
		if !isHanded && !c.isCalledBy(i, g, fn) {
			continue
		}
		c.shown.CalledBack[i]++
		if isHanded {
			c.shown.HandedBack[i]++
		}
		if isNested && i == outer && c.shown.CalledBack[i] == k+1 && c.outcomes[1-outer] == nil {
			c.nesting = &nesting{outer: g, inner: c.prepared[1-outer].g, begins: c.m.now, onlyLooks: !isHanded}
			inner := c.release(1 - outer)
			g.point(func() bool { return inner.done || c.isAtRest(g, c.m.goroutines[0]) })
			if inner.done { // else it waits for what the outer one holds
				c.nesting.ends = c.m.now
			}
		}
		return
	}
}

// isHanded tells whether call i has handed a function to the library: two calls may be of one function, that makes what
// it hands over of its own variables.
func (c *carrier) isHanded(i int, fn *closure) bool {
	call := c.trial.Calls[i].Func
	return c.outcomes[i] != nil && call != nil && fn.fn.Parent() == call && (fn.by == nil || fn.by == c.outcomes[i].g)
}

// isCalledBy tells whether call i runs a function of the client's that it was not handed itself.
func (c *carrier) isCalledBy(i int, g *goroutine, fn *closure) bool {
	return c.outcomes[i] != nil && c.outcomes[i].g == g && c.isOfClient(fn) &&
		!slices.ContainsFunc(c.trial.Calls, func(call Call) bool { return call.Func == knowledge.Outermost(fn.fn) })
}

// isOfClient tells whether a function is the client's.
func (c *carrier) isOfClient(fn *closure) bool {
	return fn.fn.Pkg == c.m.program.main && knowledge.Outermost(fn.fn).Name() != knowledge.ArgumentsMadeName
}

// isSplit tells whether the one call was made inside the other one, which has not stored anything
// afterwards that it had read before.
func (c *carrier) isSplit() bool {
	n := c.nesting
	if n == nil || n.ends == 0 {
		return false
	}
	for _, u := range c.m.trace.units {
		if slices.ContainsFunc(u.events, func(e *Event) bool {
			return e.g == n.outer.id && e.at < n.begins && e.keptAt > n.ends ||
				n.onlyLooks && e.g == n.inner.id && e.kind != Read
		}) {
			return false
		}
	}
	return !n.onlyLooks || !c.m.hasWritten(n.inner)
}
