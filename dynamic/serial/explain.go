package serial

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"

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

// Explain finds a cycle that the last event of a trace closes that Check has rejected. It reads a last part of the
// file a second time, and a longer one, about twice as long, as long as there is no cycle in it: so its cost is that
// of what lies between the first and the last event of the cycle. The cycle is a shortest one of that part. The
// transaction graph is kept as Velodrome does, without ended transactions that no edge leads to.
func Explain(ctx context.Context, f io.ReaderAt, r Result) (Cycle, error) {
	for _, at := range r.marks.windows() {
		if cycle, err := explainFrom(ctx, f, r, at); cycle != nil || err != nil {
			return cycle, err
		}
	}
	return nil, fmt.Errorf("line %d closes no cycle this time; check a file that does not change meanwhile", r.Line)
}

// explainFrom is Explain for what comes behind a mark. It reads that twice: only lines that are shown are kept.
func explainFrom(ctx context.Context, f io.ReaderAt, r Result, at mark) (Cycle, error) {
	s := scannerAt(f, at.offset, at.line)
	x := &explainer{}
	begins := map[int]int64{} // offsets by line
	for _, l := range at.live {
		x.resume(s.Threads.Number([]byte(l.name)), l)
		begins[l.begin.line] = l.begin.offset
	}
	for n := at.events + 1; n <= r.Events; n++ {
		e, err := s.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if cycle := x.step(e, n == r.Events); cycle != nil {
			return cycle.shown(f, at, begins)
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

// shown is a path with the text of its lines. Those behind a mark are read in order, others at their offsets.
func (p path) shown(f io.ReaderAt, at mark, begins map[int]int64) (Cycle, error) {
	texts := map[int]std.Line{}
	for _, l := range p {
		texts[l.from.begin], texts[l.before], texts[l.after] = std.Line{}, std.Line{}, std.Line{}
	}
	last := p[len(p)-1].after
	for s := scannerAt(f, at.offset, at.line); ; {
		e, err := s.Next()
		if err != nil {
			return nil, err
		}
		if _, ok := texts[e.Line]; ok {
			texts[e.Line] = s.LineOf(e)
		}
		if e.Line >= last {
			break
		}
	}
	for line, offset := range begins {
		if _, ok := texts[line]; ok {
			s := scannerAt(f, offset, line-1)
			e, err := s.Next()
			if err != nil {
				return nil, err
			}
			texts[line] = s.LineOf(e)
		}
	}
	var c Cycle
	for _, l := range p {
		n := l.from
		c = append(c, Edge{Transaction{texts[n.begin].Thread, Event{n.begin, texts[n.begin]}, n.end, n.unary},
			Event{l.before, texts[l.before]}, Event{l.after, texts[l.after]}})
	}
	return c, nil
}

// node is a transaction in the graph. Its events are named by their lines.
type node struct {
	begin, end int
	unary      bool
	live       bool
	gone       bool // it has ended and no edge leads to it: none ever will
	in         int
	out        []edge
}

type edge struct {
	to            *node
	before, after int
}

// link is an edge with the transaction that it leads from.
type link struct {
	from          *node
	before, after int
}

// path is a cycle, see Cycle.
type path []link

// access is an event that later ones may have to follow.
type access struct {
	by   *node
	line int
}

// explainer is the graph of a part of a trace.
type explainer struct {
	threads   []threadState
	locks     []lockState
	variables []variableState
	channels  []access // the last one to each
	before    []access // scratch: what an event follows
	closing   []access // scratch: of these, those of other transactions that are in the graph
}

type threadState struct {
	current *node // transaction that is live, or that ended last
	last    int   // event
	depth   int
	forks   []access
}

type lockState struct {
	holder            int64 // thread, from 1; 0: none is known
	release           []access
	readRelease       byThread // since
	read              bool     // there is one since the holder took the lock
	waits, broadcasts byThread
}

type variableState struct {
	write access
	reads byThread // since
}

// byThread has an access of each thread that has one, the last.
type byThread []ofThread

type ofThread struct {
	access
	thread uint32
}

// put adds an access of a thread.
func (b *byThread) put(a access, thread uint32) {
	for i := range *b {
		if (*b)[i].thread == thread {
			(*b)[i].access = a
			return
		}
	}
	*b = append(*b, ofThread{a, thread})
}

// at returns an element of a slice, which grows to have it.
func at[T any](all *[]T, i uint32) *T {
	if n := int(i) + 1; n > len(*all) {
		*all = append(*all, make([]T, n-len(*all))...)
	}
	return &(*all)[i]
}

// resume makes the transaction that a thread is in known.
func (x *explainer) resume(t uint32, l liveThread) {
	*at(&x.threads, t) = threadState{current: &node{begin: l.begin.line, live: true}, last: l.begin.line, depth: l.depth}
}

// step adds an event; if it closes a cycle, and that is asked, the cycle is not nil.
func (x *explainer) step(e std.Event, closes bool) path {
	at(&x.threads, max(e.Thread, e.Operand*isThread(e.Op)))
	t := &x.threads[e.Thread]
	n := t.node(e.Line)
	if e.Op == std.Begin {
		t.depth++
		n.live, n.unary = true, false
	}
	x.before = append(x.before[:0], t.forks...)
	t.forks = t.forks[:0]
	x.follows(e)
	if cycle := x.connect(n, e.Line, closes); cycle != nil {
		return cycle
	}
	x.record(e, access{n, e.Line})
	t.last = e.Line
	if e.Op == std.End {
		t.depth--
	}
	if t.depth == 0 {
		n.live = false
		if e.Op == std.End {
			n.end = e.Line
		}
		n.collect()
	}
	return nil
}

// isThread is 1 for operations on threads.
func isThread(op std.Op) uint32 {
	if op == std.Fork || op == std.Join {
		return 1
	}
	return 0
}

// node is the transaction of an event of a thread.
func (t *threadState) node(line int) *node {
	last := t.current
	if last != nil && last.live {
		return last
	}
	n := &node{begin: line, unary: true}
	if last != nil && !last.gone {
		last.add(edge{n, t.last, line})
	}
	t.current = n
	return n
}

// fewEdges is how many edges of a transaction are looked through before another one is added; one that is there twice
// does no harm.
const fewEdges = 8

func (n *node) add(e edge) {
	for i := len(n.out) - 1; i >= max(0, len(n.out)-fewEdges); i-- {
		if n.out[i].to == e.to {
			return
		}
	}
	n.out = append(n.out, e)
	e.to.in++
}

// follows adds the accesses that an event follows, apart from the fork of its thread, to before.
func (x *explainer) follows(e std.Event) {
	switch e.Op {
	case std.Read:
		x.before = append(x.before, at(&x.variables, e.Operand).write)
	case std.Write:
		v := at(&x.variables, e.Operand)
		x.before = append(x.before, v.write)
		x.all(v.reads)
	case std.Acquire, std.ReadAcquire, std.Prewait, std.Postwait, std.Notify:
		x.followsLock(e.Op, at(&x.locks, e.Operand))
	case std.Send, std.Receive, std.Close, std.Presend, std.Postsend:
		x.before = append(x.before, *at(&x.channels, e.Operand))
	case std.Join:
		if t := &x.threads[e.Operand]; t.current != nil {
			x.before = append(x.before, access{t.current, t.last})
		}
	}
}

// all adds accesses to before.
func (x *explainer) all(of byThread) {
	for _, a := range of {
		x.before = append(x.before, a.access)
	}
}

// followsLock is follows for a lock and those who wait for it.
func (x *explainer) followsLock(op std.Op, l *lockState) {
	switch op {
	case std.Prewait, std.Postwait:
		x.all(l.broadcasts)
	case std.Notify:
		x.all(l.waits)
	}
	switch op {
	case std.Acquire, std.Postwait:
		x.all(l.readRelease)
		fallthrough
	case std.ReadAcquire:
		x.before = append(x.before, l.release...)
	}
}

// record keeps an event for those that will follow it.
func (x *explainer) record(e std.Event, a access) {
	switch e.Op {
	case std.Read:
		at(&x.variables, e.Operand).reads.put(a, e.Thread)
	case std.Write:
		v := at(&x.variables, e.Operand)
		v.write, v.reads = a, v.reads[:0]
	case std.Acquire, std.Release, std.ReadRelease, std.Prewait, std.Postwait, std.Notify:
		at(&x.locks, e.Operand).record(e, a)
	case std.Send, std.Receive, std.Close, std.Presend, std.Postsend:
		*at(&x.channels, e.Operand) = a
	case std.Fork:
		if e.Operand != e.Thread {
			t := &x.threads[e.Operand]
			t.forks = append(t.forks, a)
		}
	}
}

// record keeps an event on the lock, or of who waits for it.
func (l *lockState) record(e std.Event, a access) {
	switch e.Op {
	case std.Prewait, std.Postwait:
		l.waits.put(a, e.Thread)
	case std.Notify:
		l.broadcasts.put(a, e.Thread)
	case std.ReadRelease:
		l.readRelease.put(a, e.Thread)
		l.read = true
	}
	switch e.Op {
	case std.Acquire, std.Postwait:
		l.holder, l.read = int64(e.Thread)+1, false
	case std.Release, std.Prewait:
		if l.holder == int64(e.Thread)+1 {
			l.release = l.release[:0]
			if !l.read {
				l.readRelease = l.readRelease[:0]
			}
		}
		l.holder, l.release = 0, append(l.release, a)
	}
}

// connect adds the edges to a transaction, and returns a shortest cycle if there is one and that is asked.
func (x *explainer) connect(n *node, line int, closes bool) path {
	x.closing = x.closing[:0]
	for _, a := range x.before {
		if a.by != nil && a.by != n && !a.by.gone {
			x.closing = append(x.closing, a)
		}
	}
	if closes {
		closing := map[*node]int{}
		for _, a := range x.closing {
			if _, ok := closing[a.by]; !ok {
				closing[a.by] = a.line
			}
		}
		if cycle := n.cycle(closing, line); cycle != nil {
			return cycle
		}
	}
	for _, a := range x.closing {
		a.by.add(edge{n, a.line, line})
	}
	return nil
}

// cycle searches, breadth first, for a path from a transaction to one that it must follow.
func (n *node) cycle(closing map[*node]int, line int) path {
	reached := map[*node]link{n: {}}
	for queue := []*node{n}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		if last, ok := closing[at]; ok {
			cycle := path{{at, last, line}}
			for at != n {
				by := reached[at]
				cycle = append(cycle, by)
				at = by.from
			}
			slices.Reverse(cycle)
			return cycle
		}
		for _, e := range at.out {
			if _, ok := reached[e.to]; !ok {
				reached[e.to] = link{at, e.before, e.after}
				queue = append(queue, e.to)
			}
		}
	}
	return nil
}

// collect takes transactions out of the graph that have ended and that no edge leads to.
func (n *node) collect() {
	if n.live || n.gone || n.in > 0 {
		return
	}
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
		n.out = nil
	}
}
