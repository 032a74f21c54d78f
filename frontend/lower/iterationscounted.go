package lower

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
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
func (r *relevance) countsIterations(read, q place, inside placeSet) bool {
	around := reach(read, r.succs, func(place) bool { return false })
	if !around[read] {
		return false
	}
	derived := r.derivedFrom(r.instrs[read].(ssa.Value))
	for p, in := range inside {
		if !in || !around[p] {
			continue
		}
		for _, variable := range storedVariables(r.instrs[p]) {
			if !r.isUsedFrom(q, variable) {
				continue
			}
			for b, in := range inside {
				branch, ok := r.instrs[b].(*ssa.If)
				if in && ok && derived[branch.Cond] && r.dependsOn(place(p), branch) {
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
		if a, ok := instr.Addr.(*ssa.Alloc); ok && isCaptured(a) {
			all = append(all, a)
		}
	case *ssa.Call:
		if made, ok := instr.Call.Value.(*ssa.MakeClosure); ok {
			return storedBy(made)
		}
		isFunction := func(v ssa.Value) bool { _, ok := v.Type().Underlying().(*types.Signature); return ok }
		if instr.Call.StaticCallee() != nil && !slices.ContainsFunc(instr.Call.Args, isFunction) || isBuiltin(instr, instr.Call.Value.Name()) {
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
		if ok && !onlyLoaded(made.Fn.(*ssa.Function).FreeVars[i], &stores) {
			all = append(all, a)
		}
	}
	return all
}

// isCaptured tells whether a closure knows the variable.
func isCaptured(a *ssa.Alloc) bool {
	return slices.ContainsFunc(*a.Referrers(), func(r ssa.Instruction) bool { _, ok := r.(*ssa.MakeClosure); return ok })
}

// isUsedFrom tells whether the variable is loaded, or known to a closure that is made, at a
// place or after it.
func (r *relevance) isUsedFrom(q place, variable *ssa.Alloc) bool {
	after := reach(q, r.succs, func(place) bool { return false })
	return slices.ContainsFunc(*variable.Referrers(), func(user ssa.Instruction) bool {
		switch user.(type) {
		case *ssa.Store, *ssa.DebugRef:
			return false
		}
		p, ok := r.at[user]
		return ok && (p == q || after[p])
	})
}

// dependsOn tells whether the branch decides whether place p is executed: one of its ways
// leads there, and another one out of the function without p.
func (r *relevance) dependsOn(p place, branch *ssa.If) bool {
	from := r.at[branch]
	leads, passes := false, false
	for _, next := range r.succs[from] {
		stops := func(x place) bool { return x == p || x == from }
		seen := reach(next, r.succs, stops)
		seen[next] = true
		if next == p || seen[p] {
			leads = true
		}
		if next == p {
			continue
		}
		for x, is := range seen {
			if is && place(x) != p && len(r.succs[x]) == 0 {
				passes = true
			}
		}
	}
	return leads && passes
}
