package relevance

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// IsOutput tells whether what the instruction reads flows only into output: it is a
// call that writes its arguments there, or its value is used by nothing else.
func IsOutput(instr ssa.Instruction) bool {
	if call, ok := instr.(*ssa.Call); ok && !ssaflow.Computes(instr) {
		return knowledge.IsOutput(call.Common())
	}
	v, ok := instr.(ssa.Value)
	if !ok || !modref.IsRead(instr) {
		return false
	}
	written := false
	seen := map[ssa.Value]bool{v: true}
	work := []ssa.Value{v}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		for _, user := range *v.Referrers() {
			next, ok := flowsOn(v, user)
			if !ok {
				return false
			}
			if call, isCall := user.(ssa.CallInstruction); isCall && knowledge.IsOutput(call.Common()) {
				written = true
			}
			if next != nil && !seen[next] {
				seen[next] = true
				work = append(work, next)
			}
		}
	}
	return written
}

// flowsOn tells whether an instruction only computes with a value or hands it on to
// output, and returns the value that it flows into, if any.
func flowsOn(v ssa.Value, user ssa.Instruction) (next ssa.Value, ok bool) {
	switch u := user.(type) {
	case *ssa.DebugRef:
		return nil, true
	case *ssa.Store: // into the slice of the arguments of a call
		element, isElement := u.Addr.(*ssa.IndexAddr)
		if !isElement || u.Val != v {
			return nil, false
		}
		array, isAlloc := element.X.(*ssa.Alloc)
		if !isAlloc || array.Comment != "varargs" {
			return nil, false
		}
		for _, r := range *array.Referrers() {
			if slice, isSlice := r.(*ssa.Slice); isSlice {
				next = slice
			}
		}
		return next, next != nil
	case ssa.CallInstruction:
		result, _ := user.(ssa.Value)
		if knowledge.IsOutput(u.Common()) || knowledge.IsFormatting(u.Common()) || ssaflow.Computes(user) {
			return result, true
		}
		return nil, false
	}
	if !ssaflow.Computes(user) {
		return nil, false
	}
	return user.(ssa.Value), true
}
