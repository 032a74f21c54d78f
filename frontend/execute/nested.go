package execute

import "slices"

// A function that clients hand to a call may call the library itself, with no second goroutine about. So
// what comes of making one call there is an outcome of code that runs in order: of a call that is split
// there anyway, as it does not store afterwards what it has read of the object before.

// Inside returns the order in which one of the calls of a trial, 0 or 1, is made by a function that is
// handed to the other one, the k-th time that this one calls it, from 0.
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
	outer  *goroutine
	begins int // when the inner one was made
	ends   int // when it had returned; 0: it has not
}

// callsBack is told that a goroutine is about to run fn. In a nested order the other call is made there.
func (c *carrier) callsBack(g *goroutine, fn *closure) {
	outer, k, isNested := c.order.nested()
	for i := range c.trial.Calls {
		if !c.isHanded(i, fn) {
			continue
		}
		c.shown.CalledBack[i]++
		if isNested && i == outer && c.shown.CalledBack[i] == k+1 && c.outcomes[1-outer] == nil {
			c.nesting = &nesting{outer: g, begins: c.m.now}
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

// isSplit tells whether the one call was made inside the other one, which has not stored anything
// afterwards that it had read before.
func (c *carrier) isSplit() bool {
	n := c.nesting
	if n == nil || n.ends == 0 {
		return false
	}
	for _, u := range c.m.trace.units {
		if slices.ContainsFunc(u.events, func(e *Event) bool {
			return e.g == n.outer.id && e.at < n.begins && e.keptAt > n.ends
		}) {
			return false
		}
	}
	return true
}
