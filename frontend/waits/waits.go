// Package waits says what a program may wait for while it holds which locks: the lock-order graph (as of
// Engler and Ashcraft's RacerX, SOSP 2003, and GoodLock), over the whole call graph, and with more than locks
// in it. Two versions of a program are compared by it: a change that brings no new edge on a cycle, and no new
// wait under a lock, brings no new deadlock. See Order.Worse.
//
// A lock is named by the type of the object that it is part of and the path in it, "Stock.mu", or by its
// package variable: locks of two objects of one type have one name, and one such lock taken under the other is
// a cycle. Functions are named, places are not: names stay when lines move.
//
// What may be held is an over-approximation: a lock that may have been released by a callee counts as held.
// Such an edge is not certain, and is no excuse for one that is there after a change.
//
// Of one program the order proves for which locks nobody waits for ever: see Settle. That takes more care of which
// lock it is that is released, and of how functions end.
//
//	waits    the edges
//	events   what is waited for, and what is done to locks
//	held     what may be held where
//	loops    loops that wait for others
//	compare  what is worse after a change
//	settle   which locks nobody waits for for ever
//	ways     how locks are held on each way through a function
//	within   what may happen in a call
//	alone    what keeps nobody waiting who holds no lock
//	unseen   code that is called where nothing is known of what is called
//	groups   goroutines that a function starts and waits for
//	timers   waits that end as time passes
//	library  waits of the standard library for goroutines of its own
//	code     what is known of functions whatever calls them
//	address  which lock it is, in a function and in its caller
//	copies   locks that are copied
//	users    which functions operate on a lock that is settled
package waits

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// Lock is a lock, and whether only readers exclude one another.
type Lock struct {
	Name   string
	Shared bool
}

// Event is something that a function may wait for: a lock, or something else in words.
type Event struct {
	Lock     Lock   // the zero value: it is no lock
	What     string // "receives from a channel"; "" for a lock
	Function string // that waits

	unlessHeld string // this lock is released while it waits
	isStandard bool   // it is a lock that the standard library takes
}

// Edge says that a function may hold a lock, which it or a callee has taken, while it or a callee waits.
type Edge struct {
	Held   Lock
	Holder string // the function that holds it
	For    Event

	certain bool // the lock has not been released in between
}

// String tells the edge in words.
func (e Edge) String() string {
	text := fmt.Sprintf("%s holds %s while %s ", short(e.Holder), short(e.Held.String()), short(e.For.Function))
	if e.For.What != "" {
		return text + e.For.What
	}
	return text + "takes " + short(e.For.Lock.String())
}

func (l Lock) String() string {
	if l.Shared {
		return l.Name + " for reading"
	}
	return l.Name
}

// Order is all that a program may wait for while it holds locks.
type Order struct {
	edges map[Edge]bool  // with certain edges in both forms
	takes map[Event]bool // the locks that functions take, whatever is held
	// what functions may leave held, or release for their callers
	leaves map[string]map[string]bool
}

// New returns the empty order.
func New() *Order {
	return &Order{edges: map[Edge]bool{}, takes: map[Event]bool{}, leaves: map[string]map[string]bool{}}
}

// IsBalanced tells whether a function releases the locks that it takes, and no others.
func (o *Order) IsBalanced(function string) bool {
	return len(o.leaves[typeArguments.ReplaceAllString(function, "")]) == 0
}

// Origin is whose a function is.
type Origin uint8

const (
	Own      Origin = iota // the program's, or a library's, in which all counts
	Standard               // of the standard library: what it calls is known, and its loops end
	Foreign                // of a client that the program does not know, so that it may do anything
)

// Add adds what a program may wait for. The work is that of a search of the call graph for each function that is
// called under a lock.
func (o *Order) Add(ctx context.Context, graph *pointsto.Result, originOf func(*ssa.Function) Origin) error {
	w := newWalker(graph, originOf)
	w.order = o
	if err := w.solveEffects(ctx); err != nil {
		return err
	}
	for _, n := range graph.Nodes() {
		if err := ctx.Err(); err != nil {
			return err
		}
		w.walk(n, true)
		o.addLeft(w.name(n.Func), w.effects[n])
		for _, e := range w.ownOf(n).events {
			if e.What == "" {
				o.takes[e] = true
			}
		}
	}
	return nil
}

// addLeft notes what a function leaves to its callers.
func (o *Order) addLeft(function string, e effect) {
	if len(e.holds)+len(e.releases) > 0 && o.leaves[function] == nil {
		o.leaves[function] = map[string]bool{}
	}
	for lock := range e.holds {
		o.leaves[function][lock.Name] = true
	}
	for lock := range e.releases {
		o.leaves[function][lock] = true
	}
}

// Edges returns the edges in a fixed order.
func (o *Order) Edges() []Edge {
	var all []Edge
	for e := range o.edges {
		if e.certain && o.edges[e.uncertain()] {
			continue
		}
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b Edge) int {
		return cmp.Or(cmp.Compare(a.Held.Name, b.Held.Name), cmp.Compare(a.Holder, b.Holder),
			cmp.Compare(a.For.Lock.Name, b.For.Lock.Name), cmp.Compare(a.For.What, b.For.What),
			cmp.Compare(a.For.Function, b.For.Function), compareBool(a.Held.Shared, b.Held.Shared),
			compareBool(a.For.Lock.Shared, b.For.Lock.Shared))
	})
	return all
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

func (e Edge) uncertain() Edge {
	e.certain = false
	return e
}

// walker finds the edges of a program.
type walker struct {
	graph    *pointsto.Result
	originOf func(*ssa.Function) Origin
	order    *Order
	effects  map[*pointsto.Node]effect   // of nodes that take or release locks for their callers
	own      map[*pointsto.Node]*reached // what a node does itself
	reached  map[*pointsto.Node]*reached // and with its callees
	system   map[*pointsto.Node]bool     // see asksSystem
	names    map[*ssa.Function]string    // that are known
}

func newWalker(graph *pointsto.Result, originOf func(*ssa.Function) Origin) *walker {
	return &walker{graph: graph, originOf: originOf, effects: map[*pointsto.Node]effect{},
		reached: map[*pointsto.Node]*reached{}, own: map[*pointsto.Node]*reached{},
		system: map[*pointsto.Node]bool{}, names: map[*ssa.Function]string{}}
}

// reached is what may happen in a node: what it may wait for, and the locks that it may release.
type reached struct {
	events   []Event
	releases map[string]bool
}

// reachedFrom returns what may happen in a node and its callees, on the same goroutine.
func (w *walker) reachedFrom(n *pointsto.Node) *reached {
	if r := w.reached[n]; r != nil {
		return r
	}
	r := &reached{releases: map[string]bool{}}
	seen := map[*pointsto.Node]bool{n: true}
	known := map[Event]bool{}
	for queue := []*pointsto.Node{n}; len(queue) > 0; queue = queue[1:] {
		own := w.ownOf(queue[0])
		for _, e := range own.events {
			if !known[e] {
				known[e] = true
				r.events = append(r.events, e)
			}
		}
		for lock := range own.releases {
			r.releases[lock] = true
		}
		for _, e := range w.graph.Calls(queue[0]) {
			if !e.IsStart() && !seen[e.Callee] && !isPrimitive(e.Callee.Func) {
				seen[e.Callee] = true
				queue = append(queue, e.Callee)
			}
		}
	}
	w.reached[n] = r
	return r
}

// ownOf returns what a node does itself.
func (w *walker) ownOf(n *pointsto.Node) *reached {
	if r := w.own[n]; r != nil {
		return r
	}
	r := &reached{releases: map[string]bool{}}
	w.own[n] = r
	if isPrimitive(n.Func) {
		return r
	}
	if w.originOf(n.Func) == Foreign {
		r.events = []Event{{What: "runs", Function: "code of a client"}}
		return r
	}
	if knowledge.IsC(n.Func) {
		r.events = []Event{{What: "calls C", Function: w.name(n.Func)}}
		return r
	}
	for _, b := range n.Func.Blocks {
		for _, instr := range b.Instrs {
			r.events = append(r.events, w.eventsAt(n, instr)...)
			for _, op := range w.operationsAt(n, instr) {
				if !op.op.IsTaking() {
					for _, lock := range op.locks {
						r.releases[lock] = true
					}
				}
			}
		}
	}
	if w.originOf(n.Func) == Own && len(waitingLoops(n.Func)) > 0 {
		r.events = append(r.events, w.loopEvent(n))
	}
	return r
}

// typeArguments matches those of generic types and functions.
var typeArguments = regexp.MustCompile(`\[.*\]`)

// name names a function without a place, all instances of a generic one alike.
func (w *walker) name(fn *ssa.Function) string {
	known, ok := w.names[fn]
	if !ok {
		known = typeArguments.ReplaceAllString(fn.String(), "")
		w.names[fn] = known
	}
	return known
}
