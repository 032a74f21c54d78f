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
	// more is why more is needed than the path itself needs. Whatever follows, follows from that, too: it is not told
	// apart what each event is needed for.
	more reasons
	// impossible is why the edges are not possible, once that is known.
	impossible reasons
}

// edge says that an event comes before another one.
type edge struct {
	from, to order.ID
	own      reasons   // the decision
	before   []int32   // from, and all that comes before it
	why      []reasons // for each thread
}

func (c *candidate) clone() *candidate {
	d := &candidate{until: slices.Clone(c.until), last: slices.Clone(c.last), edges: slices.Clone(c.edges), more: c.more}
	for i := range d.edges {
		d.edges[i].before = slices.Clone(d.edges[i].before)
		d.edges[i].why = slices.Clone(d.edges[i].why)
	}
	return d
}

// fail notes why the edges are not possible.
func (c *candidate) fail(why reasons) bool {
	c.impossible = c.more.and(why)
	return false
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
		if !x.before(c, e.from, e.at, nil) {
			return nil
		}
	}
	if !x.before(c, out, t, nil) {
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
			before, why := x.all(c, e.from)
			for t, n := range before {
				if n > e.before[t] {
					e.before[t], e.why[t], again = n, why[t], true
				}
			}
			if e.before[e.to.Thread] >= e.to.Index {
				return c.fail(e.own.and(e.why[e.to.Thread]))
			}
		}
	}
	return true
}

// all is an event and what comes before it, in the window and by all edges, and why.
func (x *explorer) all(c *candidate, id order.ID) (all []int32, why []reasons) {
	e := x.h.Find(id)
	clock := x.clock(c, e)
	all, why = make([]int32, len(c.until)), make([]reasons, len(c.until))
	for i := range all {
		all[i] = clock.At(int32(i))
	}
	all[id.Thread] = id.Index
	for i := range c.edges {
		if f := &c.edges[i]; f.to.Thread == id.Thread && f.to.Index <= id.Index || f.to.Thread != id.Thread &&
			clock.At(f.to.Thread) >= f.to.Index {
			for t, n := range f.before {
				if n > all[t] {
					all[t], why[t] = n, f.own.and(f.why[t])
				}
			}
		}
	}
	return all, why
}

// ordered tells whether an event comes before another one that is needed.
func (x *explorer) ordered(c *candidate, from, to order.ID) bool {
	if from.Thread == to.Thread {
		return from.Index < to.Index
	}
	before, _ := x.all(c, to)
	return before[from.Thread] >= from.Index
}

// before adds an edge for a decision, and tells whether that is possible.
func (x *explorer) before(c *candidate, from, to order.ID, own reasons) bool {
	if from.Thread == to.Thread {
		return from.Index < to.Index || c.fail(nil)
	}
	if !x.h.Kept(to) {
		x.edge = true
		return c.fail(nil)
	}
	if !x.h.Kept(from) {
		return true
	}
	before, why := x.all(c, from)
	if before[to.Thread] >= to.Index {
		return c.fail(why[to.Thread])
	}
	c.edges = append(c.edges, edge{from, to, own, before, why})
	return x.close(c)
}

// need adds an event and what it needs, for a decision.
func (x *explorer) need(c *candidate, id order.ID, own reasons) bool {
	if c.until[id.Thread] < id.Index {
		c.until[id.Thread] = id.Index
		c.more = c.more.and(own)
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

// run looks for a run of the needed events, after some decisions. If there is none it says from which of them that
// follows.
func (x *explorer) run(c *candidate, depth int) ([]order.ID, reasons) {
	if most := x.options.Runs; most > 0 && (x.result.Runs >= most || x.runs >= max(1, most/pathShare)) {
		x.missed = true
		x.bounded = x.bounded || x.result.Runs >= most
		return nil, everything(depth)
	}
	x.runs++
	x.result.Runs++
	run, conflict := x.attempt(c, false)
	if conflict != nil && !x.isChain {
		edges, needed := len(c.edges), slices.Clone(c.until)
		if !x.saturate(c) {
			x.runs--
			x.result.Runs--
			return nil, c.impossible
		}
		if len(c.edges) > edges || !slices.Equal(needed, c.until) {
			run, conflict = x.attempt(c, false)
		}
	}
	if run != nil {
		if run = x.calm(c, run); run != nil {
			return run, nil
		}
		return nil, everything(depth)
	}
	if conflict == nil {
		return nil, everything(depth)
	}
	own := decision(depth)
	all := c.more
	for _, try := range x.tries(conflict, own) {
		d := c.clone()
		if !try(d) {
			all = all.and(d.impossible.without(depth))
			continue
		}
		run, why := x.run(d, depth+1)
		if run != nil || !why.has(depth) {
			return run, why
		}
		all = all.and(why.without(depth))
	}
	return nil, all
}

// tries are the two ways to resolve a conflict; in each run it is one of them.
func (x *explorer) tries(conflict *conflict, own reasons) (tries [2]func(c *candidate) bool) {
	if conflict.read.Index == 0 {
		return [2]func(c *candidate) bool{
			func(c *candidate) bool { return x.exclude(c, conflict.first, conflict.second, own) },
			func(c *candidate) bool { return x.exclude(c, conflict.second, conflict.first, own) },
		}
	}
	tries[0] = func(c *candidate) bool { return x.before(c, conflict.read, conflict.write, own) }
	tries[1] = func(c *candidate) bool {
		if !x.h.Kept(conflict.writer) || conflict.writer.Index == 0 {
			x.edge = x.edge || conflict.writer.Index != 0
			return c.fail(nil)
		}
		return x.before(c, conflict.write, conflict.writer, own)
	}
	if x.h.Number(conflict.write) < x.h.Number(conflict.read) { // as they were observed first
		tries[0], tries[1] = tries[1], tries[0]
	}
	return tries
}

// exclude puts the critical section of one acquire before that of another one.
func (x *explorer) exclude(c *candidate, first, second order.ID, own reasons) bool {
	if !x.h.Kept(second) {
		x.edge = true
		return c.fail(nil)
	}
	release, known := x.h.ReleaseOf(first)
	if !known {
		x.edge = x.edge || !x.h.Finished
		return c.fail(nil)
	}
	return x.need(c, release, own) && x.before(c, release, second, own)
}
