package shared

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/reduce"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// access is an access by an instruction of a node to memory that has an owner.
type access struct {
	node    *pointsto.Node
	instr   ssa.Instruction
	pointer ssa.Value
	cells   []pointsto.Cell

	isWrite, isAtomic bool
}

// accesses tells of each access of a node.
func (f *finder) accesses(n *pointsto.Node, tell func(access)) {
	for _, b := range n.Func.Blocks {
		for _, instr := range b.Instrs {
			for _, pointer := range reduce.Pointers(instr) {
				if cells := f.graph.PointsToWithin(n, pointer, f.region); len(cells) > 0 {
					tell(access{n, instr, pointer, cells, writes(instr, pointer), false})
				}
			}
			if call, ok := instr.(ssa.CallInstruction); ok {
				f.ofLibraries(n, call, tell)
			}
		}
	}
}

// writes tells whether an instruction may write through one of its pointers.
func writes(instr ssa.Instruction, pointer ssa.Value) bool {
	switch v := instr.(type) {
	case *ssa.Store, *ssa.MapUpdate:
		return true
	case ssa.CallInstruction:
		switch v.Common().Value.Name() {
		case "append", "copy":
			return v.Common().Args[0] == pointer
		case "clear", "delete":
			return true
		}
	}
	return false
}

// ofLibraries tells of accesses by functions of libraries that a table speaks for, or that are not known.
func (f *finder) ofLibraries(n *pointsto.Node, call ssa.CallInstruction, tell func(access)) {
	for _, callee := range f.graph.Callees(n, call) {
		if !f.graph.IsOfClass(callee, knowledge.Accessors) {
			continue
		}
		effect, _ := knowledge.Accesses(callee.Func)
		if !effect.Reads && !effect.Writes {
			continue
		}
		for _, v := range effect.Operands(ssaflow.Arguments(call.Common())) {
			if cells := f.operand(n, v, effect); len(cells) > 0 {
				tell(access{n, call, v, cells, effect.Writes, effect.Atomic})
			}
		}
	}
}

// operand returns the memory that a function with the effect gets at which is handed v.
func (f *finder) operand(n *pointsto.Node, v ssa.Value, effect knowledge.Effect) []pointsto.Cell {
	switch {
	case effect.All:
		return f.graph.ReachedWithin(n, v, f.region)
	case effect.Deep:
		return f.graph.EncodedWithin(n, v, f.region)
	}
	cells := f.graph.PointsToWithin(n, v, f.region)
	if _, isSlice := v.Type().Underlying().(*types.Slice); isSlice {
		cells = append(cells, f.graph.ElementsWithin(n, v, f.region)...)
	}
	return cells
}
