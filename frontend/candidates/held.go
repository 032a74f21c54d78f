package candidates

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// lockOperation tells which operation on a lock a call is, if it can be nothing else.
func (f *finder) lockOperation(n *pointsto.Node, site ssa.CallInstruction) (knowledge.LockOp, bool) {
	common := site.Common()
	if fn := common.StaticCallee(); fn != nil {
		for _, p := range f.asLoaded() {
			if op, ok := p.SpinLocks.Operation(site); ok {
				return op, true
			}
		}
		return knowledge.LockOperation(fn)
	}
	if !common.IsInvoke() {
		return 0, false
	}
	switch common.Method.Name() {
	case "Lock", "Unlock", "RLock", "RUnlock", "TryLock", "TryRLock":
	default:
		return 0, false
	}
	var op knowledge.LockOp
	callees := f.graph.Callees(n, site)
	for i, callee := range callees {
		o, ok := knowledge.LockOperation(callee.Func)
		if !ok || i > 0 && o != op {
			return 0, false
		}
		op = o
	}
	return op, len(callees) > 0
}

// isBoundRelease tells whether a node is the method value l.Unlock, or the like, of some lock.
func (f *finder) isBoundRelease(n *pointsto.Node) bool {
	if len(n.Func.FreeVars) != 1 || n.Func.Parent() != nil {
		return false
	}
	for _, b := range n.Func.Blocks {
		for _, instr := range b.Instrs {
			if call, ok := instr.(*ssa.Call); ok {
				if op, ok := f.lockOperation(n, call); ok {
					return op == knowledge.Unlock || op == knowledge.RUnlock || op == knowledge.TryUnlock
				}
			}
		}
	}
	return false
}

// balanceOf returns what a call of a node does to the locks, in the callee's terms. A
// recursive call is taken to do nothing.
func (f *finder) balanceOf(a activation) *balance {
	if b := f.balances[a]; b != nil {
		return b
	}
	b := &balance{}
	f.balances[a] = b
	fl := &flow{finder: f, activation: a}
	fl.run(lockset{})
	b.taken, b.released, b.unknown = fl.exit, f.notRetaken(a, fl.undone), fl.lost
	return b
}

// notRetaken returns those of the locks that a call releases, and does not hold when it returns, if they were held
// before it. A lock is let go of while a listener is called, and taken again, in
//
//	if listener != nil {
//		mu.Unlock()
//		listener(event)
//		mu.Lock()
//	}
func (f *finder) notRetaken(a activation, released []lock) []lock {
	if len(released) == 0 {
		return nil
	}
	fl := &flow{finder: f, activation: a}
	entry := lockset{}
	for _, l := range released {
		entry[l] = writing
	}
	fl.run(entry)
	return slices.DeleteFunc(slices.Clone(released), func(l lock) bool { return fl.exit[l] == writing })
}

// toCaller translates a lock of the callee into the terms of the function that calls it.
func (f *finder) toCaller(l lock, site ssa.CallInstruction, callee *pointsto.Node) lock {
	for i, p := range callee.Func.Params {
		if l.at.root != p {
			continue
		}
		if arg := argument(site, i); arg != nil {
			outer := placeOf(arg)
			l.at = place{outer.root, outer.path + l.at.path}
			return l
		}
	}
	for i, v := range callee.Func.FreeVars {
		if closure, ok := site.Common().Value.(*ssa.MakeClosure); ok && l.at.root == v {
			outer := placeOf(closure.Bindings[i])
			l.at = place{outer.root, outer.path + l.at.path}
			return l
		}
	}
	return l.forgotten()
}

// toCallee translates a lock that is held at a call into the terms of what is called.
func (f *finder) toCallee(l lock, site ssa.CallInstruction, callee *pointsto.Node) lock {
	if l.at.root == nil {
		return l
	}
	inner, found := place{}, false
	try := func(outer ssa.Value, root ssa.Value) {
		if rest, ok := l.at.within(placeOf(outer)); ok && (!found || len(rest) < len(inner.path)) {
			inner, found = place{root, rest}, true
		}
	}
	for i, p := range callee.Func.Params {
		if arg := argument(site, i); arg != nil {
			try(arg, p)
		}
	}
	if closure, ok := site.Common().Value.(*ssa.MakeClosure); ok {
		for i, v := range callee.Func.FreeVars {
			try(closure.Bindings[i], v)
		}
	}
	if !found {
		return l.forgotten()
	}
	l.at = inner
	return l
}

// argument returns the argument of a call that becomes parameter i, with the receiver
// first; nil if the call does not show it.
func argument(site ssa.CallInstruction, i int) ssa.Value {
	common := site.Common()
	args := common.Args
	if common.IsInvoke() {
		if i == 0 {
			return common.Value
		}
		i--
	}
	if i < len(args) {
		return args[i]
	}
	return nil
}

// entered is an activation, and what is known of it in all worlds, with what is held at its entry in the present one.
type entered struct {
	activation
	uses *usesIn // nil until they are asked for

	calls    []call                          // see callsOf
	areCalls bool                            // known
	free     map[ssa.CallInstruction]lockset // held at calls where nothing is held at the entry; nil until it is asked for
	world    int                             // the last one that reaches it
	held     lockset                         // at its entry, in that one: with any call
}

// call is a call that an activation makes.
type call struct {
	site          ssa.CallInstruction
	to            *entered
	isStart       bool
	isDeferred    bool // maybe by a function around this one
	isOnNewObject bool
}

// activated returns what is known of an activation.
func (f *finder) activated(a activation) *entered {
	e := f.activations[a]
	if e == nil {
		e = &entered{activation: a}
		f.activations[a] = e
	}
	return e
}

// callsOf returns the calls that an activation makes.
func (f *finder) callsOf(a *entered) []call {
	if a.areCalls {
		return a.calls
	}
	edges := f.graph.Calls(a.node)
	a.calls, a.areCalls = make([]call, 0, len(edges)), true
	for _, e := range edges {
		_, isDeferred := e.Site.(*ssa.Defer)
		a.calls = append(a.calls, call{e.Site, f.activated(a.called(e.Site, e.Callee)), e.IsStart(), isDeferred,
			f.isOnNewObject(e)})
	}
	return a.calls
}

// findEntries computes what is held at the entry of each node that the world reaches,
// whoever calls it: a must analysis over the call graph, from above. Of functions that are
// not looked into, what they call is called with what they were. A method that a
// constructor calls on its new object needs no lock for it: such calls count only for what
// nothing else calls.
func (f *finder) findEntries(w world) {
	f.later, f.reached = nil, nil
	f.world++
	for _, root := range w.roots {
		for _, n := range f.graph.NodesOf(root) {
			f.enter(f.activated(activation{node: n}), lockset{})
		}
	}
	for {
		f.propagate()
		isMore := false
		for _, a := range f.later {
			if !f.isEntered(a) {
				f.enter(a, lockset{})
				isMore = true
			}
		}
		if !isMore {
			return
		}
		f.later = nil
	}
}

// isEntered tells whether the world is known to reach an activation.
func (f *finder) isEntered(a *entered) bool { return a.world == f.world }

// enter notes that something is activated with locks held.
func (f *finder) enter(a *entered, held lockset) {
	switch {
	case !f.isEntered(a):
		a.world, a.held = f.world, held
		f.reached = append(f.reached, a)
	case !a.held.meet(held):
		return
	}
	if len(a.held) == 0 {
		f.bare = append(f.bare, a)
	} else {
		f.changed = append(f.changed, a)
	}
}

// takeChanged returns an entry to go on from; nil if there is none. Those with nothing held come first: they stay as
// they are, and what is called from there with nothing held need not be looked at with more before.
func (f *finder) takeChanged() (a *entered) {
	for len(f.bare) == 0 && len(f.changed) > 0 {
		a, f.changed = last(f.changed)
		if len(a.held) > 0 { // else it was there since, or is
			return a
		}
	}
	if len(f.bare) == 0 {
		return nil
	}
	a, f.bare = last(f.bare)
	return a
}

// last returns the last element, and those before it.
func last[T any](all []T) (T, []T) { return all[len(all)-1], all[:len(all)-1] }

// propagate goes on from where entries have changed.
func (f *finder) propagate() {
	for a := f.takeChanged(); a != nil; a = f.takeChanged() {
		f.poll.Check()
		at, isOwn := f.heldAtCalls(a), f.isOwn(a.node.Func)
		for _, c := range f.callsOf(a) {
			if c.isOnNewObject {
				f.later = append(f.later, c.to)
				continue
			}
			if f.isEntered(c.to) && len(c.to.held) == 0 {
				continue // with nothing held already
			}
			held := lockset{}
			if !c.isStart {
				there := at[c.site]
				if there == nil && isOwn && !c.isDeferred {
					continue // never executed
				}
				for l, m := range there {
					held[f.toCallee(l, c.site, c.to.node)] = m
				}
			}
			f.enter(c.to, held)
		}
	}
}

// heldAtCalls returns what is held at each call of an activation.
func (f *finder) heldAtCalls(a *entered) map[ssa.CallInstruction]lockset {
	if len(a.held) > 0 {
		return f.heldAtCallsFrom(a.activation, a.held)
	}
	if a.free == nil {
		a.free = f.heldAtCallsFrom(a.activation, a.held)
	}
	return a.free
}

// heldAtCallsFrom returns what is held at each call of an activation with locks held at its entry.
func (f *finder) heldAtCallsFrom(a activation, entry lockset) map[ssa.CallInstruction]lockset {
	at, n := map[ssa.CallInstruction]lockset{}, a.node
	if !f.isOwn(n.Func) {
		if len(entry) == 0 {
			return at
		}
		passed := lockset{}
		for l, m := range entry {
			passed[l.forgotten()] = m
		}
		for _, e := range f.graph.Calls(n) {
			at[e.Site] = passed
		}
		return at
	}
	fl := &flow{finder: f, activation: a}
	fl.visit = func(instr ssa.Instruction, held lockset) {
		switch v := instr.(type) {
		case *ssa.Call:
			at[v] = held.clone()
		case *ssa.RunDefers:
			f.heldAtDefers(fl, held, at)
		}
	}
	fl.run(entry)
	return at
}

// heldAtDefers adds what is held at the calls that are deferred: the last one is made
// first. A function that returns in several places holds there what it holds in all.
func (f *finder) heldAtDefers(fl *flow, held lockset, at map[ssa.CallInstruction]lockset) {
	held = held.clone()
	defers := defersOf(fl.node.Func)
	for i := len(defers) - 1; i >= 0; i-- {
		if known := at[defers[i]]; known == nil {
			at[defers[i]] = held.clone()
		} else {
			known.meet(held)
		}
		fl.call(defers[i], held)
	}
}
