package modref

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/reduce"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// IsLookCall tells whether the instruction calls one function, by its name or as a parameter, which does nothing
// but look at the atomic set and compute its result from that and its arguments.
func (l *Facts) IsLookCall(n *pointsto.Node, instr ssa.Instruction) bool {
	call, ok := instr.(*ssa.Call)
	if !ok || call.Call.IsInvoke() {
		return false
	}
	if _, isParameter := call.Call.Value.(*ssa.Parameter); call.Call.StaticCallee() == nil && !isParameter {
		return false
	}
	callees := l.Graph.Callees(n, call)
	return len(callees) == 1 && l.Kept.Kept[callees[0]] && l.IsLook(callees[0])
}

// IsLook tells whether a function only reads, computes, takes and releases locks,
// and calls functions that do no more.
func (l *Facts) IsLook(n *pointsto.Node) bool {
	t := l.Touching()
	if known, ok := t.looks[n]; ok {
		return known
	}
	t.looks[n] = false // of a function that calls itself
	if !t.Nodes[n] || t.Recursive[n] || len(n.Func.Blocks) == 0 || n.Func.Signature.Results().Len() == 0 {
		return false
	}
	for _, b := range n.Func.Blocks {
		for _, instr := range b.Instrs {
			if !l.OnlyLooks(n, instr) {
				return false
			}
		}
	}
	t.looks[n] = true
	return true
}

// OnlyLooks tells whether the instruction only reads, computes, takes and releases locks, or calls what
// does no more. To append to what the set holds is more: it may write where there is room behind it.
func (l *Facts) OnlyLooks(n *pointsto.Node, instr ssa.Instruction) bool {
	switch v := instr.(type) {
	case *ssa.Jump, *ssa.If, *ssa.Return, *ssa.DebugRef, *ssa.RunDefers:
		return true
	case *ssa.UnOp:
		return v.Op != token.ARROW // which takes what another look does not find again
	case *ssa.Alloc:
		return ssaflow.IsOwnVariable(v)
	case *ssa.Store:
		return ssaflow.OwnVariableOf(v.Addr) != nil
	case ssa.CallInstruction:
		if _, isGo := v.(*ssa.Go); isGo {
			return false
		}
		if callee := v.Common().StaticCallee(); callee != nil {
			if _, ok := knowledge.LockOperation(callee); ok || knowledge.Of(callee).Makes == knowledge.NewError {
				return true
			}
		}
		if ssaflow.IsBuiltin(v, "append") && l.Graph.MayPointInto(n, v.Common().Args[0], l.Stars.Region()) {
			return false
		}
		return ssaflow.Computes(v) || l.IsLookCall(n, v)
	}
	return ssaflow.Computes(instr)
}

// IsRead tells whether the instruction does nothing to the atomic set but read one
// location of it.
func IsRead(instr ssa.Instruction) bool {
	switch v := instr.(type) {
	case *ssa.UnOp:
		return v.Op == token.MUL
	case *ssa.Lookup:
		return true
	case *ssa.Convert:
		return reduce.ReadsElements(v)
	}
	return ssaflow.IsBuiltin(instr, "len") || ssaflow.IsAtomicLoad(instr)
}
