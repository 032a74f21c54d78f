// Package reduce selects the call-graph nodes that the model needs (Empire report,
// section 5.1, steps 1 to 3).
//
// Step 1 and 2: N is the nodes that may access the atomic set on a star, or make a
// star; S is what reaches N by calls, go and defer statements. Step 3: the locks
// used in S; every node with an operation on one of them, and what reaches it,
// joins S, so that a lock is modelled everywhere or nowhere.
//
// # Theorem 1 for Go
//
// Call what a run does to the stars, to the modelled synchronisation objects and to
// kept goroutines (accesses, operations, starts, joins, beginnings and ends of units)
// its visible steps. Theorem: for each run of the program, the reduced program has a
// run with the same visible steps in the same order. So what is safe in the reduced
// program is safe. The steps of the proof, and what Go adds to each:
//
// Closure. S holds the callers of what it holds, by call, defer and go statements and
// by callbacks. So on a stack, no activation of S lies above one that is not in S:
// what is left out of a goroutine is whole calls, from entry to exit, and whole
// goroutines, none of which has a visible step.
//
// Ways out. A call that is left out can return, with any result that the points-to
// sets allow; it can panic, and then the deferred calls of the frames below run, and
// one of them may recover: package lower models both wherever a frame below recovers,
// and elsewhere a panic ends the program; or it never comes back, and then what its
// goroutine did is a prefix of what the reduced program can do, which may stop at any
// point.
//
// Net effect on locks. In Java a lock belongs to a block of the program text, so a
// call returns with the locks that it was called with, and a call that is left out
// takes and releases in pairs. In Go both are ordinary calls. A function may return
// with a lock that its caller did not have, or without one that its caller had, and
// Unlock(); Gosched(); Lock() in a helper changes nothing from entry to exit and yet
// lets others in. The rule is therefore about every path, not about the ends: a
// function stays if on some path it releases a modelled lock that the same activation
// has not taken, leaves one taken, or waits on a condition variable of one. We ask
// for less proof and keep more: every node with an operation on a modelled lock stays
// (it would be enough to drop those whose every path is balanced, which only adds
// interleavings). Then a call that is left out has no effect on a modelled lock at
// any time.
//
// All or nothing. An object that blocks (a lock, a channel, a wait group, a Once) is
// modelled if every operation on it, in any goroutine, is kept. Otherwise all of them
// are skips with every result possible: a run of the program is still one of the
// model, because a skip never waits. To keep half of them would not do: a Lock whose
// Unlock is left out, or a receive whose close is, stops goroutines of the model that
// go on in the program, and hides what they do.
//
// Idle locks. A lock of which every section, from taking to releasing it, lies in one
// activation and has no visible step is left out, though it could be modelled: to do so
// adds no run, as each section can be moved together to one point of time.
//
// Wide locks. So is one, or that of an owner, that most of a large program uses, and in a large model one that
// none of the user's own functions uses: that adds runs only.
//
// Clients. Calls of what clients of a library hand over are left out where no unit of work encloses them:
// the client can do the same in place of the call that leads there. See clients.go.
//
// Passages. In a large model, functions of libraries that only lead to kept ones do so in
// any order: one for which the program has a run has that run, too. See findPassages. Others
// are kept, and may be lowered in the same way: see findCoarse.
//
// Time. No step waits for a step that is left out, and the scheduler may run any
// goroutine next; so the remaining steps can be run in their order.
package reduce

import (
	"context"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/channel"
	"github.com/empire-go/empire-go/frontend/fresh"
	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/multiplicity"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/printing"
	"github.com/empire-go/empire-go/limit"
)

// Reduction is what the model keeps of a program.
type Reduction struct {
	Kept   map[*pointsto.Node]bool
	Direct map[*pointsto.Node]map[int]bool // the stars whose fields a node accesses itself
	Locks  map[pointsto.Cell]bool          // the modelled locks outside stars: each is one lock at run time
	Idle   map[pointsto.Cell]bool          // those that could be modelled, and need not be: see dropIdle
	Wide   map[pointsto.Cell]bool          // those that could be modelled, with much of the program: see dropWide
	Merged map[pointsto.Cell]MergedLock    // with Options.MergeLocks: those that are several at run time

	// The modelled channels: those that a kept node operates on.
	Channels map[*pointsto.Object]*channel.Channel
	uses     map[*pointsto.Object][]channel.Use // of every channel that was looked at
	helped   map[*pointsto.Object]bool          // those that helpers were seen to operate on

	Contexts map[*pointsto.Object]*Context // the modelled contexts

	// The sizes of the semaphores of which it is evident what each operation does.
	Semaphores map[pointsto.Cell]int64
	vague      map[pointsto.Cell]bool // semaphores of which it is not

	// Nodes that are left out though they lead to kept ones: see findPassages.
	Passages map[*pointsto.Node]bool
	// IsOutline: with Options.Outline, of a large model. LeavesOrder says which functions that are kept it says little of.
	IsOutline bool

	Printing *printing.Calls // which methods a call that formats runs

	Coarse map[*pointsto.Node]bool // kept nodes that need not be followed: see findCoarse

	// With Options.Shallow: functions of libraries that may access what the fields lead to, beyond the memory that
	// they hold themselves, and are left out.
	Deep []*pointsto.Node

	OnApart int // how many functions access memory that guards itself: see isolate.Isolation.IsApart

	reaches   map[*pointsto.Node]bool // the kept nodes, and what is between them
	accessing map[*pointsto.Node]bool // those that are kept for their accesses, or because they make stars or hand them on
	handing   map[*pointsto.Node]bool // those that hand stars on
	operating map[*pointsto.Node]bool // those that are kept for operations on objects for synchronisation

	helping map[*pointsto.Node]bool  // see unbalanced
	large   bool                     // there are passages
	roots   map[*pointsto.Node]bool  // of the graph
	isOwn   func(*ssa.Function) bool // see Options
	follow  map[*ssa.Function]bool   // see Options
	ordered func(*ssa.Function) bool // see Options.Outline

	shallow bool // see Options

	isOfClients func(*ssa.Function) bool // see Options
	enclosing   map[*pointsto.Node]bool  // see findEnclosing; nil: there are no clients

	LeftOut *pointsto.Node // one of the functions of libraries that are left out: see leaveOutOpaque

	Nodes, Instructions         int // of the program
	KeptNodes, KeptInstructions int
}

// Options change what is kept.
type Options struct {
	All        bool // every node: for tests that reduction changes no verdict
	MergeLocks bool // locks that may be several at run time are modelled as one

	// Own: functions that are no passages; nil if none are. Passages: there are passages
	// in small models, too, for tests.
	Own      func(*ssa.Function) bool
	Passages bool

	// Outline: in a large model, of the Own functions only those keep the order of what they do that access the set, or
	// of which it says so; nil: all do. The others may be passages, and what they do with objects for
	// synchronisation is left out where nobody else uses these. See findPassages.
	Outline func(*ssa.Function) bool

	// Follow: functions that are followed in every case: they are no passages, and none of Reduction.Coarse.
	Follow map[*ssa.Function]bool

	// Shallow: what functions that are not Own do to memory that the fields lead to counts only where a field holds
	// that itself, as a map or the array of a slice: what that leads to in turn is left to them.
	Shallow bool

	// Apart: from so many functions on that access memory that guards itself (see Reduction.OnApart) the reduction ends
	// at once, as the caller wants a shallow one then: it knows nothing else. 0: it goes on.
	Apart int

	// Clients: functions of the clients of a library, which are made for the analysis; nil if there are none.
	// Unit: functions that are units of work because the user says so.
	Clients, Unit func(*ssa.Function) bool

	Printing *printing.Calls // of the graph, which reductions of it share; nil: one of its own
}

// Reduce computes the reduction for the stars. It fails if ctx is done.
func Reduce(ctx context.Context, graph *pointsto.Result, often *multiplicity.Analysis, stars *isolate.Isolation,
	o Options) (r *Reduction, err error) {
	defer limit.Catch(&err)
	graph = graph.During(ctx)
	if o.Printing == nil {
		o.Printing = printing.New(graph)
	}
	r = &Reduction{
		Kept: map[*pointsto.Node]bool{}, reaches: map[*pointsto.Node]bool{}, Passages: map[*pointsto.Node]bool{},
		Coarse:    map[*pointsto.Node]bool{},
		accessing: map[*pointsto.Node]bool{}, handing: map[*pointsto.Node]bool{}, operating: map[*pointsto.Node]bool{},
		Printing: o.Printing.During(ctx),
		Direct:   map[*pointsto.Node]map[int]bool{},
		Locks:    map[pointsto.Cell]bool{},

		Channels: map[*pointsto.Object]*channel.Channel{}, uses: map[*pointsto.Object][]channel.Use{},
		helped: map[*pointsto.Object]bool{},
		Wide:   map[pointsto.Cell]bool{}, Contexts: map[*pointsto.Object]*Context{}, Semaphores: map[pointsto.Cell]int64{},
		vague: map[pointsto.Cell]bool{},
	}
	r.roots = map[*pointsto.Node]bool{}
	for _, n := range graph.Roots() {
		r.roots[n] = true
	}
	r.shallow, r.isOwn, r.ordered, r.follow = o.Shallow && o.Own != nil, o.Own, o.Outline, o.Follow
	var relevant []*pointsto.Node
	near := map[*pointsto.Node]bool{}
	for _, n := range stars.Near() {
		near[n] = true
	}
	libraries := graph.CallsTo(knowledge.Accessors)
	counted := &events{graph, stars, fresh.New(ctx, graph)}
	counted.fresh.Watch(stars.Watched()...)
	if o.Own != nil && !o.All {
		r.leaveOutOpaque(graph, stars, libraries, o.Own)
	}
	hand := map[*pointsto.Node][]ssa.Instruction{} // calls of library functions in the tables
	for i, e := range libraries {
		if i == 0 || e.Caller != libraries[i-1].Caller || e.Site != libraries[i-1].Site {
			hand[e.Caller] = append(hand[e.Caller], e.Site)
		}
	}
	memory := graph.Region(objectsOf(stars)...)
	for _, n := range graph.Nodes() {
		r.Nodes++
		r.Instructions += graph.Instructions(n)
		calls := hand[n]
		if near[n] && handsOn(graph, stars, memory, n) {
			r.handing[n] = true
		}
		if (near[n] || calls != nil) && !knowledge.IsTold(n.Func) && !passes(n) &&
			r.accesses(graph, stars, n, near[n], calls, counted) ||
			constructsAny(stars, n) || stars.MakesHolder(n) || r.handing[n] || o.All {
			r.accessing[n] = true
			relevant = append(relevant, n)
		}
		if o.Apart > 0 && r.OnApart >= o.Apart {
			return r, nil
		}
	}
	if r.isOfClients = o.Clients; o.Clients != nil && !o.All {
		r.findEnclosing(graph, stars, o.Unit)
	}
	r.keep(graph, relevant)
	clear(r.operating)
	r.large = o.Own != nil && !o.All && (o.Passages || len(r.Kept) > manyPassages)

	r.keep(graph, r.waiters(graph))
	r.keepContexts(graph, often)
	r.keepChannels(graph, often, stars)
	r.keep(graph, r.waiters(graph))

	uses := r.lockUses(graph, stars)
	r.findLocks(graph, often, stars, uses)
	for c := range r.vague {
		delete(r.Semaphores, c)
	}
	if o.MergeLocks {
		r.mergeLocks(graph, stars, uses)
	}
	r.dropWideOwners(graph, stars, uses)
	r.dropForeign(stars, uses)
	r.dropIdle(graph, stars, uses)
	if !r.large && o.Own != nil && !o.All && r.becomesLarge(graph, stars, uses) {
		r.large = true
		r.dropForeign(stars, uses)
	}
	r.dropWide(graph, uses)
	for _, u := range uses {
		for _, c := range u.cells {
			_, merged := r.Merged[c]
			if isOfModel(stars, c) || r.Locks[c] || merged {
				r.keep(graph, []*pointsto.Node{u.node})
			}
		}
	}
	if r.large {
		r.findPassages(graph, stars)
		r.IsOutline = o.Outline != nil
	}
	if o.Own != nil && !o.All {
		r.findCoarse(graph, stars, memory)
	}
	for _, n := range r.KeptOf(graph) {
		r.KeptNodes++
		r.KeptInstructions += graph.Instructions(n)
	}
	return r, nil
}

// KeptOf returns the kept nodes of the graph, in its order.
func (r *Reduction) KeptOf(graph *pointsto.Result) []*pointsto.Node {
	var all []*pointsto.Node
	for _, n := range graph.Nodes() {
		if r.Kept[n] {
			all = append(all, n)
		}
	}
	return all
}

// constructsAny tells whether n is a constructor node of some star.
func constructsAny(stars *isolate.Isolation, n *pointsto.Node) bool {
	for k := range stars.Stars {
		if stars.Constructs(n, k) {
			return true
		}
	}
	return false
}

// isSeen tells whether what the node does with objects for synchronisation is worth
// modelling: in large models, that of the functions is that keep the order of what they do.
func (r *Reduction) isSeen(n *pointsto.Node) bool { return !r.large || r.keepsOrder(n) }

// keepsOrder tells whether the node is no passage even in a large model.
func (r *Reduction) keepsOrder(n *pointsto.Node) bool {
	return r.follow[n.Func] || r.isOwn(n.Func) && (r.ordered == nil || r.accessing[n] || r.helping[n] || r.roots[n] ||
		r.ordered(n.Func))
}

// LeavesOrder tells whether an outline leaves out what one of the user's functions does with objects for
// synchronisation, though it is no passage.
func (r *Reduction) LeavesOrder(n *pointsto.Node) bool {
	return r.IsOutline && r.isOwn(n.Func) && !r.Passages[n] && !r.keepsOrder(n)
}

// IsLarge tells whether the model is a large one, in which there are passages.
func (r *Reduction) IsLarge() bool { return r.large }

// keep adds the nodes and what reaches them.
func (r *Reduction) keep(graph *pointsto.Result, work []*pointsto.Node) {
	for _, n := range work {
		r.operating[n] = true
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if r.reaches[n] {
			continue
		}
		r.reaches[n] = true
		// What calls back from a function in the tables is modelled where
		// that is called; its body is not.
		if !passes(n) {
			r.Kept[n] = true
		}
		for _, p := range r.Printing.Inside(n) {
			r.reaches[p] = true
		}
		for e := range r.Printing.Callers(n) {
			if !r.reaches[e.Caller] && !r.isClientsAffair(e) {
				work = append(work, e.Caller)
			}
		}
	}
}

// passes tells whether n is part of a package whose functions are modelled by what
// they do to their arguments.
func passes(n *pointsto.Node) bool { return knowledge.CallsBackOnly(n.Func) }

// waiters returns the nodes that wait on a wait group of which a kept node makes
// use, or call Done: without them a join in a helper would be lost. (That would be
// sound, as a Wait that never waits, but cause false alarms.)
func (r *Reduction) waiters(graph *pointsto.Result) []*pointsto.Node {
	used := map[pointsto.Cell]bool{}
	waits := map[*pointsto.Node][]pointsto.Cell{}
	for _, e := range graph.CallsTo(knowledge.WaitGroups) {
		n := e.Caller
		if knowledge.IsOperation(n.Func) {
			continue
		}
		op, _ := knowledge.WaitGroupOperation(e.Callee.Func)
		for _, c := range cellsOf(graph, n, Receiver(e.Site.Common())) {
			if op == knowledge.Wait || op == knowledge.Done {
				waits[n] = append(waits[n], c)
			}
			if op != knowledge.Wait && r.Kept[n] && r.isSeen(n) {
				used[c] = true
			}
		}
	}
	var all []*pointsto.Node
	for _, n := range graph.Nodes() {
		for _, c := range waits[n] {
			if used[c] {
				all = append(all, n)
				break
			}
		}
	}
	return all
}
