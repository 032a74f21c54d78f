package explore

import (
	"slices"

	"github.com/empire-go/empire-go/dynamic/predict/order"
)

// candidate is a set of events, and a partial order of them beside that of the run.
type candidate struct {
	until []int32 // by thread: the index of the last event
	last  []int32 // by thread: the event, if it is the last one, may have read anything; 0: none
	edges []known
	// more is why more is needed than the path itself needs. Whatever follows, follows from that, too: it is not told
	// apart what each event is needed for.
	more reasons
	// impossible is why the edges are not possible, once that is known.
	impossible reasons
	// bound are events that were free and are no more: what they read from comes before what comes after them.
	bound   []order.ID
	changes int // of the edges
	// looked is by thread up to where it is known what follows from the edges that are not new.
	looked []int32
}

// edge says that an event comes before another one. It does not change, so that candidates share it.
type edge struct {
	from, to order.ID
	own      reasons   // the decision
	before   []int32   // from, and all that comes before it
	why      []reasons // for each thread; nil: it follows from no decision
}

// known is an edge of a candidate.
type known struct {
	*edge
	isNew bool // what follows from it is not known yet
}

func (c *candidate) clone() *candidate {
	n := len(c.until)
	indices := make([]int32, 3*n)
	d := &candidate{until: indices[:n:n], last: indices[n : 2*n : 2*n], looked: indices[2*n:], more: c.more,
		bound: slices.Clone(c.bound), edges: append(make([]known, 0, len(c.edges)+8), c.edges...)}
	copy(d.until, c.until)
	copy(d.last, c.last)
	copy(d.looked, c.looked)
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
	c := &candidate{until: make([]int32, n), last: make([]int32, n), looked: make([]int32, n)}
	for i := range c.until {
		c.until[i] = x.h.Base(int32(i))
	}
	return c
}

// end lets a thread come to an event. If that is a read and nothing later is needed, it may read anything.
func (c *candidate) end(h *order.History, id order.ID) {
	t := id.Thread
	if c.until[t] >= id.Index {
		return
	}
	c.bind(t)
	c.until[t] = id.Index
	if h.Find(id).Kind.Reads() {
		c.last[t] = id.Index
	}
}

// bind makes the last event of a thread one that reads what it has read.
func (c *candidate) bind(thread int32) {
	if c.last[thread] > 0 {
		c.bound = append(c.bound, order.ID{Thread: thread, Index: c.last[thread]})
		c.last[thread] = 0
	}
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
					c.bind(u) // others need what it has written
					again = true
				}
			}
		}
	}
	return x.close(c)
}

// close keeps the edges transitive after events have become bound, and tells whether there is no cycle.
func (x *explorer) close(c *candidate) bool {
	bound := c.bound
	c.bound = nil
	for _, id := range bound {
		writer := x.h.Find(id).Writer
		if writer.Index == 0 || !x.h.Kept(writer) || len(c.edges) == 0 {
			continue
		}
		if before, why := x.all(c, writer); !x.spread(c, id, before, why) {
			return false
		}
	}
	return true
}

// spread adds what comes before an event to what comes before the edges behind it, and tells whether there is no cycle.
func (x *explorer) spread(c *candidate, id order.ID, before []int32, why []reasons) bool {
	c.changes++
	for i := range c.edges {
		f := &c.edges[i]
		if f.before[id.Thread] < id.Index {
			continue
		}
		more := f.with(before, both(why, f.reason(id.Thread), len(before)))
		if more == f.edge {
			continue
		}
		if f.edge, f.isNew = more, true; more.before[f.to.Thread] >= f.to.Index {
			return c.fail(f.own.and(f.reason(f.to.Thread)))
		}
	}
	return true
}

// with is the edge with more that comes before it, for some reasons.
func (e *edge) with(before []int32, why []reasons) *edge {
	next := e
	for t, n := range before {
		if n <= next.before[t] {
			continue
		}
		if next == e {
			next = &edge{from: e.from, to: e.to, own: e.own, before: slices.Clone(e.before)}
			if e.why != nil || why != nil {
				next.why = append(make([]reasons, 0, len(before)), e.why...)[:len(before)]
			}
		}
		next.before[t] = n
		if next.why != nil {
			next.why[t] = nil
			if why != nil {
				next.why[t] = why[t]
			}
		}
	}
	return next
}

// reason is why the events of a thread come before the edge.
func (e *edge) reason(thread int32) reasons {
	if e.why == nil {
		return nil
	}
	return e.why[thread]
}

// leadsTo tells whether an event is the one that an edge leads to, or comes after that, by its clock.
func (e *edge) leadsTo(id order.ID, clock *order.Clock) bool {
	if e.to.Thread == id.Thread {
		return e.to.Index <= id.Index
	}
	return clock.At(e.to.Thread) >= e.to.Index
}

// all is an event and what comes before it, in the window and by all edges, and why: nil if that follows from no
// decision.
func (x *explorer) all(c *candidate, id order.ID) (all []int32, why []reasons) {
	clock := x.clock(c, x.h.Find(id))
	all = make([]int32, len(c.until))
	clock.CopyTo(all)
	all[id.Thread] = id.Index
	for i := range c.edges {
		f := &c.edges[i]
		if !f.leadsTo(id, clock) {
			continue
		}
		for t, n := range f.before {
			if n <= all[t] {
				continue
			}
			all[t] = n
			own := f.own.and(f.reason(int32(t)))
			if why == nil && own != nil {
				why = make([]reasons, len(all))
			}
			if why != nil {
				why[t] = own
			}
		}
	}
	return all, why
}

// whyOf is an element of reasons that may be nil.
func whyOf(why []reasons, thread int32) reasons {
	if why == nil {
		return nil
	}
	return why[thread]
}

// ordered tells whether an event comes before another one that is needed.
func (x *explorer) ordered(c *candidate, from, to order.ID) bool {
	ordered, _ := x.precedes(c, from, to)
	return ordered
}

// precedes tells whether an event comes before another one that is needed, and why.
func (x *explorer) precedes(c *candidate, from, to order.ID) (bool, reasons) {
	if from.Thread == to.Thread {
		return from.Index < to.Index, nil
	}
	clock := x.clock(c, x.h.Find(to))
	if clock.At(from.Thread) >= from.Index {
		return true, nil
	}
	for i := range c.edges {
		if f := &c.edges[i]; f.before[from.Thread] >= from.Index && f.leadsTo(to, clock) {
			return true, f.own.and(f.reason(from.Thread))
		}
	}
	return false, nil
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
	if cycle, why := x.precedes(c, to, from); cycle {
		return c.fail(why)
	}
	if x.ordered(c, from, to) {
		return true
	}
	before, why := x.all(c, from)
	e := &edge{from, to, own, before, why}
	if !x.spread(c, to, before, both(why, own, len(before))) {
		return false
	}
	if own == nil && why == nil { // what follows from it is not needed any more
		c.edges = slices.DeleteFunc(c.edges, func(f known) bool {
			return before[f.from.Thread] >= f.from.Index && e.leadsTo(f.to, x.clock(c, x.h.Find(f.to)))
		})
	}
	c.edges = append(c.edges, known{e, true})
	c.changes++
	return true
}

// both are reasons that may be nil, and others for each thread.
func both(why []reasons, others reasons, threads int) []reasons {
	if others == nil {
		return why
	}
	all := make([]reasons, threads)
	for t := range all {
		all[t] = others.and(whyOf(why, int32(t)))
	}
	return all
}

// need adds an event and what it needs, for a decision.
func (x *explorer) need(c *candidate, id order.ID, own reasons) bool {
	if c.until[id.Thread] < id.Index {
		c.bind(id.Thread)
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

// tooMuch tells whether the bound on the work is hit.
func (x *explorer) tooMuch() bool {
	x.bounded = x.bounded || x.options.Looks > 0 && x.result.Looks >= x.options.Looks
	return x.bounded
}

// run looks for a run of the needed events, after some decisions. If there is none it says from which of them that
// follows.
func (x *explorer) run(c *candidate, depth int) ([]order.ID, reasons) {
	if most := x.options.Runs; most > 0 && (x.result.Runs >= most || x.runs >= max(1, most/pathShare)) || x.tooMuch() {
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
