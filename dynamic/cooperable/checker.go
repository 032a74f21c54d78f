package cooperable

import (
	"slices"

	"github.com/empire-go/empire-go/dynamic/events"
)

// Options say how a trace is checked. The zero value checks the yields that are in it.
type Options struct {
	Infer  bool                      // put a yield where one is missing, and go on
	Yields func(e events.Event) bool // tells where there are yields besides those of the trace; may be nil
	Found  func(Violation)           // is called with each violation, which is a yield that is missing
	Edge   func(from, to *Transaction)
	Step   func(of *Transaction, e events.Event) // is called with each event when its transaction is known
	// Atomic tells whether a function is a transaction; then yields and blocks count for nothing, and what is done outside
	// of such functions are transactions of one event each. nil: transactions are between yields.
	Atomic func(enter events.Event) bool
	atMost int // cells before the first sweep
}

// Violation is an event that closes a cycle of transactions: no order of them explains what was seen. A yield
// directly before the event would end the cycle.
type Violation struct {
	Event     events.Event
	Cycle     []Edge         // from the transaction of the event back to it, by the edge that the event would be
	InBlock   bool           // a block that says that it is atomic is open
	Functions []events.Event // that were called before the cycle leaves the transaction, and have not returned
}

// Checker checks a trace event by event.
type Checker struct {
	Options
	graph
	cells   map[uint64]*cell
	threads []thread
	gone    map[uint64]bool // objects that are no more
	stats   Stats
}

// Stats counts what was read.
type Stats struct {
	Events, Transactions, Threads int
	Violations                    int // at all places, each time
	Implicit                      int // yields that waiting brings with it
	Cells                         int // that were kept at once, at most
}

// thread is what is known of a thread besides its transaction.
type thread struct {
	begun  bool
	ended  bool
	forked *Step // and has no event since
	last   Step
	blocks int
	atomic int            // of the functions that it is in: the first one that is a transaction, from 1; 0: none
	stack  []events.Event // the functions that it is in
}

// keep is how many cells are kept at least, whatever else is.
const keep = 1 << 14

// New is a checker at the beginning of a trace.
func New(o Options) *Checker {
	if o.atMost == 0 {
		o.atMost = keep
	}
	return &Checker{Options: o, graph: graph{edge: o.Edge}, cells: map[uint64]*cell{}, gone: map[uint64]bool{}}
}

// Stats counts what was read so far.
func (c *Checker) Stats() Stats {
	s := c.stats
	for t, th := range c.threads {
		if th.begun {
			s.Threads++
			s.Transactions += c.live[t].Number
			if !th.ended {
				s.Transactions++
			}
		}
	}
	return s
}

// Add takes in the next event.
func (c *Checker) Add(e events.Event) {
	if e.Op == events.Gone {
		if c.gone[e.Object] = true; len(c.gone) > c.atMost {
			c.sweep()
		}
		return
	}
	if e.Op != events.End {
		c.stats.Events++
	}
	c.room(e.Thread)
	if e.Op.Kind() == events.Thread {
		c.room(uint32(e.Object))
	}
	th := &c.threads[e.Thread]
	if e.Yields() && e.Op != events.Yield {
		c.stats.Implicit++
	}
	switch {
	case c.Atomic != nil:
		if th.atomic == 0 && th.begun {
			c.next(e.Thread)
		}
	case th.blocks > 0 || !th.begun:
	case e.Yields():
		c.next(e.Thread)
	case c.Yields != nil && c.Yields(e):
		c.next(e.Thread).Added = true
	}
	c.connect(e, th)
	now := Step{c.live[e.Thread], e}
	if now.Of.Last == 0 {
		now.Of.Begin = e
	}
	th.begun, th.last, now.Of.Last = true, now, e.Number
	if c.Step != nil {
		c.Step(now.Of, e)
	}
	c.follow(e, th, now)
}

func (c *Checker) room(t uint32) {
	c.graph.thread(t)
	for int(t) >= len(c.threads) {
		c.threads = append(c.threads, thread{})
	}
}

// follow is what an event means for the thread itself.
func (c *Checker) follow(e events.Event, th *thread, now Step) {
	switch e.Op {
	case events.Fork:
		begins := now // not now itself: then each event would be memory of its own
		c.threads[e.Object].forked = &begins
	case events.BlockBegin:
		th.blocks++
	case events.BlockEnd:
		th.blocks = max(th.blocks-1, 0)
	case events.Enter:
		th.stack = append(th.stack, e)
		if c.Atomic != nil && th.atomic == 0 && c.Atomic(e) {
			th.atomic = len(th.stack)
		}
	case events.Leave:
		th.stack = th.stack[:max(len(th.stack)-1, 0)]
		if len(th.stack) < th.atomic {
			th.atomic = 0
		}
	case events.End:
		th.stack, th.blocks, th.atomic, th.ended = nil, 0, 0, true
		c.next(e.Thread) // nothing that it has done can close a cycle from here on
	}
}

// connect adds the edges to an event, or reports that they close a cycle.
func (c *Checker) connect(e events.Event, th *thread) {
	var before []access
	var state *cell
	begun := false // what the event ends is open
	mode := events.Table[e.Op].Mode
	if mode != events.None {
		state = c.cell(key(e))
		if th.forked == nil && state.repeats(Step{c.live[e.Thread], e}, mode) {
			return
		}
		before = state.accesses
		if events.Table[e.Op].Ends {
			before, begun = state.since(e.Thread, mode)
		}
	}
	if th.forked != nil {
		before = append([]access{{Step: *th.forked, mode: events.Change}}, before...)
		th.forked = nil
	}
	if e.Op == events.Join {
		switch joined := &c.threads[e.Object]; {
		case joined.begun:
			before = append(before, access{Step: joined.last, mode: events.Change})
		case joined.forked != nil:
			before = append(before, access{Step: *joined.forked, mode: events.Change})
		}
	}
	conflicts := func(a access) bool {
		return a.Of.Thread != e.Thread && (mode == events.None || a.mode.Conflict(mode))
	}
	open := false
	for _, a := range before {
		if conflicts(a) && c.reaches(e.Thread, a.Of) {
			open = true
			c.report(e, th, a)
			break
		}
	}
	if open && c.Infer {
		c.next(e.Thread).Added = true
		open = false
	}
	now := Step{c.live[e.Thread], e}
	if !open {
		for _, a := range before {
			if conflicts(a) {
				c.add(Edge{a.Step, now})
			}
		}
	}
	if state != nil {
		state.put(access{now, mode, open || begun})
	}
}

// report tells of an event that would close a cycle, by following an access.
func (c *Checker) report(e events.Event, th *thread, a access) {
	c.stats.Violations++
	if c.Found == nil {
		return
	}
	t := e.Thread
	v := Violation{Event: e, InBlock: th.blocks > 0, Cycle: c.path(t, a.Of)}
	v.Cycle = append(v.Cycle, Edge{a.Step, Step{c.live[t], e}})
	left := v.Cycle[0].Before.Event.Number
	for _, f := range th.stack {
		if f.Number <= left {
			v.Functions = append(v.Functions, f)
		}
	}
	c.Found(v)
}

// cell is the state of an object.
func (c *Checker) cell(key uint64) *cell {
	state := c.cells[key]
	if state == nil {
		if len(c.cells) >= c.atMost {
			c.sweep()
		}
		state = &cell{}
		c.cells[key] = state
		c.stats.Cells = max(c.stats.Cells, len(c.cells))
	}
	return state
}

// sweep forgets accesses that no cycle can contain any more, unless somebody wants all edges.
func (c *Checker) sweep() {
	if c.Edge == nil {
		for k, state := range c.cells {
			if !c.gone[object(k)] {
				kept := false // then what comes after it tells what an event that ends something concerns
				state.accesses = slices.DeleteFunc(state.accesses, func(a access) bool {
					kept = kept || c.matters(a.Of)
					return !kept
				})
			}
			if len(state.accesses) == 0 || c.gone[object(k)] {
				delete(c.cells, k)
			}
		}
		clear(c.gone)
	}
	c.atMost = max(min(keep, c.atMost), 2*len(c.cells))
}

// object is the number of the object that a cell is a part of, for traces that tell when objects are gone.
func object(key uint64) uint64 {
	if events.Kind(key>>60) == events.Variable {
		return key << 4 >> (4 + events.FieldBits)
	}
	return key << 4 >> 4
}
