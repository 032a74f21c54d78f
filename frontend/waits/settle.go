package waits

import (
	"cmp"
	"context"
	"fmt"
	"go/types"
	"iter"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/polling"
	"github.com/empire-go/empire-go/frontend/ssaflow"
	"github.com/empire-go/empire-go/limit"
)

// Settlement says for which locks of a program it is certain that nobody waits for them for ever, without any search.
// That is so of a lock by induction over the lock-order graph, where
//
//   - who takes it releases it, on all ways, also where the code panics and somebody recovers;
//   - what is waited for while it is held are locks of which the same is so, and that are not held while this one is
//     waited for: the graph has no cycle that it leads to.
//
// Nor is such a lock released by who does not hold it. A lock is what has one name: see the package. It is assumed
// that loops end that go on by themselves, and calls of the standard library that wait for no other goroutine of the
// program, as for input and output: see library; that where somebody recovers no code panics but by the statement;
// and that memory is used as its types say.
type Settlement struct {
	Locks  []Settled // of code that is the program's own, by name
	Others []Event   // what else such code may wait for, in a fixed order
	// Polls tells that such code has loops that look again and again whether something has changed: see package polling.
	Polls bool
	// Counts tells that such code closes channels or counts for wait groups, which can end the program.
	Counts bool
	// Pipe is a function of a pipe of the standard library that may wait for what the program does at its other end; ""
	// if there is none. A search that leaves calls of that library out does not know of it.
	Pipe string
	// Promised is the methods of interfaces of the standard library that are called on what clients hand over under
	// a lock: it is assumed that they return, and do nothing to the object.
	Promised []string

	users map[string][]*ssa.Function // see Users
	at    map[ssa.CallInstruction][]string
}

// Settled is the answer about a lock.
type Settled struct {
	Name  string
	Taken ssa.Instruction // a place where it is taken
	Doubt string          // why it may be waited for for ever; "": nobody does
}

// Waits tells whether anybody may wait for ever for anything: if not, no goroutine of the program does.
func (s *Settlement) Waits() bool {
	return len(s.Others) > 0 || slices.ContainsFunc(s.Locks, func(l Settled) bool { return l.Doubt != "" })
}

// Settle finds it out. The work is that of Order.Add; a function is gone through once for each way in which locks may
// be held in it, of which there are at most maxWays. What is found out about the code itself is shared by all programs
// that are asked about with it.
func Settle(ctx context.Context, graph *pointsto.Result, code *Code) (settlement *Settlement, err error) {
	defer limit.Catch(&err)
	poll := limit.NewPoll(ctx)
	walker := newWalker(graph, code.origin)
	walker.names = code.names
	s := &settler{walker: walker, addresses: newAddresses(graph, code, poll), poll: poll,
		balances: map[*pointsto.Node]balance{}, locks: map[string]*Settled{}, before: map[string]map[string]bool{},
		inside: map[*pointsto.Node]*within{}, reaching: map[*pointsto.Node]*within{}, left: map[string]string{},
		copied: map[string]string{}, unsettled: map[string]bool{}, promised: map[string]bool{},
		groups: map[*ssa.Alloc]*group{}, library: map[string][]Event{}}
	s.solve()
	s.notes = true
	others, recovers, counts, polls := map[Event]bool{}, false, false, false
	polling := polling.New(func(fn *ssa.Function) bool { return s.originOf(fn) == Own })
	for _, n := range graph.Nodes() {
		poll.Check()
		recovers = recovers || s.isRecovering(n.Func)
		switch s.originOf(n.Func) {
		case Own:
			s.walk(n)
			s.copies(n)
			s.leaveTo(n)
			own := s.ownWithin(n)
			polls = polls || len(polling.Of(n.Func)) > 0
			counts = counts || own.counts
			for _, e := range append(s.withStandard(n), s.started(n)...) {
				if e.What == waitsForLibrary { // for which no node of the program waits
					for _, e := range s.startedByLibrary(e.Function) {
						others[e] = others[e] || e.matters()
					}
				}
				others[e] = others[e] || e.matters()
			}
		case Standard:
			s.callsBack(n)
			s.operatesOn(n, func(site ssa.CallInstruction) bool { return site.Common().IsInvoke() }, "the standard library")
		case Foreign:
			s.operatesOn(n, func(ssa.CallInstruction) bool { return true }, "clients")
		}
	}
	if recovers {
		for name, function := range s.left {
			s.doubt(name, "a panic that is recovered may leave it held in "+short(function))
		}
	}
	for _, e := range s.endlessGroups() {
		others[e] = true
	}
	maps.DeleteFunc(others, func(_ Event, matters bool) bool { return !matters })
	all := s.settled(others)
	all.Counts, all.Polls, all.Promised = counts, polls, slices.Sorted(maps.Keys(s.promised))
	s.findUsers(all)
	return all, nil
}

// withStandard returns what a node waits for itself, and in the standard library.
func (s *settler) withStandard(n *pointsto.Node) []Event {
	all := slices.Clip(s.ownWithin(n).events)
	for _, e := range s.graph.Calls(n) {
		if !e.IsStart() && s.originOf(e.Callee.Func) == Standard && s.isFollowed(e.Site, e.Callee) {
			all = append(all, s.withinReached(e.Callee).events...)
		}
	}
	return all
}

// withWrappers also tells whose the functions are that the compiler makes to call a method: those of the type that has
// the method, be it by a field. What they do to a lock is done for that type. Where the method is itself an operation,
// as that of a lock, it is done for whom has it as a value: that may be anybody.
func withWrappers(originOf func(*ssa.Function) Origin) func(*ssa.Function) Origin {
	return func(fn *ssa.Function) Origin {
		origin := originOf(fn)
		if fn.Origin() != nil { // an instance of what is generic is none
			return origin
		}
		if origin == Standard && fn.Pkg == nil && fn.Parent() == nil && callsPrimitive(fn) {
			return Own
		}
		inputs := append(slices.Clone(fn.Params), nil)[:1]
		if fn.Pkg != nil || fn.Parent() != nil || origin != Standard || inputs[0] == nil {
			return origin
		}
		t := types.Unalias(inputs[0].Type())
		if p, ok := t.(*types.Pointer); ok {
			t = types.Unalias(p.Elem())
		}
		if isOfStandard(t) {
			return Standard
		}
		return Own
	}
}

// isOfStandard tells whether the standard library has a type, or all that a struct type without a name has in it.
func isOfStandard(t types.Type) bool {
	switch t := t.(type) {
	case *types.Named:
		return t.Obj().Pkg() == nil || knowledge.IsStandardPath(t.Obj().Pkg().Path())
	case *types.Struct:
		for f := range t.Fields() {
			inner := types.Unalias(f.Type())
			if p, ok := inner.(*types.Pointer); ok {
				inner = types.Unalias(p.Elem())
			}
			if !isOfStandard(inner) {
				return false
			}
		}
		return t.NumFields() > 0
	}
	return false
}

// callsPrimitive tells whether a function calls an operation.
func callsPrimitive(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if call, ok := instr.(*ssa.Call); ok {
				if callee := call.Call.StaticCallee(); callee != nil && isPrimitive(callee) {
					return true
				}
			}
		}
	}
	return false
}

// settler is the state.
type settler struct {
	*walker
	*addresses
	poll      *limit.Poll
	balances  map[*pointsto.Node]balance
	inside    map[*pointsto.Node]*within // see ownWithin
	reaching  map[*pointsto.Node]*within // see withinReached
	notes     bool                       // all balances are known
	locks     map[string]*Settled
	before    map[string]map[string]bool // what may be waited for while a lock is held
	left      map[string]string          // locks that a panic may leave held, and in which function
	copied    map[string]string          // what is copied with the locks in it, and in which function
	unknown   string                     // a function that operates on a lock of which nothing is known
	unsettled map[string]bool            // locks of functions whose balance was not found
	promised  map[string]bool            // see Settlement.Promised
	library   map[string][]Event         // see startedByLibrary
	groups    map[*ssa.Alloc]*group      // see groupOf
	unseen    *unseen                    // see mayBeUnseen
	// see hasOtherContexts
	otherContexts *bool
}

// grip is that a lock is held.
type grip struct {
	names  string // that the lock may have, each on a line
	shared bool
}

func gripOf(names []string, shared bool) grip {
	slices.Sort(names)
	return grip{strings.Join(slices.Compact(names), "\n"), shared}
}

// each returns the names that the lock may have.
func (g grip) each() iter.Seq[string] {
	return func(yield func(string) bool) {
		for line := range strings.Lines(g.names) {
			if !yield(strings.TrimSuffix(line, "\n")) {
				return
			}
		}
	}
}

// way is how locks are held on a way through a function.
type way struct {
	held     map[address]grip
	released map[address]grip // locks of the caller
	defers   []*ssa.Defer
}

func newWay() way { return way{map[address]grip{}, map[address]grip{}, nil} }

func (w way) clone() way {
	return way{maps.Clone(w.held), maps.Clone(w.released), slices.Clone(w.defers)}
}

func (w way) equal(v way) bool {
	return maps.Equal(w.held, v.held) && maps.Equal(w.released, v.released) && slices.Equal(w.defers, v.defers)
}

// balance is what a call of a node leaves to its caller, by addresses of the callee.
type balance struct{ takes, releases map[address]grip }

func (b balance) isEven() bool { return len(b.takes)+len(b.releases) == 0 }

func (b balance) equal(c balance) bool {
	return maps.Equal(b.takes, c.takes) && maps.Equal(b.releases, c.releases)
}

// maxWays bounds the ways at a block, maxDefers the deferred calls on one, maxRounds how often the balance of a node
// may change.
const (
	maxWays   = 16
	maxDefers = 12
	maxRounds = 12
)

// solve finds the balance of all nodes.
func (s *settler) solve() {
	var queue []*pointsto.Node
	queued, rounds := map[*pointsto.Node]bool{}, map[*pointsto.Node]int{}
	add := func(n *pointsto.Node) {
		if !queued[n] && s.originOf(n.Func) == Own {
			queued[n] = true
			queue = append(queue, n)
		}
	}
	for _, e := range s.graph.CallsTo(knowledge.Locks) {
		add(e.Caller)
	}
	for len(queue) > 0 {
		s.poll.Check()
		n := queue[0]
		queue, queued[n] = queue[1:], false
		now := s.walk(n)
		if now.equal(s.balances[n]) {
			continue
		}
		if rounds[n]++; rounds[n] > maxRounds {
			for _, g := range slices.AppendSeq(slices.Collect(maps.Values(now.takes)), maps.Values(now.releases)) {
				for name := range g.each() {
					s.unsettled[name] = true
				}
			}
			continue
		}
		s.balances[n] = now
		for _, e := range s.graph.Callers(n) {
			if !e.IsStart() {
				add(e.Caller)
			}
		}
	}
}

// doubt notes why a lock is not settled: the first reason counts.
func (s *settler) doubt(name, why string) {
	if l := s.lock(name, nil); s.notes && l.Doubt == "" {
		l.Doubt = why
	}
}

func (s *settler) doubtGrip(g grip, why string) {
	for name := range g.each() {
		s.doubt(name, why)
	}
}

func (s *settler) doubtHeld(held map[address]grip, why string) {
	for _, g := range held {
		s.doubtGrip(g, why)
	}
}

func (s *settler) doubtAll(b balance, why string) {
	s.doubtHeld(b.takes, why)
	s.doubtHeld(b.releases, why)
}

func (s *settler) lock(name string, taken ssa.Instruction) *Settled {
	l := s.locks[name]
	if l == nil {
		l = &Settled{Name: name}
		s.locks[name] = l
	}
	if l.Taken == nil {
		l.Taken = taken
	}
	return l
}

// leaveTo notes what is wrong with what a node leaves to callers that do not go on from there: those that start it, and
// those that are not the program's own.
func (s *settler) leaveTo(n *pointsto.Node) {
	b := s.balances[n]
	if b.isEven() {
		return
	}
	isRoot := slices.Contains(s.graph.Roots(), n)
	for _, e := range s.graph.Callers(n) {
		isRoot = isRoot || e.IsStart() || s.originOf(e.Caller.Func) != Own
	}
	if isRoot {
		s.doubtHeld(b.takes, short(s.name(n.Func))+" returns with it held")
		s.doubtHeld(b.releases, short(s.name(n.Func))+" releases it without holding it")
	}
}

// operatesOn notes the locks that code operates on itself which is not the program's own, where that is looked at.
func (s *settler) operatesOn(n *pointsto.Node, isLookedAt func(ssa.CallInstruction) bool, who string) {
	if isPrimitive(n.Func) {
		return
	}
	for _, b := range n.Func.Blocks {
		for _, instr := range b.Instrs {
			for _, op := range s.operationsAt(n, instr) {
				for _, name := range op.locks {
					if isLookedAt(instr.(ssa.CallInstruction)) {
						s.doubt(name, who+" may take or release it")
					}
				}
			}
		}
	}
}

// started notes the locks that a node operates on by a go statement, and returns what else it waits for so.
func (s *settler) started(n *pointsto.Node) (all []Event) {
	for _, b := range n.Func.Blocks {
		for _, instr := range b.Instrs {
			site, ok := instr.(*ssa.Go)
			if !ok {
				continue
			}
			starts := s.graph.Callees(n, site)
			for _, op := range s.operationsOf(n, site, starts) {
				for _, name := range op.locks {
					s.lock(name, site)
					s.doubt(name, "a goroutine that "+short(s.name(n.Func))+" starts does nothing but take or release it")
				}
				if len(op.locks) == 0 {
					s.unknown = s.name(n.Func)
				}
			}
			for _, callee := range starts {
				if what := waiting(callee.Func); what != "" {
					all = append(all, Event{What: what, Function: s.name(n.Func)})
				}
				if knowledge.IsCondWait(callee.Func) {
					all = append(all, Event{What: "waits for a signal", Function: s.name(n.Func)})
				}
			}
		}
	}
	return all
}

// isRecovering tells whether a function of the program recovers, or one that serves requests and does.
func (s *settler) isRecovering(fn *ssa.Function) bool {
	return (s.originOf(fn) == Own || knowledge.PackagePath(fn) == "net/http") && ssaflow.CallsRecover(fn)
}

// isAssumed tells whether it is assumed that a wait ends.
func isAssumed(e Event) bool {
	switch e.What {
	case "may wait for the operating system", "calls C", "waits for input", letsTimePass:
		return true
	}
	return false
}

// settled puts the answers together.
func (s *settler) settled(others map[Event]bool) *Settlement {
	for name, l := range s.locks {
		switch prefix, function := s.copyOf(name); {
		case s.unknown != "":
			s.doubt(name, short(s.unknown)+" operates on a lock of which it is not known which one it is")
		case s.unsettled[name]:
			s.doubt(name, "it is not known how functions that call themselves leave it")
		case prefix != "" && l.Doubt == "":
			s.doubt(name, short(prefix)+" is copied or assigned in "+short(function))
		}
	}
	cyclic := s.cyclic()
	for changed := true; changed; {
		changed = false
		for _, from := range slices.Sorted(maps.Keys(s.before)) { // the first reason counts
			for _, other := range slices.Sorted(maps.Keys(s.before[from])) {
				l := s.locks[other]
				if s.lock(from, nil).Doubt == "" && (cyclic[from] || l == nil || l.Doubt != "") {
					why := "it is held while " + short(other) + " is taken, of which that is not certain"
					if cyclic[from] {
						why = "it is held while " + short(other) + " is taken, and the other way round"
						if other == from {
							why = "one lock of the name is taken while one is held"
						}
					}
					s.locks[from].Doubt, changed = why, true
				}
			}
		}
	}
	all := &Settlement{}
	for _, name := range slices.Sorted(maps.Keys(s.locks)) {
		if l := s.locks[name]; l.Taken != nil && s.originOf(l.Taken.Parent()) == Own {
			all.Locks = append(all.Locks, *l)
		}
	}
	all.Others = slices.SortedFunc(maps.Keys(others), func(a, b Event) int {
		return cmp.Or(cmp.Compare(a.Function, b.Function), cmp.Compare(a.What, b.What))
	})
	for _, e := range all.Others {
		if strings.HasPrefix(e.Function, "(*io.pipe).") || strings.HasPrefix(e.Function, "(*net.pipe).") {
			all.Pipe = e.Function
		}
	}
	return all
}

// cyclic returns the locks that are on a cycle.
func (s *settler) cyclic() map[string]bool {
	on := map[string]bool{}
	for from := range s.before {
		seen := map[string]bool{}
		for queue := slices.Collect(maps.Keys(s.before[from])); len(queue) > 0; queue = queue[1:] {
			if at := queue[0]; !seen[at] {
				seen[at] = true
				queue = slices.AppendSeq(queue, maps.Keys(s.before[at]))
			}
		}
		on[from] = seen[from]
	}
	return on
}

// note notes that something is waited for while locks are held.
func (s *settler) note(held map[address]grip, e Event) {
	if !s.notes || len(held) == 0 || isAssumed(e) {
		return
	}
	if e.What == waitsForLibrary {
		for _, e := range s.startedByLibrary(e.Function) {
			s.note(held, e)
		}
		return
	}
	for _, g := range held {
		for name := range g.each() {
			if e.What != "" {
				s.doubt(name, fmt.Sprintf("it is held while %s %s", short(e.Function), e.What))
				continue
			}
			if s.before[name] == nil {
				s.before[name] = map[string]bool{}
			}
			s.before[name][e.Lock.Name] = true
		}
	}
}
