package relevance

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/lockset"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// findPassing finds the reads that decide only what passes, and where that is over.
func (r *Function) findPassing() {
	r.Passing, r.Passed = map[ssa.Instruction]bool{}, map[ssa.Instruction][]ssa.Instruction{}
	for p, instr := range r.Instrs {
		if !r.touches[p] || !modref.IsRead(instr) && !ssaflow.IsIteration(instr) {
			continue
		}
		if meet, ok := r.passesAt(ssaflow.Place(p)); ok {
			r.Passing[instr] = true
			r.Passed[r.Instrs[meet]] = append(r.Passed[r.Instrs[meet]], instr)
		}
	}
}

// passesAt returns the first place where all ways from a read meet, if what is executed
// up to there only waits as long as the read says, or calls what it found.
func (r *Function) passesAt(read ssaflow.Place) (meet ssaflow.Place, ok bool) {
	derived := r.DerivedFrom(r.Instrs[read].(ssa.Value))
	for _, b := range blocksAfter(r.Instrs[read].Block()) {
		if meet := r.At[b.Instrs[ssaflow.FirstAfterPhis(b)]]; r.onlyPasses(read, meet, derived) {
			return meet, true
		}
	}
	return 0, false
}

// onlyPasses tells whether everything between a read and a place that all ways from it
// lead to only computes, waits or calls by what was read, and leaves nothing of that.
func (r *Function) onlyPasses(read, meet ssaflow.Place, derived map[ssa.Value]bool) bool {
	inside := ssaflow.Reach(read, r.Succs, func(p ssaflow.Place) bool { return p == meet })
	inside[meet] = false
	acts := false
	for p, in := range inside {
		if !in {
			continue
		}
		switch r.passesOver(ssaflow.Place(p), derived) {
		case stays:
			return false
		case passesBy:
			acts = true
		}
	}
	if r.usesAny(meet, derived) {
		return false
	}
	return acts && !lockset.LocksDiffer(r.Flow, r.spins, read, meet, inside)
}

// passage is what an instruction does with a value that decides only what passes.
type passage int

const (
	stays    passage = iota // has an effect that stays
	computed                // has none
	passesBy                // waits or calls
)

func (r *Function) passesOver(p ssaflow.Place, derived map[ssa.Value]bool) passage {
	instr := r.Instrs[p]
	switch v := instr.(type) {
	case *ssa.Jump, *ssa.If, *ssa.DebugRef:
		return computed
	case *ssa.Call:
		if !ssaflow.Computes(v) {
			return r.callPasses(p, v, derived)
		}
	}
	if !ssaflow.Computes(instr) || ssaflow.IsReceive(instr) || r.touches[p] && !derived[ssaflow.AsValue(instr)] {
		return stays
	}
	return computed
}

func (r *Function) callPasses(p ssaflow.Place, call *ssa.Call, derived map[ssa.Value]bool) passage {
	callee := call.Call.StaticCallee()
	switch {
	case r.touches[p]:
		return stays
	case callee == nil:
		_, isBuiltin := call.Call.Value.(*ssa.Builtin)
		handsOn := slices.ContainsFunc(call.Call.Args, func(arg ssa.Value) bool { return derived[arg] })
		if isBuiltin || call.Call.IsInvoke() || !derived[call.Call.Value] || handsOn || ssaflow.IsUsed(call) {
			return stays
		}
		return passesBy
	case knowledge.Of(callee).Time == knowledge.Sleep && derived[call.Call.Args[0]]:
		return passesBy
	}
	if _, isLock := knowledge.LockOperation(callee); isLock {
		return computed
	}
	return stays
}
