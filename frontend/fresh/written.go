package fresh

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// IsWritten reports whether something writes the memory of the object, one of those
// watched, when it is no longer fresh. What is not written after others can reach it
// never changes for them. The first question takes time linear in the functions that
// have a watched object at hand, once.
func (a *Analysis) IsWritten(o *pointsto.Object) bool { return len(a.writtenPaths(o)) > 0 }

// IsCellWritten is IsWritten for a cell of such an object: whether something writes
// it, a part of it, or memory that it is part of.
func (a *Analysis) IsCellWritten(c pointsto.Cell) bool {
	return slices.ContainsFunc(a.writtenPaths(c.Object), func(path string) bool {
		return pointsto.IsWithin(path, c.Path) || pointsto.IsWithin(c.Path, path)
	})
}

// writtenPaths returns the paths in the object that writes are to.
func (a *Analysis) writtenPaths(o *pointsto.Object) []string {
	if a.written == nil {
		a.written = map[*pointsto.Object][]string{}
		for _, n := range a.Writers() {
			a.eachWrite(n, a.noteWrite)
		}
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

// Writers returns the nodes that may write a watched object: those that have one at
// hand, or call a library function that writes all that it can reach.
func (a *Analysis) Writers() []*pointsto.Node {
	near := map[*pointsto.Node]bool{}
	var objects []*pointsto.Object
	for o := range a.watched {
		objects = append(objects, o)
	}
	for _, n := range a.graph.Holders(objects...) {
		near[n] = true
	}
	for _, n := range a.graph.NodesOfClass(knowledge.Accessors) {
		if effect, _ := knowledge.Accesses(n.Func); effect.Writes && (effect.Deep || effect.All) {
			for _, e := range a.graph.Callers(n) {
				near[e.Caller] = true
			}
		}
	}
	var all []*pointsto.Node
	for _, n := range a.graph.Nodes() {
		if near[n] && a.graph.Analysed(n) {
			all = append(all, n)
		}
	}
	return all
}

// write is a write to cells that a pointer leads to.
type write struct {
	cells   []pointsto.Cell
	node    *pointsto.Node
	pointer ssa.Value
	at      ssa.Instruction
}

// WrittenOtherwise returns the paths in watched objects that are written by other instructions
// than the stores which the caller accepts, fresh or not.
func (a *Analysis) WrittenOtherwise(accepts func(*ssa.Store) bool) map[*pointsto.Object][]string {
	all := map[*pointsto.Object][]string{}
	for _, n := range a.Writers() {
		a.eachWrite(n, func(w write) {
			if store, ok := w.at.(*ssa.Store); ok && accepts(store) {
				return
			}
			for _, c := range w.cells {
				if a.watched[c.Object] && !slices.Contains(all[c.Object], c.Path) {
					all[c.Object] = append(all[c.Object], c.Path)
				}
			}
		})
	}
	return all
}

// eachWrite calls note for what n writes.
func (a *Analysis) eachWrite(n *pointsto.Node, note func(write)) {
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
		effect, known := knowledge.Accesses(callee.Func)
		switch {
		case known && effect.All && knowledge.IsToldAtEntry(n.Func):
		case known && effect.Writes && effect.Atomic:
			a.write(n, common.Args[0], call, note)
		case known && effect.Writes:
			for _, v := range effect.Written(common.Args) {
				switch {
				case effect.All:
					note(write{a.graph.ReachedWithin(n, v, a.region), n, v, call})
				case effect.Deep && HoldsPointers(v.Type()):
					note(write{a.graph.EncodedWithin(n, v, a.region), n, v, call})
				default:
					a.write(n, v, call, note)
				}
			}
		case known || a.graph.Analysed(callee) || onlyReads(callee.Func):
		default: // nothing is known of it
			for _, v := range common.Args {
				a.write(n, v, call, note)
			}
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
	if HoldsPointers(pointer.Type()) {
		note(write{a.graph.PointsTo(n, pointer).Cells(), n, pointer, at})
	}
}

// noteWrite notes a write that is not fresh.
func (a *Analysis) noteWrite(w write) {
	isNew := func(c pointsto.Cell) bool {
		return a.watched[c.Object] && !slices.Contains(a.written[c.Object], c.Path)
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
