package relevance

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// planRounds finds the head of the innermost loop around a read at which it is forgotten,
// if it has decided only to wait.
func (r *Function) planRounds(look ssa.Value) {
	read := r.At[look.(ssa.Instruction)]
	for header := r.Instrs[read].Block(); header != nil; header = header.Idom() {
		if !slices.ContainsFunc(header.Preds, header.Dominates) || countsRounds(header) {
			continue
		}
		head := r.At[header.Instrs[ssaflow.FirstAfterPhis(header)]]
		if r.onlyWaitsAround(head, read) && !r.isForgottenFrom(head, look) {
			at := r.Instrs[head]
			r.Forgets[at] = append(r.Forgets[at], forget{Read: look, Exact: true, Passing: true})
			r.Rounds[r.Instrs[read]] = true
			return
		}
	}
}

// isForgottenFrom tells whether the read may be forgotten for good when control has gone
// on to a place, and before it is executed again.
func (r *Function) isForgottenFrom(from ssaflow.Place, look ssa.Value) bool {
	read := r.At[look.(ssa.Instruction)]
	ahead := ssaflow.Reach(from, r.Succs, func(p ssaflow.Place) bool { return p == read })
	for _, plan := range []map[ssa.Instruction][]forget{r.Forgets, r.Swapped, r.Unswapped} {
		for instr, forgets := range plan {
			if p := r.At[instr]; (p == from || p == read || ahead[p]) && slices.ContainsFunc(forgets, func(f forget) bool {
				return f.Read == look
			}) {
				return true
			}
		}
	}
	return false
}

// onlyWaitsAround tells whether all ways from a read back to the head of a loop wait, and
// leave nothing behind of what was read but that.
func (r *Function) onlyWaitsAround(head, read ssaflow.Place) bool {
	inside, ok := r.around(head, read)
	between, leads := r.Between(read, head)
	if !ok || head != read && !leads {
		return false
	}
	if head == read {
		between = inside
	}
	derived := r.DerivedFrom(ssaflow.AsValue(r.Instrs[read]))
	if r.usesAny(head, derived) {
		return false
	}
	waits := false
	for p, in := range inside {
		instr := r.Instrs[p]
		switch {
		case !in:
			continue
		case r.touches[p] && !r.isLookOr(ssaflow.Place(p), read), r.keeps(instr, derived):
			return false
		}
		waits = waits || between[p] && waitsFor(instr, 0) && !ssaflow.Reach(read, r.Succs, func(x ssaflow.Place) bool {
			return x == head || x == ssaflow.Place(p) || x == read
		})[head]
	}
	return waits && !r.leavesTrace(read, head, between)
}

// maxWaitDepth bounds how deep in calls waiting is looked for.
const maxWaitDepth = 2

// waitsFor tells whether the instruction waits for somebody, or for a time; or calls a
// function that may.
func waitsFor(instr ssa.Instruction, depth int) bool {
	switch v := instr.(type) {
	case *ssa.Select:
		return v.Blocking
	case *ssa.UnOp:
		return v.Op == token.ARROW
	case *ssa.Call:
		callee := v.Call.StaticCallee()
		switch {
		case callee == nil:
			return false
		case knowledge.IsCondWait(callee), knowledge.Pauses(callee):
			return true
		}
		for _, b := range callee.Blocks {
			if depth < maxWaitDepth && slices.ContainsFunc(b.Instrs, func(inner ssa.Instruction) bool {
				return waitsFor(inner, depth+1)
			}) {
				return true
			}
		}
	}
	return false
}
