package serial

import (
	"context"
	"fmt"
	"io"
	"math"

	"github.com/empire-go/empire-go/dynamic/trace/std"
)

// Cycle is why a trace is not serializable: each edge leads from its transaction to the one
// of the next edge, the last to the first.
type Cycle []Edge

// Edge is why its transaction comes before that of the next edge.
type Edge struct {
	From   Transaction
	Before Event // of this transaction
	After  Event // of the next
}

// Transaction is a transaction of a cycle.
type Transaction struct {
	Thread string
	Begin  Event // its first event
	End    int   // line of its end; 0 if it has not ended
	Unary  bool
}

// Event is an event of a cycle.
type Event struct {
	Number int // of its line
	Text   std.Line
}

// Explain finds a cycle that the last event of a trace closes that Check has rejected. It reads a last part of the file a
// second time, and a longer one, about twice as long, as long as there is no cycle in it: so its cost is that of what
// lies between the first and the last event of the cycle. The cycle is a shortest one of that part. The transaction
// graph is kept as Velodrome does, without ended transactions that no edge leads to.
func Explain(ctx context.Context, f io.ReaderAt, r Result) (Cycle, error) {
	for _, at := range r.marks.windows() {
		if cycle, err := explainFrom(ctx, f, r, at); cycle != nil || err != nil {
			return cycle, err
		}
	}
	return nil, fmt.Errorf("line %d closes no cycle this time; check a file that does not change meanwhile", r.Line)
}

// explainFrom is Explain for what comes behind a mark.
func explainFrom(ctx context.Context, f io.ReaderAt, r Result, at mark) (Cycle, error) {
	s := scannerAt(f, at.offset, at.line)
	x := &explainer{}
	x.init()
	for _, l := range at.live {
		if err := x.resume(s, f, l); err != nil {
			return nil, err
		}
	}
	for n := at.events + 1; n <= r.Events; n++ {
		e, err := s.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if cycle := x.step(e, Event{e.Line, s.LineOf(e)}, n == r.Events); cycle != nil {
			return cycle, nil
		}
		if n&0xfff == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return nil, nil
}

// scannerAt reads a file from an offset on, which is behind a line with a number.
func scannerAt(f io.ReaderAt, offset int64, line int) *std.Scanner {
	return std.NewScannerAt(io.NewSectionReader(f, offset, math.MaxInt64-offset), line)
}

// resume makes the transaction that a thread is in known.
func (x *explainer) resume(s *std.Scanner, f io.ReaderAt, l liveThread) error {
	begin := scannerAt(f, l.begin.offset, l.begin.line-1)
	e, err := begin.Next()
	if err != nil {
		return err
	}
	t, event := s.Threads.Number([]byte(l.name)), Event{l.begin.line, begin.LineOf(e)}
	x.current[t] = &node{Transaction: Transaction{Thread: l.name, Begin: event}, live: true}
	x.last[t], x.depth[t] = event, l.depth
	return nil
}

// node is a transaction in the graph.
type node struct {
	Transaction
	live  bool
	gone  bool // it has ended and no edge leads to it: none ever will
	in    int
	out   []edge
	known map[*node]bool // where out leads
}

type edge struct {
	to            *node
	before, after Event
}

// access is an event that later ones may have to follow.
type access struct {
	by    *node
	event Event
}

// explainer is the graph of a beginning of a trace.
type explainer struct {
	current map[uint32]*node // transaction that is live, or that ended last
	last    map[uint32]Event // of a thread
	depth   map[uint32]int
	forks   map[uint32][]access
	release map[uint32][]access
	holder  map[uint32]uint32
	write   map[uint32]access
	reads   map[uint32]map[uint32]access // by variable and thread
	order   map[uint32][]uint32          // of the threads in reads
}

// step adds an event; if it closes a cycle, and that is asked, the cycle is not nil.
func (x *explainer) step(e std.Event, event Event, closes bool) Cycle {
	t := e.Thread
	n := x.node(t, event)
	if e.Op == std.Begin {
		x.depth[t]++
		n.live, n.Unary = true, false
	}
	before := x.forks[t]
	delete(x.forks, t)
	before = append(before, x.before(e)...)
	if cycle := x.connect(n, before, event, closes); cycle != nil {
		return cycle
	}
	x.record(e, access{n, event})
	x.last[t] = event
	if e.Op == std.End {
		x.depth[t]--
	}
	if x.depth[t] == 0 {
		n.live = false
		if e.Op == std.End {
			n.End = e.Line
		}
		x.collect(n)
	}
	return nil
}

func (x *explainer) init() {
	x.current, x.last, x.depth = map[uint32]*node{}, map[uint32]Event{}, map[uint32]int{}
	x.forks, x.release, x.holder = map[uint32][]access{}, map[uint32][]access{}, map[uint32]uint32{}
	x.write, x.reads, x.order = map[uint32]access{}, map[uint32]map[uint32]access{}, map[uint32][]uint32{}
}

// node is the transaction of an event of a thread.
func (x *explainer) node(t uint32, event Event) *node {
	last := x.current[t]
	if last != nil && last.live {
		return last
	}
	n := &node{Transaction: Transaction{Thread: event.Text.Thread, Begin: event, Unary: true}}
	if last != nil && !last.gone {
		last.add(edge{n, x.last[t], event})
	}
	x.current[t] = n
	return n
}

func (n *node) add(e edge) {
	if n.known[e.to] {
		return
	}
	if n.known == nil {
		n.known = map[*node]bool{}
	}
	n.known[e.to] = true
	n.out = append(n.out, e)
	e.to.in++
}

// before are the accesses that an event follows, apart from the fork of its thread.
func (x *explainer) before(e std.Event) (all []access) {
	switch e.Op {
	case std.Read:
		all = append(all, x.write[e.Operand])
	case std.Write:
		all = append(all, x.write[e.Operand])
		for _, t := range x.order[e.Operand] {
			all = append(all, x.reads[e.Operand][t])
		}
	case std.Acquire:
		all = x.release[e.Operand]
	case std.Join:
		if n := x.current[e.Operand]; n != nil {
			all = append(all, access{n, x.last[e.Operand]})
		}
	}
	return all
}

// record keeps an event for those that will follow it.
func (x *explainer) record(e std.Event, a access) {
	switch e.Op {
	case std.Read:
		if x.reads[e.Operand] == nil {
			x.reads[e.Operand] = map[uint32]access{}
		}
		if _, ok := x.reads[e.Operand][e.Thread]; !ok {
			x.order[e.Operand] = append(x.order[e.Operand], e.Thread)
		}
		x.reads[e.Operand][e.Thread] = a
	case std.Write:
		x.write[e.Operand] = a
		delete(x.reads, e.Operand)
		delete(x.order, e.Operand)
	case std.Acquire:
		x.holder[e.Operand] = e.Thread
	case std.Release:
		if holder, held := x.holder[e.Operand]; held && holder == e.Thread {
			x.release[e.Operand] = nil
		}
		delete(x.holder, e.Operand)
		x.release[e.Operand] = append(x.release[e.Operand], a)
	case std.Fork:
		if e.Operand != e.Thread {
			x.forks[e.Operand] = append(x.forks[e.Operand], a)
		}
	}
}

// connect adds the edges to a transaction, and returns a shortest cycle if there is one.
func (x *explainer) connect(n *node, before []access, event Event, closes bool) Cycle {
	closing := map[*node]access{}
	for _, a := range before {
		if a.by != nil && a.by != n && !a.by.gone {
			if _, ok := closing[a.by]; !ok {
				closing[a.by] = a
			}
		}
	}
	if closes {
		if cycle := n.cycle(closing, event); cycle != nil {
			return cycle
		}
	}
	for _, a := range before {
		if _, ok := closing[a.by]; ok {
			a.by.add(edge{n, a.event, event})
		}
	}
	return nil
}

// cycle searches, breadth first, for a path from a transaction to one that it must follow.
func (n *node) cycle(closing map[*node]access, event Event) Cycle {
	type step struct {
		from *node
		by   edge
	}
	reached := map[*node]step{n: {}}
	for queue := []*node{n}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		if last, ok := closing[at]; ok {
			cycle := Cycle{{at.Transaction, last.event, event}}
			for at != n {
				s := reached[at]
				cycle = append(Cycle{{s.from.Transaction, s.by.before, s.by.after}}, cycle...)
				at = s.from
			}
			return cycle
		}
		for _, e := range at.out {
			if _, ok := reached[e.to]; !ok {
				reached[e.to] = step{at, e}
				queue = append(queue, e.to)
			}
		}
	}
	return nil
}

// collect takes transactions out of the graph that have ended and that no edge leads to.
func (x *explainer) collect(n *node) {
	for queue := []*node{n}; len(queue) > 0; queue = queue[1:] {
		n := queue[0]
		if n.live || n.gone || n.in > 0 {
			continue
		}
		n.gone = true
		for _, e := range n.out {
			e.to.in--
			queue = append(queue, e.to)
		}
		n.out, n.known = nil, nil
	}
}
