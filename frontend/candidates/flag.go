package candidates

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A flag says what may be done with something else: it is checked before that is touched, and who
// sets it touches that, too. The two belong together, whatever lock each of them has.

// isFlagFor tells whether the field is a flag that one function checks before it accesses y, and
// that another sets, together with y as far as is asked for: reads, or writes.
func (f *field) isFlagFor(y *field, with kind) bool {
	if f == y || !f.isFlag() {
		return false
	}
	for _, a := range f.accesses {
		for _, u := range a.uses {
			if u.kind&(reads|writes) == reads && u.controls(a.fn, y) && f.isSetBesides(a.fn, y, with) {
				return true
			}
		}
	}
	return false
}

// isFlag tells whether the field is set to constants only.
func (f *field) isFlag() bool {
	isSet := false
	for _, a := range f.accesses {
		for _, u := range a.uses {
			if u.kind&writes != 0 {
				if !storesConstant(u.at) {
					return false
				}
				isSet = true
			}
		}
	}
	return isSet
}

// storesConstant tells whether an instruction, or an operation of package sync/atomic, stores a
// constant.
func storesConstant(instr ssa.Instruction) bool {
	switch v := instr.(type) {
	case *ssa.Store:
		_, ok := v.Val.(*ssa.Const)
		return ok
	case *ssa.Call:
		args := v.Call.Args
		callee := v.Call.StaticCallee()
		if callee == nil || len(args) < 2 || callee.Name() == "Add" || slices.Contains([]string{"AddInt32", "AddInt64",
			"AddUint32", "AddUint64"}, callee.Name()) {
			return false
		}
		_, ok := args[len(args)-1].(*ssa.Const)
		return ok
	}
	return false
}

// isSetBesides tells whether another function than one that checks the flag sets it, and accesses y.
func (f *field) isSetBesides(checks *ssa.Function, y *field, with kind) bool {
	for _, a := range f.accesses {
		if a.kind&writes == 0 || a.fn == checks {
			continue
		}
		for _, b := range y.accesses {
			if b.fn == a.fn && b.kind&with != 0 {
				return true
			}
		}
	}
	return false
}

// controls tells whether what the use reads decides whether the function accesses y.
func (u heldAt) controls(fn *ssa.Function, y *field) bool {
	v, ok := u.at.(ssa.Value)
	if !ok {
		return false
	}
	for _, branch := range branchesOn(v, 0) {
		for i, arm := range branch.Block().Succs {
			if len(arm.Preds) != 1 || arm == branch.Block().Succs[1-i] {
				continue
			}
			for _, b := range y.accesses {
				if b.fn == fn && slices.ContainsFunc(b.uses, func(w heldAt) bool { return arm.Dominates(w.at.Block()) }) {
					return true
				}
			}
		}
	}
	return false
}

// branchesOn returns the branches that a value decides alone.
func branchesOn(v ssa.Value, depth int) []*ssa.If {
	const deepest = 4
	if depth > deepest || v.Referrers() == nil {
		return nil
	}
	var all []*ssa.If
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.If:
			all = append(all, r)
		case *ssa.UnOp:
			all = append(all, branchesOn(r, depth+1)...)
		case *ssa.BinOp:
			_, left := r.X.(*ssa.Const)
			_, right := r.Y.(*ssa.Const)
			if b, ok := r.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsBoolean != 0 && (left || right) {
				all = append(all, branchesOn(r, depth+1)...)
			}
		}
	}
	return all
}

// withFlags moves flags that no lock guards to the groups of what they control: who sets them
// changes that, too.
func withFlags(groups []group, loose []*field) ([]group, []*field) {
	rest := loose[:0:0]
	for _, x := range loose {
		i := slices.IndexFunc(groups, func(g group) bool {
			return g.set == "" && slices.ContainsFunc(g.fields, func(y *field) bool { return x.isFlagFor(y, writes) })
		})
		if i < 0 {
			rest = append(rest, x)
			continue
		}
		groups[i].fields = append(groups[i].fields, x)
	}
	return groups, rest
}

// isControlled tells whether a flag decides whether the field is accessed.
func (f *field) isControlled(all []*field) bool {
	return slices.ContainsFunc(all, func(x *field) bool { return x.isFlagFor(f, reads|writes) })
}
