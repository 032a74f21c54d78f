package explore

import (
	"slices"

	"github.com/empire-go/empire-go/dynamic/predict/order"
)

// mostEdges is how many edges there may be until no more are added because they follow from others.
const mostEdges = 128

// mostLooked is how many events are looked at for that, at most.
const mostLooked = 1 << 13

// saturate adds the edges that follow from others, since there is no choice about them:
//
//   - a critical section that begins before another one of the lock ends comes before it;
//   - a write before a read that does not see it comes before the write that it sees;
//   - a write after a write comes after the reads that see that one.
//
// It tells whether the edges are still possible. What follows is the same whatever is left out, so it looks only at
// what comes in an order that was not observed, and stops at a bound.
func (x *explorer) saturate(c *candidate) bool {
	for looked := 0; ; {
		edges, needed := len(c.edges), slices.Clone(c.until)
		for n, end := x.moved(c), x.end(c); n < end; n++ {
			e := x.h.Event(n)
			if e.Index > c.until[e.Thread] || e.Kind == order.Write || e.Kind.Acquires() || !x.follows(c, e) {
				continue
			}
			if looked++; len(c.edges) >= mostEdges || looked > mostLooked {
				return true
			}
			switch {
			case e.Kind == order.Release || e.Kind == order.ReadRelease:
				if !x.sections(c, e) {
					return false
				}
			case e.Kind.Reads() && !c.isFree(e.ID):
				if !x.sees(c, e) {
					return false
				}
			}
		}
		if len(c.edges) == edges && slices.Equal(needed, c.until) {
			return true
		}
	}
}

// moved is the number of the first event that has to come earlier than it was observed.
func (x *explorer) moved(c *candidate) int {
	first := x.h.Start() + x.h.Len()
	for _, e := range c.edges {
		if at := x.h.Number(e.to); at < x.h.Number(e.from) {
			first = min(first, at)
		}
	}
	return first
}

// end is the number behind the last event that is needed.
func (x *explorer) end(c *candidate) (end int) {
	for i, index := range c.until {
		if t := int32(i); index > x.h.Base(t) {
			end = max(end, x.h.Number(order.ID{Thread: t, Index: index})+1)
		}
	}
	return end
}

// follows tells whether an event comes after one that an edge leads to.
func (x *explorer) follows(c *candidate, e *order.Event) bool {
	clock := x.clock(c, e)
	for i := range c.edges {
		if to := c.edges[i].to; to.Thread == e.Thread && to.Index <= e.Index || to.Thread != e.Thread &&
			clock.At(to.Thread) >= to.Index {
			return true
		}
	}
	return false
}

// sections puts those before a critical section that begin before its release.
func (x *explorer) sections(c *candidate, release *order.Event) bool {
	if !x.h.Kept(release.Pair) {
		return true
	}
	shared := release.Kind == order.ReadRelease
	before, why := x.all(c, release.ID)
	done := make([]bool, len(c.until))
	acquires := x.h.Acquires(release.Object)
	for i := len(acquires) - 1; i >= 0; i-- {
		a := acquires[i]
		if a.Thread == release.Thread || done[a.Thread] || a.Index > before[a.Thread] ||
			shared && x.h.Find(a).Kind == order.ReadAcquire {
			continue
		}
		done[a.Thread] = true // those before it in its thread end earlier
		other, known := x.h.ReleaseOf(a)
		if known && other.Index <= c.until[other.Thread] && x.ordered(c, other, release.Pair) {
			continue
		}
		if !x.exclude(c, a, release.Pair, why[a.Thread]) {
			return false
		}
		before, why = x.all(c, release.ID)
	}
	return true
}

// sees orders the writes that come before a read, or after the write that it sees.
func (x *explorer) sees(c *candidate, read *order.Event) bool {
	writer := read.Writer
	kept := writer.Index > 0 && x.h.Kept(writer)
	for _, a := range x.h.Accesses(read.Object) {
		if a.Thread == read.Thread {
			continue
		}
		before, why := x.all(c, read.ID)
		i, _ := slices.BinarySearch(a.Writes, before[a.Thread]+1)
		if i > 0 {
			last := order.ID{Thread: a.Thread, Index: a.Writes[i-1]}
			switch {
			case last == writer, !x.h.Kept(last), kept && x.ordered(c, last, writer):
			case !kept:
				return c.fail(why[a.Thread])
			case !x.before(c, last, writer, why[a.Thread]):
				return false
			}
		}
		if !kept {
			continue
		}
		for _, w := range a.Writes[i:] {
			next := order.ID{Thread: a.Thread, Index: w}
			if w > c.until[a.Thread] {
				break
			}
			before, why := x.all(c, next)
			if next == writer || before[writer.Thread] < writer.Index {
				continue
			}
			if before[read.Thread] < read.Index && !x.before(c, read.ID, next, why[writer.Thread]) {
				return false
			}
			break
		}
	}
	return true
}
