// Package explore looks for a run in which a block is not atomic, among those that are known to be possible from one
// run that was observed: the almost view-preserving interleavings of Sinha, Malik, Wang and Gupta (section II-C).
//
// Such a run has of each thread a beginning. Each read of it has read what it has read in the observed run, except
// the last event of a thread: after a read that sees something else nobody knows what the thread does, so nothing of
// it comes later, and nothing that depends on it. What comes first in every run (package order) does so, and locks are
// held by one at a time: a thread that stops in a critical section keeps its lock.
//
// The paper enumerates the interleavings with dynamic partial-order reduction. This package asks for less: whether
// one of them has a violation. It goes through the paths that could be one (paths.go), from the block through accesses
// of other threads and back, and for each it keeps a set of events that are needed, and a partial order of them, in
// which the path goes forward. They are run in the order of the observed run as far as the partial order allows
// (run.go). Where that run lets a read see the wrong write, or takes a lock that is held, one of two orders is needed;
// both are tried, the observed one first (search.go). What follows from the orders without a choice is worked out
// (saturate.go), of the beginnings of paths, too: where it is a contradiction, no path goes on. So what is not in the
// way of the path stays as it was, and events before the segment are not run first: their order is decided where it
// matters.
//
// What a read of the block has read counts only until its value matters no more (segment.Block): a path that leaves the
// block there has to come back before. So the look at a condition that is looked at again after a wait is no violation.
//
// Every run that the partial order excludes has been tried or is impossible, and a run that is found has been run
// by the rules: the answer is exact, as long as no bound was hit and the window had everything.
package explore

import (
	"github.com/empire-go/empire-go/dynamic/predict/order"
	"github.com/empire-go/empire-go/dynamic/predict/segment"
)

// Options bound a search. The zero value of a bound is none.
type Options struct {
	Paths int // that are tried
	Looks int // at events, to run them, or for what follows from orders: the measure of work
	Runs  int // of events that are needed, in some order
	// of context, from the first access of the block on, in the run that is found; a run is looked for that has few,
	// but not every one is tried
	Switches int
}

// Verdict is the outcome of a search.
type Verdict uint8

// The verdicts. Bounded is that none was found as far as was looked, Cut that none was found in the window.
const (
	Atomic Verdict = iota
	Violation
	Bounded
	Cut
)

// Result is what a search has found.
type Result struct {
	Verdict Verdict
	Path    []order.ID // of a violation: accesses, the first and the last one of the block
	Run     []order.ID // the run that has it, in the window, up to the last event of the path
	Paths   int        // that were tried
	Looks   int        // at events
	Runs    int        // that were tried
}

// Search looks for a violation of a block in its segment.
func Search(h *order.History, b *segment.Block, s *segment.Segment, o Options) Result {
	x := newExplorer(h, b, o)
	x.segment = s
	x.search()
	switch r := &x.result; {
	case r.Path != nil:
		r.Verdict = Violation
	case x.bounded || x.missed:
		r.Verdict = Bounded
	case !s.Whole || x.edge:
		r.Verdict = Cut
	}
	return x.result
}

// explorer is a search for one block.
type explorer struct {
	h        *order.History
	block    *segment.Block
	segment  *segment.Segment
	options  Options
	result   Result
	bounded  bool
	missed   bool // a path was given up, or its run has too many context switches
	runs     int  // of the path that is tried
	isChain  bool // a few runs are enough to look at: what follows from others is not worked out
	edge     bool // something was excluded because of where the window begins
	vars     map[uint32]*own
	scratch  [2][]int32               // by thread
	acquires map[section][][]order.ID // see acquiresOf
	firsts   map[order.ID][]int32     // see after
	entries  [][]entry                // by thread, those that are known
	viewed   viewed
}

// own are the accesses of the block to a variable.
type own struct {
	all, writes []int32
	sources     []int32 // where a path that enters by a write may leave: the first one, and later ones that matter longer
}

// newExplorer is a search that has not begun.
func newExplorer(h *order.History, b *segment.Block, o Options) *explorer {
	x := &explorer{h: h, block: b, options: o, acquires: map[section][][]order.ID{}, firsts: map[order.ID][]int32{},
		entries: make([][]entry, h.Threads())}
	for i := range x.scratch {
		x.scratch[i] = make([]int32, h.Threads())
	}
	return x
}
