package reduce

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// maxOpaque bounds the functions of libraries of which it is followed what code that nobody
// understands does for them.
const maxOpaque = 16

// leaveOutOpaque leaves out of the model what functions of libraries may do to the stars by
// reflection, or by code without a body in Go, if there are too many of them: in a large program
// nearly everything can be reached from nearly everywhere. It is an assumption of the answer. What
// the user's own code hands to such code is never left out. The calls are those of library
// functions in the tables, by caller and instruction.
func (r *Reduction) leaveOutOpaque(
	graph *pointsto.Result, stars *isolate.Isolation, calls []pointsto.Edge, isOwn func(*ssa.Function) bool,
) {
	count, last := 0, (*pointsto.Node)(nil)
	for i, e := range calls {
		if e.Caller == last || i > 0 && e.Caller == calls[i-1].Caller && e.Site == calls[i-1].Site ||
			isOwn(e.Caller.Func) || !reachesOpaquely(graph, stars, e) {
			continue
		}
		last = e.Caller
		if count++; count > maxOpaque {
			r.LeftOut = e.Caller
			stars.LeaveOut(isOwn)
			return
		}
	}
}

// reachesOpaquely tells whether a call hands what leads to the stars to code that nobody
// understands.
func reachesOpaquely(graph *pointsto.Result, stars *isolate.Isolation, e pointsto.Edge) bool {
	return slices.ContainsFunc(libraryOperands(graph, stars, e.Caller, e.Site), func(operand libraryOperand) bool {
		return operand.effect.All && len(DeepCells(graph, stars, e.Caller, operand.value, operand.effect)) > 0
	})
}

// DeepCells returns the memory of locations that a function with the effect gets at which is
// handed v: what v may point to and, if it is a slice (of arguments), what its elements may
// point to; or everything that an encoder gets at from there, or that can be reached.
func DeepCells(graph *pointsto.Result, stars *isolate.Isolation, n *pointsto.Node, v ssa.Value,
	effect knowledge.Effect) []pointsto.Cell {
	switch {
	case effect.All:
		return ofItsType(graph.ReachedWithin(n, v, stars.Region()), v.Type())
	case effect.Deep:
		return graph.EncodedWithin(n, v, stars.Region())
	}
	cells := graph.PointsToWithin(n, v, stars.Region())
	if _, isSlice := v.Type().Underlying().(*types.Slice); isSlice {
		cells = append(cells, graph.ElementsWithin(n, v, stars.Region())...)
	}
	return cells
}

// ofItsType returns those of the cells that can be reached through a pointer or slice of the type:
// one to numbers reaches numbers of that kind only, whatever casts in libraries have mixed up. (To
// take memory of one type for another is an assumption of its own.)
func ofItsType(cells []pointsto.Cell, t types.Type) []pointsto.Cell {
	var element types.Type
	switch u := t.Underlying().(type) {
	case *types.Slice:
		element = u.Elem()
	case *types.Pointer:
		element = u.Elem()
		if array, ok := element.Underlying().(*types.Array); ok {
			element = array.Elem()
		}
	default:
		return cells
	}
	basic, ok := element.Underlying().(*types.Basic)
	if !ok || basic.Info()&types.IsNumeric == 0 {
		return cells
	}
	return slices.DeleteFunc(cells, func(c pointsto.Cell) bool {
		switch held := c.Type(); u := underlying(held).(type) {
		case *types.Basic:
			return u.Kind() != basic.Kind()
		case *types.Pointer, *types.Interface, *types.Map, *types.Chan, *types.Signature, *types.Slice:
			return true
		}
		return false
	})
}

func underlying(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	return t.Underlying()
}

// libraryOperand is an argument whose memory a library function in the tables accesses.
type libraryOperand struct {
	value  ssa.Value
	effect knowledge.Effect
}

// EffectIn returns what a function of a library does, if it is in the tables, where n calls it: less what is
// told where n is called itself.
func EffectIn(stars *isolate.Isolation, n *pointsto.Node, callee *ssa.Function) (knowledge.Effect, bool) {
	effect, known := knowledge.Accesses(callee)
	if knowledge.IsToldByCaller(n.Func, effect) || effect.All && stars.IsLeftOut(n) {
		return knowledge.Effect{Alone: effect.Alone && !effect.All}, known
	}
	return effect, known
}

// LibraryWrites tells whether a function of a library, in the tables, that a call can run may write what it is handed.
func LibraryWrites(graph *pointsto.Result, stars *isolate.Isolation, n *pointsto.Node, instr ssa.Instruction) bool {
	return slices.ContainsFunc(libraryOperands(graph, stars, n, instr), func(o libraryOperand) bool {
		return o.effect.Writes
	})
}

// libraryOperands returns the arguments whose memory is accessed by the functions of
// libraries, in the tables, that a call can run.
func libraryOperands(graph *pointsto.Result, stars *isolate.Isolation, n *pointsto.Node, instr ssa.Instruction) (
	all []libraryOperand) {
	call, ok := instr.(ssa.CallInstruction)
	if !ok {
		return nil
	}
	for _, callee := range graph.Callees(n, call) {
		if !graph.IsOfClass(callee, knowledge.Accessors) {
			continue
		}
		effect, _ := EffectIn(stars, n, callee.Func)
		if !effect.Reads && !effect.Writes {
			continue
		}
		for _, v := range effect.Operands(ssaflow.Arguments(call.Common())) {
			all = append(all, libraryOperand{v, effect})
		}
	}
	return all
}
