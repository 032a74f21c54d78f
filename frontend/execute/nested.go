package execute

import (
	"maps"
	"slices"

	"github.com/empire-go/empire-go/frontend/knowledge"
)

// A function that clients hand to a call may call the library itself, with no second goroutine about. So
// what comes of making one call there is an outcome of code that runs in order: of a call that is split
// there anyway, as it does not store afterwards what it has read of the object before. What clients have handed over
// earlier, as where the object was made, may do so as well, where the outer call goes on afresh: it looks again at what
// it has looked at before and the inner call has changed, does not write over that unseen, and had not written it. (A
// value that is loaded for a cache while its key is forgotten is stored unseen; who counts what he is at counts wrong
// if the counter is reset meanwhile.)

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

// nesting is a call that is made inside another one, and what cells and maps the two access.
type nesting struct {
	outer, inner *goroutine
	begins       int          // when the inner one was made; 0: it was not
	ends         int          // when it had returned; 0: it has not
	isHanded     bool         // the outer one was handed the function itself
	read, wrote  map[any]bool // by the outer one, before
	changed      map[any]bool // by the inner one, and not looked at by the outer one since
	clashes      bool         // one of the two has written over what the other one has written
}

// note is told of an access to memory that others can reach.
func (n *nesting) note(g *goroutine, to any, kind int) {
	switch {
	case g == n.inner && n.ends == 0 && kind != Read:
		n.changed[to] = true
		n.clashes = n.clashes || isAmong(to, n.wrote)
	case g != n.outer:
	case n.begins == 0 && kind == Read:
		n.read[to] = true
	case n.begins == 0:
		n.wrote[to] = true
	case n.ends == 0:
	case kind == Write:
		n.clashes = n.clashes || isAmong(to, n.changed)
	default:
		maps.DeleteFunc(n.changed, func(other any, _ bool) bool { return overlap(other, to) })
	}
}

// goesOnAfresh tells whether the outer one depends on nothing that the inner one has changed.
func (n *nesting) goesOnAfresh() bool {
	for to := range n.changed {
		if isAmong(to, n.read) {
			return false
		}
	}
	return !n.clashes
}

// isAmong tells whether memory overlaps with some other.
func isAmong(to any, others map[any]bool) bool {
	for other := range others {
		if overlap(other, to) {
			return true
		}
	}
	return false
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
			c.m.now++
			c.m.nesting.begins, c.m.nesting.isHanded = c.m.now, isHanded
			inner := c.release(1 - outer)
			g.point(func() bool { return inner.done || c.isAtRest(g, c.m.goroutines[0]) })
			if inner.done { // else it waits for what the outer one holds
				c.m.nesting.ends = c.m.now
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
	n := c.m.nesting
	if n == nil || n.ends == 0 || !n.isHanded && !n.goesOnAfresh() {
		return false
	}
	return !slices.ContainsFunc(c.m.trace.units, func(u *unit) bool {
		return slices.ContainsFunc(u.events, func(e *Event) bool {
			return e.g == n.outer.id && e.at < n.begins && e.keptAt > n.ends
		})
	})
}
