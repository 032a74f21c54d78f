package reduce

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// accesses tells whether an instruction of n may read or write a field of a star
// or memory that one leads to, so that it is an event, and records direct accesses. If n is not
// near such memory, only its calls of library functions can.
func (r *Reduction) accesses(graph *pointsto.Result, stars *isolate.Isolation, n *pointsto.Node, near bool,
	calls []ssa.Instruction, events *events) bool {
	found := false
	if r.shallow && !r.isOwn(n.Func) && !touchesHeld(graph, stars, n) {
		deep := false
		for _, b := range n.Func.Blocks {
			for _, instr := range b.Instrs {
				deep = deep || len(AccessedBy(graph, stars, n, instr)) > 0 && events.at(n, instr)
			}
		}
		if deep {
			r.Deep = append(r.Deep, n)
		}
		return false
	}
	onApart := false
	defer func() {
		if found && onApart {
			r.OnApart++
		}
	}()
	look := func(instr ssa.Instruction) {
		isAccess := false
		for _, c := range CellsAccessedBy(graph, stars, n, instr) {
			onApart = onApart || stars.IsApartAt(c)
			for _, at := range stars.LocationsAt(c) {
				isAccess = true
				if r.Direct[n] == nil {
					r.Direct[n] = map[int]bool{}
				}
				r.Direct[n][at.Star] = true
			}
		}
		found = found || isAccess && events.at(n, instr)
	}
	if !near {
		for _, call := range calls {
			look(call)
		}
		return found
	}
	for _, b := range n.Func.Blocks {
		for _, instr := range b.Instrs {
			look(instr)
		}
	}
	return found
}

// touchesHeld tells whether a node may access a star itself, or memory that a field of one holds.
func touchesHeld(graph *pointsto.Result, stars *isolate.Isolation, n *pointsto.Node) bool {
	for _, b := range n.Func.Blocks {
		for _, instr := range b.Instrs {
			for _, c := range CellsAccessedBy(graph, stars, n, instr) {
				if (len(stars.StarsAt(c)) > 0 || stars.IsHeld(c.Object)) && len(stars.LocationsAt(c)) > 0 {
					return true
				}
			}
		}
	}
	return false
}

// AccessedBy returns the fields of stars that an instruction of n may itself read or
// write, in place or in the memory that they lead to; one may be there twice.
func AccessedBy(graph *pointsto.Result, stars *isolate.Isolation, n *pointsto.Node,
	instr ssa.Instruction) (all []isolate.Location) {
	for _, c := range CellsAccessedBy(graph, stars, n, instr) {
		all = append(all, stars.LocationsAt(c)...)
	}
	return all
}

// CellsAccessedBy returns the memory that an instruction of n may itself read or
// write, so far as there are locations in it; some may be there twice.
func CellsAccessedBy(graph *pointsto.Result, stars *isolate.Isolation, n *pointsto.Node,
	instr ssa.Instruction) []pointsto.Cell {
	var all []pointsto.Cell
	for _, pointer := range Pointers(instr) {
		all = append(all, graph.PointsToWithin(n, pointer, stars.Region())...)
	}
	for _, o := range libraryOperands(graph, stars, n, instr) {
		all = append(all, DeepCells(graph, stars, n, o.value, o.effect)...)
	}
	return all
}

// cellsOf returns the cells that v may point to.
func cellsOf(graph *pointsto.Result, n *pointsto.Node, v ssa.Value) []pointsto.Cell {
	return graph.PointsTo(n, v).Cells()
}

// Pointers returns the operands through which the instruction accesses memory.
func Pointers(instr ssa.Instruction) []ssa.Value {
	switch v := instr.(type) {
	case *ssa.Store:
		return []ssa.Value{v.Addr}
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return []ssa.Value{v.X}
		}
	case *ssa.Lookup:
		return []ssa.Value{v.X}
	case *ssa.MapUpdate:
		return []ssa.Value{v.Map}
	case *ssa.Range:
		return []ssa.Value{v.X}
	case *ssa.Convert:
		if ReadsElements(v) {
			return []ssa.Value{v.X}
		}
	case *ssa.Next:
		if iterator, ok := v.Iter.(*ssa.Range); ok {
			return []ssa.Value{iterator.X}
		}
	case ssa.CallInstruction:
		if _, ok := v.Common().Value.(*ssa.Builtin); ok {
			return v.Common().Args
		}
	}
	return nil
}

// ReadsElements tells whether the conversion is of a slice to a string, which reads the
// elements.
func ReadsElements(v *ssa.Convert) bool {
	_, isSlice := v.X.Type().Underlying().(*types.Slice)
	return isSlice
}

// Receiver returns the receiver of a method call.
func Receiver(c *ssa.CallCommon) ssa.Value {
	if c.IsInvoke() {
		return c.Value
	}
	if len(c.Args) == 0 {
		return c.Value // a bound method: the closure
	}
	return c.Args[0]
}
