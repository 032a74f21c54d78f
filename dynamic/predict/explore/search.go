package explore

import (
	"slices"

	"github.com/empire-go/empire-go/dynamic/predict/order"
)

// candidate is a set of events, and a partial order of them beside that of the run.
type candidate struct {
	until []int32 // by thread: the index of the last event
	last  []int32 // by thread: the event, if it is the last one, may have read anything; 0: none
	edges []edge
}

// edge says that an event comes before another one.
type edge struct {
	from, to order.ID
	before   []int32 // from, and all that comes before it
}

func (c *candidate) clone() *candidate {
	d := &candidate{slices.Clone(c.until), slices.Clone(c.last), slices.Clone(c.edges)}
	for i := range d.edges {
		d.edges[i].before = slices.Clone(d.edges[i].before)
	}
	return d
}

// empty needs nothing but what comes before the window.
func (x *explorer) empty() *candidate {
	n := x.h.Threads()
	c := &candidate{until: make([]int32, n), last: make([]int32, n)}
	for i := range c.until {
		c.until[i] = x.h.Base(int32(i))
	}
	return c
}

// end lets a thread come to an event. If that is a read and nothing later is needed, it may read anything.
func (c *candidate) end(h *order.History, id order.ID) {
	c.until[id.Thread], c.last[id.Thread] = id.Index, 0
	if h.Find(id).Kind.Reads() {
		c.last[id.Thread] = id.Index
	}
}

// needed is what a path needs; nil if it is impossible.
func (x *explorer) needed(path []entry, out, t order.ID) *candidate {
	c := x.empty()
	for _, e := range path[1:] {
		c.end(x.h, e.from)
	}
	c.end(x.h, out)
	c.end(x.h, t)
	if !x.settle(c) {
		return nil
	}
	for _, e := range path {
		if !x.before(c, e.from, e.at) {
			return nil
		}
	}
	if !x.before(c, out, t) {
		return nil
	}
	return c
}

// isFree tells whether an event is the last one of its thread and may have read anything.
func (c *candidate) isFree(id order.ID) bool {
	return c.last[id.Thread] == id.Index && c.until[id.Thread] == id.Index
}

// clock is what must come before an event in every run.
func (x *explorer) clock(c *candidate, e *order.Event) *order.Clock {
	if c.isFree(e.ID) {
		return e.Enter
	}
	return e.Before
}

// settle adds what the events need, and tells whether the edges are still possible.
func (x *explorer) settle(c *candidate) bool {
	for again := true; again; {
		again = false
		for i := range c.until {
			t := int32(i)
			if c.until[t] <= x.h.Base(t) {
				continue
			}
			clock := x.clock(c, x.h.Find(order.ID{Thread: t, Index: c.until[t]}))
			for j := range min(clock.Len(), len(c.until)) {
				u, need := int32(j), clock.At(int32(j))
				if u == t {
					continue
				}
				if need > c.until[u] {
					c.until[u], again = need, true
				}
				if c.last[u] > 0 && need >= c.last[u] {
					c.last[u], again = 0, true // others need what it has written
				}
			}
		}
	}
	return x.close(c)
}

// close makes the edges transitive, and tells whether there is no cycle.
func (x *explorer) close(c *candidate) bool {
	for again := true; again; {
		again = false
		for i := range c.edges {
			e := &c.edges[i]
			for t, n := range x.all(c, e.from) {
				if n > e.before[t] {
					e.before[t], again = n, true
				}
			}
			if e.before[e.to.Thread] >= e.to.Index {
				return false
			}
		}
	}
	return true
}

// all is an event and what comes before it, in the window and by all edges.
func (x *explorer) all(c *candidate, id order.ID) []int32 {
	e := x.h.Find(id)
	clock := x.clock(c, e)
	all := make([]int32, len(c.until))
	for i := range all {
		all[i] = clock.At(int32(i))
	}
	all[id.Thread] = id.Index
	for i := range c.edges {
		if f := &c.edges[i]; f.to.Thread == id.Thread && f.to.Index <= id.Index || f.to.Thread != id.Thread &&
			clock.At(f.to.Thread) >= f.to.Index {
			for t, n := range f.before {
				all[t] = max(all[t], n)
			}
		}
	}
	return all
}

// ordered tells whether an event comes before another one that is needed.
func (x *explorer) ordered(c *candidate, from, to order.ID) bool {
	if from.Thread == to.Thread {
		return from.Index < to.Index
	}
	return x.all(c, to)[from.Thread] >= from.Index
}

// before adds an edge, and tells whether that is possible.
func (x *explorer) before(c *candidate, from, to order.ID) bool {
	if from.Thread == to.Thread {
		return from.Index < to.Index
	}
	if !x.h.Kept(to) {
		x.edge = true
		return false
	}
	if !x.h.Kept(from) {
		return true
	}
	before := x.all(c, from)
	if before[to.Thread] >= to.Index {
		return false
	}
	c.edges = append(c.edges, edge{from, to, before})
	return x.close(c)
}

// need adds an event and what it needs.
func (x *explorer) need(c *candidate, id order.ID) bool {
	if c.until[id.Thread] < id.Index {
		c.until[id.Thread] = id.Index
		return x.settle(c)
	}
	return true
}

// conflict is why an order of the needed events is no run: one of two things must be so instead.
type conflict struct {
	read, write, writer order.ID // a read sees a write and not its writer
	first, second       order.ID // or acquires of two critical sections that overlap, as they were observed
}

// pathShare is which part of the runs one path may take.
const pathShare = 10

// run looks for a run of the needed events.
func (x *explorer) run(c *candidate) []order.ID {
	if most := x.options.Runs; most > 0 && (x.result.Runs >= most || x.runs >= max(1, most/pathShare)) {
		x.missed = true
		x.bounded = x.bounded || x.result.Runs >= most
		return nil
	}
	x.runs++
	x.result.Runs++
	run, conflict := x.attempt(c, false)
	if run != nil {
		return x.calm(c, run)
	}
	if conflict == nil {
		return nil
	}
	var tries [2]func(c *candidate) bool
	if conflict.read.Index > 0 {
		tries[0] = func(c *candidate) bool { return x.before(c, conflict.read, conflict.write) }
		tries[1] = func(c *candidate) bool {
			if !x.h.Kept(conflict.writer) || conflict.writer.Index == 0 {
				x.edge = x.edge || conflict.writer.Index != 0
				return false
			}
			return x.before(c, conflict.write, conflict.writer)
		}
		if x.h.Number(conflict.write) < x.h.Number(conflict.read) { // as they were observed first
			tries[0], tries[1] = tries[1], tries[0]
		}
	} else {
		tries[0] = func(c *candidate) bool { return x.exclude(c, conflict.first, conflict.second) }
		tries[1] = func(c *candidate) bool { return x.exclude(c, conflict.second, conflict.first) }
	}
	for _, try := range tries {
		if d := c.clone(); try(d) {
			if run := x.run(d); run != nil {
				return run
			}
		}
	}
	return nil
}

// exclude puts the critical section of one acquire before that of another one.
func (x *explorer) exclude(c *candidate, first, second order.ID) bool {
	if !x.h.Kept(second) {
		x.edge = true
		return false
	}
	release, known := x.release(first)
	if !known {
		x.edge = x.edge || !x.h.Finished
		return false
	}
	return x.need(c, release) && x.before(c, release, second)
}

// release is the release of a critical section, if the window has it.
func (x *explorer) release(acquire order.ID) (order.ID, bool) {
	if x.h.Kept(acquire) {
		pair := x.h.Find(acquire).Pair
		return pair, pair.Index > 0
	}
	return x.h.ReleaseOf(acquire)
}
