package relevance

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// countsIterations tells whether, between a read in a loop and place q, a local variable that
// closures know gets a value which depends on the branches there, as in
//
//	for !d.open {
//		func() { tries++ }()
//		...
//	}
//	if tries > 3 { ... }
//
// Then it says behind the loop what the loop has seen, as a variable without closures does
// (see decidedBy). Memory that others know is not looked at: to count there how often
// somebody waits is no use of what was read.
func (r *Function) countsIterations(read, q ssaflow.Place, inside ssaflow.PlaceSet) bool {
	around := ssaflow.Reach(read, r.Succs, func(ssaflow.Place) bool { return false })
	if !around[read] {
		return false
	}
	derived := r.DerivedFrom(r.Instrs[read].(ssa.Value))
	for p, in := range inside {
		if !in || !around[p] {
			continue
		}
		for _, variable := range storedVariables(r.Instrs[p]) {
			if !r.isUsedFrom(q, variable) {
				continue
			}
			for b, in := range inside {
				branch, ok := r.Instrs[b].(*ssa.If)
				if in && ok && derived[branch.Cond] && r.dependsOn(ssaflow.Place(p), branch) {
					return true
				}
			}
		}
	}
	return false
}

// storedVariables returns the variables of the function that closures know and that the
// instruction gives a value, itself or by calling such a closure. A call of a function that is
// not known here, or is handed functions, may be of any closure.
func storedVariables(instr ssa.Instruction) (all []*ssa.Alloc) {
	switch instr := instr.(type) {
	case *ssa.Store:
		if a, ok := instr.Addr.(*ssa.Alloc); ok && ssaflow.IsCaptured(a) {
			all = append(all, a)
		}
	case *ssa.Call:
		if made, ok := instr.Call.Value.(*ssa.MakeClosure); ok {
			return storedBy(made)
		}
		isFunction := func(v ssa.Value) bool { _, ok := v.Type().Underlying().(*types.Signature); return ok }
		if instr.Call.StaticCallee() != nil && !slices.ContainsFunc(instr.Call.Args, isFunction) ||
			ssaflow.IsBuiltin(instr, instr.Call.Value.Name()) {
			return nil
		}
		for _, b := range instr.Parent().Blocks {
			for _, other := range b.Instrs {
				if made, ok := other.(*ssa.MakeClosure); ok {
					all = append(all, storedBy(made)...)
				}
			}
		}
	}
	return all
}

// storedBy returns the variables that the closure gives values.
func storedBy(made *ssa.MakeClosure) (all []*ssa.Alloc) {
	for i, bound := range made.Bindings {
		a, ok := bound.(*ssa.Alloc)
		stores := 0
		if ok && !ssaflow.OnlyLoaded(made.Fn.(*ssa.Function).FreeVars[i], &stores) {
			all = append(all, a)
		}
	}
	return all
}

// isUsedFrom tells whether the variable is loaded, or known to a closure that is made, at a
// place or after it.
func (r *Function) isUsedFrom(q ssaflow.Place, variable *ssa.Alloc) bool {
	after := ssaflow.Reach(q, r.Succs, func(ssaflow.Place) bool { return false })
	return slices.ContainsFunc(*variable.Referrers(), func(user ssa.Instruction) bool {
		switch user.(type) {
		case *ssa.Store, *ssa.DebugRef:
			return false
		}
		p, ok := r.At[user]
		return ok && (p == q || after[p])
	})
}

// dependsOn tells whether the branch decides whether place p is executed: one of its ways
// leads there, and another one out of the function without p.
func (r *Function) dependsOn(p ssaflow.Place, branch *ssa.If) bool {
	from := r.At[branch]
	leads, passes := false, false
	for _, next := range r.Succs[from] {
		stops := func(x ssaflow.Place) bool { return x == p || x == from }
		seen := ssaflow.Reach(next, r.Succs, stops)
		seen[next] = true
		if next == p || seen[p] {
			leads = true
		}
		if next == p {
			continue
		}
		for x, is := range seen {
			if is && ssaflow.Place(x) != p && len(r.Succs[x]) == 0 {
				passes = true
			}
		}
	}
	return leads && passes
}
