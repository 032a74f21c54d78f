package units

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/lockset"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/reduce"
	"github.com/empire-go/empire-go/frontend/rules"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// Memory that guards itself, as a counter with a lock of its own in a registry, is left
// to itself where nobody can tell: a unit that does one thing to each such object sees
// it as if it were alone with it, whoever else does one thing to it at a time. So what
// is done to it opens units only if some unit does two things to one object, or the one
// thing that somebody does is itself not indivisible. What follows finds that out.

// step is something that an activation does to an object, in its own goroutine.
type step struct {
	object *pointsto.Object
	root   ssa.Value       // what the pointer is computed from; nil if it is not known here
	at     ssa.Instruction // an access, a call, or what begins the critical section
	many   bool            // it is done several times
	loop   *pointsto.Node  // which does it in a loop
	merged bool            // several accesses in a critical section make it up
	within bool            // a critical section
	lock   pointsto.Cell
}

// usage is what is known of the steps of all nodes.
type usage struct {
	l       *Units
	reaches map[*pointsto.Node]bool // nodes that lead to accesses
	steps   map[*pointsto.Node][]step
	open    map[*pointsto.Node]bool // being computed

	inSteps map[*pointsto.Object]bool
	several map[*pointsto.Node]bool             // that do something to more than one object
	guards  map[*pointsto.Object]map[guard]bool // by which each access is guarded
	tooMany bool                                // some node has more than maxSteps: nothing is known
	merged  map[*pointsto.Object]bool           // several accesses count as one step
}

// guard is a lock, or none.
type guard struct {
	locked bool
	lock   pointsto.Cell
}

// isUsedInSteps tells whether units may see, or do, something to the object in more
// than one step.
func (l *Units) isUsedInSteps(o *pointsto.Object) bool {
	return l.usage().tooMany || l.usage().inSteps[o]
}

// usesSeveral tells whether an activation of the node does something to more than one
// object that guards itself.
func (l *Units) usesSeveral(n *pointsto.Node) bool { return l.usage().several[n] }

// maxSteps bounds the steps of one node.
const maxSteps = 300

// usage looks at every node that leads to an access. Linear in their instructions, but
// for what a node does to many objects.
func (l *Units) usage() *usage {
	if l.knownUsage != nil {
		return l.knownUsage
	}
	u := &usage{
		l: l, reaches: map[*pointsto.Node]bool{}, steps: map[*pointsto.Node][]step{}, open: map[*pointsto.Node]bool{},
		inSteps: map[*pointsto.Object]bool{}, several: map[*pointsto.Node]bool{},
		guards: map[*pointsto.Object]map[guard]bool{}, merged: map[*pointsto.Object]bool{},
	}
	l.knownUsage = u
	var direct []*pointsto.Node
	for n := range l.Kept.Direct {
		if l.IsOfModule(n) {
			direct = append(direct, n)
			u.reaches[n] = true
		}
	}
	modref.Follow(direct, u.reaches, l.CalledIn)
	for _, n := range l.Graph.Nodes() {
		if u.reaches[n] {
			u.look(n)
		}
	}
	for o, merged := range u.merged {
		if merged && len(u.guards[o]) > 1 {
			u.inSteps[o] = true
		}
	}
	return u
}

// look finds out what one node, as a unit or on the way to one, does in several steps.
func (u *usage) look(n *pointsto.Node) {
	isUnit, all := u.mayBeUnit(n), u.of(n)
	for i, s := range all {
		passedOn := !s.within && u.isPassedOn(n, s.root)
		if !passedOn {
			u.guard(s)
		}
		many := s.many || isUnit && s.loop != nil && (s.loop != n || n.Func.Signature.Recv() != nil)
		for j, other := range all {
			switch {
			case i == j || !isUnit && s.at != other.at:
			case s.object == other.object && (s.root == other.root || s.root == nil || other.root == nil):
				many = true
			case isUnit && s.at != other.at:
				u.several[n] = true
			}
		}
		if many && !passedOn && (isUnit || !s.within) {
			u.inSteps[s.object] = true
		}
	}
}

// guard notes what an access is guarded by.
func (u *usage) guard(s step) {
	if u.guards[s.object] == nil {
		u.guards[s.object] = map[guard]bool{}
	}
	u.guards[s.object][guard{s.within, s.lock}] = true
	u.merged[s.object] = u.merged[s.object] || s.merged
}

// mayBeUnit tells whether an activation of the node, or one around it, may be a unit.
func (u *usage) mayBeUnit(n *pointsto.Node) bool {
	l := u.l
	if _, direct := l.Kept.Direct[n]; direct && l.IsOfModule(n) || l.MayBeUnit(n) {
		return true
	}
	return slices.ContainsFunc(l.Units.Named, func(name string) bool { return modref.IsNamed(n.Func, name) })
}

// isPassedOn tells whether it is for the callers of the node to tell what the root is.
func (u *usage) isPassedOn(n *pointsto.Node, root ssa.Value) bool {
	switch root.(type) {
	case *ssa.Parameter, *ssa.FreeVar:
	default:
		return false
	}
	callers := u.l.Graph.Callers(n)
	for _, e := range callers {
		if e.IsStart() || !u.reaches[e.Caller] || len(e.Caller.Func.Blocks) == 0 {
			return false
		}
	}
	return len(callers) > 0
}

// of returns the steps of an activation of the node. A node that calls itself does
// everything several times, and so may those that it calls.
func (u *usage) of(n *pointsto.Node) []step {
	if known, ok := u.steps[n]; ok || u.tooMany {
		return known
	}
	if _, isOpen := u.open[n]; isOpen {
		u.open[n] = false
		return nil
	}
	u.open[n] = true
	w := &stepWalk{usage: u, node: n, sections: u.l.lockSets.NewSections(n), loops: ssaflow.NaturalLoops(n.Func)}
	for _, b := range n.Func.Blocks {
		for _, instr := range b.Instrs {
			w.access(instr)
		}
	}
	for _, e := range u.l.Graph.Calls(n) {
		if !e.IsStart() && u.reaches[e.Callee] && e.Site.Parent() == n.Func {
			w.call(e)
		}
	}
	if len(w.all) > maxSteps {
		u.tooMany = true
		u.l.Rules.SwitchOff(rules.Steps)
	}
	if !u.open[n] {
		for i := range w.all {
			w.all[i].many = true
			u.inSteps[w.all[i].object] = true
		}
	}
	delete(u.open, n)
	u.steps[n] = w.all
	return w.all
}

// stepWalk collects the steps of a node.
type stepWalk struct {
	*usage
	node     *pointsto.Node
	sections *lockset.Sections
	loops    []map[*ssa.BasicBlock]bool
	all      []step
}

// access adds what an instruction of the user's does to contents that others have at
// hand.
func (w *stepWalk) access(instr ssa.Instruction) {
	l, n := w.l, w.node
	if !l.IsOfModule(n) {
		return
	}
	pointers, writes := reduce.Pointers(instr), modref.IsWrite(instr)
	if call, ok := instr.(*ssa.Call); ok {
		if effect, ok := ssaflow.AtomicEffect(call); ok {
			pointers, writes = call.Call.Args[:1], effect.Writes
		}
	}
	for _, pointer := range pointers {
		if !ssaflow.IsPointerLike(pointer.Type()) || !l.Graph.MayPointInto(n, pointer, l.Stars.Region()) ||
			l.Unpublished.Is(n, pointer, instr) {
			continue
		}
		for _, c := range l.Graph.PointsTo(n, pointer).Cells() {
			if len(l.Stars.Regions(c.Object)) > 0 && (writes || l.Unpublished.IsCellWritten(c)) {
				w.add(step{object: c.Object, root: ssaflow.RootOf(pointer), at: instr}, writes)
			}
		}
	}
}

// call adds what a callee does.
func (w *stepWalk) call(e pointsto.Edge) {
	for _, s := range w.of(e.Callee) {
		s.root, s.at = w.rootInCaller(e, s.root), e.Site
		w.add(s, true)
	}
}

// add adds a step. What is done to one object in one critical section is one step.
func (w *stepWalk) add(s step, writes bool) {
	if !s.within {
		if section := w.sections.Around(s.at, s.root, writes); section != nil {
			s.merged, s.many, s.loop = s.many || s.loop != nil, false, nil
			s.within, s.lock, s.at = true, section.Lock, section.From
		}
	}
	if s.loop == nil && w.isRepeated(s) {
		s.loop = w.node
	}
	for i, known := range w.all {
		if known.object != s.object || known.root != s.root || known.at != s.at || known.within != s.within ||
			known.lock != s.lock {
			continue
		}
		known.merged = known.merged || s.merged || w.sections.Begins(s.at)
		known.many = known.many || s.many || !w.sections.Begins(s.at)
		if known.loop == nil {
			known.loop = s.loop
		}
		w.all[i] = known
		return
	}
	w.all = append(w.all, s)
}

// isRepeated tells whether the step is done to the same object in a loop.
func (w *stepWalk) isRepeated(s step) bool {
	root, isComputed := s.root.(ssa.Instruction)
	for _, loop := range w.loops {
		if loop[s.at.Block()] && !(isComputed && root.Parent() == w.node.Func && loop[root.Block()]) {
			return true
		}
	}
	return false
}

// rootInCaller returns what a root in the callee is at the call, nil if that is not
// known.
func (w *stepWalk) rootInCaller(e pointsto.Edge, root ssa.Value) ssa.Value {
	common := e.Site.Common()
	switch v := root.(type) {
	case *ssa.Global:
		return v
	case *ssa.Parameter:
		args := ssaflow.Arguments(common)
		if i := slices.Index(e.Callee.Func.Params, v); len(args) == len(e.Callee.Func.Params) && i >= 0 &&
			modref.IsCalled(e) {
			return ssaflow.RootOf(args[i])
		}
	case *ssa.FreeVar:
		if made, ok := common.Value.(*ssa.MakeClosure); ok && made.Fn == e.Callee.Func {
			return ssaflow.RootOf(made.Bindings[slices.Index(e.Callee.Func.FreeVars, v)])
		}
	}
	return nil
}
