package modref

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// callbacks is the kept functions that a function without a modelled body can run.
type callbacks struct {
	Called  []*pointsto.Node // while it runs
	Started []pointsto.Edge  // at any time later: on a goroutine of the runtime's; how each is found first; or passages

	Swallows bool                    // some function in between goes on when they panic
	outside  map[*pointsto.Node]bool // who else than a logger that holds its lock calls; nil if that is not known
}

// IsSerialised tells whether nothing calls the node but a logger that holds its lock.
func (c callbacks) IsSerialised(n *pointsto.Node) bool { return c.outside != nil && !c.outside[n] }

// CallbacksOf returns the kept nodes that callee calls back: from the body of a
// function in the tables, or of a goroutine that it starts, or from one that has no
// body (where they may also run on another goroutine, unless it calls them at once).
func (l *Facts) CallbacksOf(callee *pointsto.Node) callbacks {
	found, known := l.callbacks[callee]
	if !known {
		found = l.findCallbacks(callee)
		l.callbacks[callee] = found
	}
	return found
}

// CallbacksAt is CallbacksOf for one call of callee: none if what it is handed has no method that is kept.
func (l *Facts) CallbacksAt(n *pointsto.Node, at ssa.CallInstruction, callee *pointsto.Node) callbacks {
	if !l.prints(pointsto.Edge{Caller: n, Site: at, Callee: callee}) {
		return callbacks{}
	}
	return l.CallbacksOf(callee)
}

// prints tells whether a call leads to what is kept, if it is one of a function that formats.
func (l *Facts) prints(e pointsto.Edge) bool {
	return !l.Graph.IsOfClass(e.Callee, knowledge.Formatters) || l.Graph.IsOfClass(e.Caller, knowledge.Formatters) ||
		slices.ContainsFunc(l.Kept.Printing.Callees(e), l.LeadsToKept)
}

// findCallbacks is callbacksOf at the first time.
func (l *Facts) findCallbacks(callee *pointsto.Node) callbacks {
	type reached struct {
		node    *pointsto.Node
		started bool // on another goroutine
	}
	found := callbacks{outside: map[*pointsto.Node]bool{}}
	if !l.MayCallBack(callee) {
		return found
	}
	if l.Kept.Passages[callee] {
		return l.ExitSets().of(callee)
	}
	seen := map[reached]bool{{callee, false}: true}
	work := []reached{{callee, false}}
	inside := knowledge.IsSynchronisation(callee.Func) // of a container, nothing is modelled but the operation
	for len(work) > 0 {
		at := work[0]
		work = work[1:]
		found.Swallows = found.Swallows || !at.started && l.swallowsPanics(at.node)
		later := l.Bodiless(at.node) && !knowledge.CallsAtOnce(at.node.Func)
		_, serialises := knowledge.SerialisesOutput(at.node.Func)
		for _, e := range l.Graph.Calls(at.node) {
			to := reached{e.Callee, at.started || e.IsStart()}
			if !serialises {
				found.outside[e.Callee] = true
			}
			if seen[to] || l.Kept.Kept[e.Callee] && l.IsHandedNothing(at.node, e) ||
				knowledge.IsPartOfPrinting(at.node.Func, e.Callee.Func) || !l.prints(e) {
				continue
			}
			seen[to] = true
			if e.IsStart() && len(l.Kept.Passages) > 0 && !l.Kept.Kept[e.Callee] && l.MayCallBack(e.Callee) {
				found.Started = append(found.Started, e)
				continue
			}
			if !l.Kept.Kept[e.Callee] || inside && knowledge.IsSynchronisation(e.Callee.Func) {
				if l.MayCallBack(e.Callee) {
					work = append(work, to)
				}
				continue
			}
			if (to.started || later) && !slices.ContainsFunc(found.Started, func(other pointsto.Edge) bool {
				return other.Callee == e.Callee
			}) {
				found.Started = append(found.Started, e)
			}
			if !to.started {
				found.Called = appendNew(found.Called, e.Callee)
			}
		}
	}
	return found
}

// appendNew appends n unless it is there.
func appendNew(all []*pointsto.Node, n *pointsto.Node) []*pointsto.Node {
	if slices.Contains(all, n) {
		return all
	}
	return append(all, n)
}

// Bodiless tells whether a kept node has no body to lower: what it does is to call
// back.
func (l *Facts) Bodiless(n *pointsto.Node) bool {
	return len(n.Func.Blocks) == 0 || !l.Graph.Analysed(n)
}

// MayCallBack tells whether a function may run kept ones without the lowering seeing
// it: those that call them, directly or through functions whose bodies are not lowered.
// Few do, and it need not be found out which ones the others run.
func (f *Facts) MayCallBack(n *pointsto.Node) bool {
	if f.callsBack != nil {
		return f.callsBack[n]
	}
	f.callsBack = map[*pointsto.Node]bool{}
	var work []*pointsto.Node
	for _, n := range f.Graph.Nodes() {
		if f.Kept.Kept[n] {
			work = append(work, n)
		}
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, p := range f.Kept.Printing.Inside(n) {
			f.callsBack[p] = true
		}
		for e := range f.Kept.Printing.Callers(n) {
			if m := e.Caller; !f.callsBack[m] {
				f.callsBack[m] = true
				if !f.Kept.Kept[m] || knowledge.IsSynchronisation(m.Func) {
					work = append(work, m)
				}
			}
		}
	}
	return f.callsBack[n]
}

// Passes tells whether a call of the node stands for what it leads to: it is in the
// tables, or a passage (see package reduce).
func (l *Facts) Passes(n *pointsto.Node) bool {
	return knowledge.CallsBackOnly(n.Func) || l.Kept.Passages[n]
}

// ExitSets returns what passages lead to.
func (l *Facts) ExitSets() *exitSets {
	if l.knownExitSets == nil {
		l.knownExitSets = l.newExitSets()
	}
	return l.knownExitSets
}

// LeadsToKept tells whether the node is kept, or runs what is.
func (l *Facts) LeadsToKept(n *pointsto.Node) bool {
	return l.Kept.Kept[n] || l.MayCallBack(n)
}

// KeptIn returns the kept nodes that a call of the node runs first, in its own goroutine:
// itself, or what it calls back.
func (l *Facts) KeptIn(n *pointsto.Node) []*pointsto.Node {
	if l.Kept.Kept[n] {
		return []*pointsto.Node{n}
	}
	return l.CallbacksOf(n).Called
}

// swallowsPanics tells whether a passage defers something that is to be seen, or
// recovers: then it goes on when what it calls has panicked.
func (l *Facts) swallowsPanics(n *pointsto.Node) bool {
	if !l.Kept.Passages[n] {
		return false
	}
	for _, e := range l.Graph.Calls(n) {
		if _, isDefer := e.Site.(*ssa.Defer); isDefer && (l.LeadsToKept(e.Callee) || l.MayRecover(e.Callee, 0)) {
			return true
		}
	}
	return false
}

// PrintsItself tells whether the checked type has a method that the formatting
// function calls instead of reading its fields.
func (l *Facts) PrintsItself(printer *ssa.Function) bool {
	if l.Stars.Subject.Type == nil {
		return false
	}
	if l.methods == nil {
		l.methods = types.NewMethodSet(types.NewPointer(l.Stars.Subject.Type))
	}
	for _, name := range knowledge.Printers(printer) {
		if l.methods.Lookup(l.Stars.Subject.Type.Obj().Pkg(), name) != nil {
			return true
		}
	}
	return false
}

// IsAwaited tells whether some operation of the model may wait for the context to be
// cancelled.
func (l *Facts) IsAwaited(o *pointsto.Object) bool {
	if l.Kept.Contexts[o] != nil {
		return true
	}
	for _, c := range l.Kept.Contexts {
		for _, a := range c.Ancestors {
			if a == o {
				return true
			}
		}
	}
	return false
}
