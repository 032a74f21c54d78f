package fresh

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// IsWritten reports whether something writes the memory of the object, one of those
// watched, when it is no longer fresh. What is not written after others can reach it
// never changes for them. The first question takes time linear in the functions that
// have a watched object at hand, once, and in the calls of what may write it without.
func (a *Analysis) IsWritten(o *pointsto.Object) bool { return len(a.WrittenPaths(o)) > 0 }

// IsCellWritten is IsWritten for a cell of such an object: whether something writes
// it, a part of it, or memory that it is part of.
func (a *Analysis) IsCellWritten(c pointsto.Cell) bool {
	return pointsto.OverlapsAny(a.WrittenPaths(c.Object), c.Path)
}

// WrittenPaths returns the paths in the object, one of those watched, that something writes when it is no longer fresh.
func (a *Analysis) WrittenPaths(o *pointsto.Object) []string {
	if a.written == nil {
		a.written = map[*pointsto.Object][]string{}
		a.eachWrite(a.noteWrite)
	}
	return a.written[o]
}

// Watch says which objects IsWritten will be asked about.
func (a *Analysis) Watch(objects ...*pointsto.Object) {
	a.watched, a.region = map[*pointsto.Object]bool{}, a.graph.Region(objects...)
	for _, o := range objects {
		a.watched[o] = true
	}
}

// Beside returns an analysis that watches other objects, and shares what is known of the rest.
func (a *Analysis) Beside(objects ...*pointsto.Object) *Analysis {
	other := *a
	other.written = nil
	other.Watch(objects...)
	return &other
}

// Writers returns the nodes that may write a watched object: those that have one at
// hand, or call a library function that writes all that it can reach.
func (a *Analysis) Writers() []*pointsto.Node {
	all := a.holders()
	for _, e := range a.deepWrites() {
		all = append(all, e.Caller)
	}
	slices.SortFunc(all, func(a, b *pointsto.Node) int { return a.ID - b.ID })
	return slices.Compact(all)
}

// holders returns the nodes that have a watched object at hand.
func (a *Analysis) holders() []*pointsto.Node {
	var objects []*pointsto.Object
	for o := range a.watched {
		objects = append(objects, o)
	}
	return slices.DeleteFunc(a.graph.Holders(objects...), func(n *pointsto.Node) bool { return !a.graph.Analysed(n) })
}

// deepWrites returns the calls of library functions that write all that they can reach.
func (a *Analysis) deepWrites() []pointsto.Edge {
	var all []pointsto.Edge
	for _, n := range a.graph.NodesOfClass(knowledge.Accessors) {
		if effect, _ := knowledge.Accesses(n.Func); effect.Writes && (effect.Deep || effect.All) {
			for _, e := range a.graph.Callers(n) {
				if a.graph.Analysed(e.Caller) {
					all = append(all, e)
				}
			}
		}
	}
	return all
}

// write is a write to cells of watched objects that a pointer leads to.
type write struct {
	cells   []pointsto.Cell
	node    *pointsto.Node
	pointer ssa.Value
	at      ssa.Instruction
}

// WrittenOtherwise returns, for each way to accept stores, the paths in watched objects that are
// written by other instructions than the accepted ones, fresh or not.
func (a *Analysis) WrittenOtherwise(ways ...func(*ssa.Store) bool) []map[*pointsto.Object][]string {
	all := make([]map[*pointsto.Object][]string, len(ways))
	for i := range ways {
		all[i] = map[*pointsto.Object][]string{}
	}
	a.eachWrite(func(w write) {
		store, isStore := w.at.(*ssa.Store)
		for i, accepts := range ways {
			if isStore && accepts(store) {
				continue
			}
			for _, c := range w.cells {
				if paths := all[i][c.Object]; !slices.Contains(paths, c.Path) {
					all[i][c.Object] = append(paths, c.Path)
				}
			}
		}
	})
	return all
}

// eachWrite calls note for what the program writes of the watched objects: the functions that have
// one at hand do, and those that call what writes all that it can reach do it there only.
func (a *Analysis) eachWrite(note func(write)) {
	holds := map[*pointsto.Node]bool{}
	for _, n := range a.holders() {
		holds[n] = true
		a.eachWriteIn(n, note)
	}
	for _, e := range a.deepWrites() {
		if !holds[e.Caller] && e.Start == nil && e.Site.Parent() == e.Caller.Func {
			a.writeBy(e.Caller, e.Site, e.Callee, note)
		}
	}
}

// eachWriteIn calls note for what n writes of the watched objects.
func (a *Analysis) eachWriteIn(n *pointsto.Node, note func(write)) {
	for _, b := range n.Func.Blocks {
		for _, instr := range b.Instrs {
			switch v := instr.(type) {
			case *ssa.Store:
				a.write(n, v.Addr, v, note)
			case *ssa.MapUpdate:
				a.write(n, v.Map, v, note)
			case ssa.CallInstruction:
				a.eachCallWrite(n, v, note)
			}
		}
	}
}

// eachCallWrite calls note for what a built-in function, or one of the library that is known
// by its effect, writes.
func (a *Analysis) eachCallWrite(n *pointsto.Node, call ssa.CallInstruction, note func(write)) {
	common := call.Common()
	if b, ok := common.Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "append", "copy", "delete", "clear":
			a.write(n, common.Args[0], call, note)
		}
		return
	}
	for _, callee := range a.graph.Callees(n, call) {
		// Of others, their own instructions write.
		if !a.graph.Analysed(callee) || a.graph.IsOfClass(callee, knowledge.Accessors) {
			a.writeBy(n, call, callee, note)
		}
	}
}

// writeBy calls note for what a call of n writes that runs callee.
func (a *Analysis) writeBy(n *pointsto.Node, call ssa.CallInstruction, callee *pointsto.Node, note func(write)) {
	args := ssaflow.Arguments(call.Common())
	effect, known := knowledge.Accesses(callee.Func)
	switch {
	case known && effect.All && knowledge.IsToldAtEntry(n.Func):
	case known && effect.Writes && effect.Atomic:
		a.write(n, args[0], call, note)
	case known && effect.Writes:
		for _, v := range effect.Written(args) {
			switch {
			case effect.All:
				note(write{a.graph.ReachedWithin(n, v, a.region), n, v, call})
			case effect.Deep && HoldsPointers(v.Type()):
				note(write{a.graph.EncodedWithin(n, v, a.region), n, v, call})
			default:
				a.write(n, v, call, note)
			}
		}
	case known || onlyReads(callee.Func):
	default: // nothing is known of it
		for _, v := range args {
			a.write(n, v, call, note)
		}
	}
}

// onlyReads tells whether a function without a body that is analysed, or in the
// tables, writes nothing but memory of its own.
func onlyReads(fn *ssa.Function) bool {
	if knowledge.IsSynchronisation(fn) || knowledge.Forgets(fn) || knowledge.Of(fn).Flow == knowledge.FlowCloneMap {
		return true
	}
	return fn.Pkg != nil && fn.Pkg.Pkg.Path() == "internal/bytealg"
}

// write calls note for a write through a pointer.
func (a *Analysis) write(n *pointsto.Node, pointer ssa.Value, at ssa.Instruction, note func(write)) {
	if !HoldsPointers(pointer.Type()) {
		return
	}
	if cells := a.graph.PointsToWithin(n, pointer, a.region); len(cells) > 0 {
		note(write{cells, n, pointer, at})
	}
}

// noteWrite notes a write that is not fresh.
func (a *Analysis) noteWrite(w write) {
	isNew := func(c pointsto.Cell) bool {
		return !slices.Contains(a.written[c.Object], c.Path)
	}
	if !slices.ContainsFunc(w.cells, isNew) || a.Is(w.node, w.pointer, w.at) {
		return
	}
	for _, c := range w.cells {
		if isNew(c) {
			a.written[c.Object] = append(a.written[c.Object], c.Path)
		}
	}
}
