package polling

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// Advances tells whether a way out of a loop depends on what the loop changes itself in each round: a variable that
// goes on from its last value, as a counter or the next of a list, an iteration, or a field that it stores to.
func Advances(loop map[*ssa.BasicBlock]bool) bool {
	for b := range loop {
		branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if ok && (!loop[b.Succs[0]] || !loop[b.Succs[1]]) && dependsOnProgress(branch.Cond, loop, map[ssa.Value]bool{}) {
			return true
		}
	}
	return false
}

// dependsOnProgress tells whether a value depends on what the loop changes.
func dependsOnProgress(v ssa.Value, loop map[*ssa.BasicBlock]bool, seen map[ssa.Value]bool) bool {
	instr, ok := v.(ssa.Instruction)
	if !ok || seen[v] || !loop[instr.Block()] {
		return false
	}
	seen[v] = true
	switch x := v.(type) {
	case *ssa.Next:
		return true
	case *ssa.Phi:
		for _, edge := range x.Edges {
			if leadsTo(edge, x, map[ssa.Value]bool{}) {
				return true
			}
		}
	case *ssa.Call:
		_, isBuiltin := x.Call.Value.(*ssa.Builtin)
		if !isBuiltin && !knowledge.IsPure(&x.Call) && !knowledge.LooksAtType(&x.Call) {
			return false // what it returns may be what others have stored
		}
	case *ssa.UnOp:
		if x.Op == token.ARROW {
			return false
		}
		if x.Op == token.MUL && storesTo(x.X, loop) {
			return true
		}
	}
	for _, operand := range instr.Operands(nil) {
		if *operand != nil && dependsOnProgress(*operand, loop, seen) {
			return true
		}
	}
	return false
}

// leadsTo tells whether a value is computed from another one, not being it.
func leadsTo(v, from ssa.Value, seen map[ssa.Value]bool) bool {
	instr, ok := v.(ssa.Instruction)
	if !ok || seen[v] || v == from {
		return false
	}
	seen[v] = true
	for _, operand := range instr.Operands(nil) {
		if *operand == from {
			if _, isPhi := v.(*ssa.Phi); !isPhi {
				return true
			}
		} else if *operand != nil && leadsTo(*operand, from, seen) {
			return true
		}
	}
	return false
}

// storesTo tells whether the loop stores to the field, or the variable, that an address is of.
func storesTo(address ssa.Value, loop map[*ssa.BasicBlock]bool) bool {
	for b := range loop {
		for _, instr := range b.Instrs {
			store, ok := instr.(*ssa.Store)
			if ok && (store.Addr == address || ssaflow.IsSameField(store.Addr, address)) {
				return true
			}
		}
	}
	return false
}
