package candidates

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Counters of statistics, and gauges, are there to be looked at by others, and promise
// nothing about the fields beside them.

// isCounted tells whether a use is one of an increment whose value nobody uses: one of its
// halves, or an atomic addition.
func isCounted(instr ssa.Instruction, k kind) bool {
	switch v := instr.(type) {
	case *ssa.Store:
		return incremented(v) != nil
	case *ssa.UnOp:
		sum, ok := soleUser(v).(*ssa.BinOp)
		if !ok {
			return false
		}
		store, ok := soleUser(sum).(*ssa.Store)
		return ok && incremented(store) == v
	case *ssa.Call:
		return k&(atomically|reads|writes) == atomically|reads|writes && len(*v.Referrers()) == 0
	}
	return false
}

// incremented returns the load of x.n of which the store is the other half, as of x.n++
// and x.n += v; nil if it is none.
func incremented(store *ssa.Store) *ssa.UnOp {
	sum, ok := store.Val.(*ssa.BinOp)
	if !ok || sum.Op != token.ADD && sum.Op != token.SUB || soleUser(sum) != ssa.Instruction(store) {
		return nil
	}
	load, ok := sum.X.(*ssa.UnOp)
	if !ok || load.Op != token.MUL || soleUser(load) != ssa.Instruction(sum) || placeOf(load.X) != placeOf(store.Addr) {
		return nil
	}
	return load
}

// soleUser returns the one instruction that uses a value, nil if there are others.
func soleUser(v ssa.Value) ssa.Instruction {
	var user ssa.Instruction
	for _, r := range *v.Referrers() {
		if _, isDebug := r.(*ssa.DebugRef); isDebug {
			continue
		}
		if user != nil {
			return nil
		}
		user = r
	}
	return user
}

// isCounter tells whether all that writes the field are increments.
func (f *field) isCounter() bool {
	counted := false
	for _, a := range f.accesses {
		for _, u := range a.uses {
			if u.kind&writes != 0 && u.kind&counting == 0 {
				return false
			}
			counted = counted || u.kind&counting != 0
		}
	}
	return counted
}

// apart divides a group of counters: those that no function writes together are counted
// one by one.
func (g group) apart() []group {
	if g.set != "" || slices.ContainsFunc(g.fields, func(x *field) bool { return !x.isCounter() }) {
		return []group{g}
	}
	all := tied(g.fields, func(x, y *field) bool {
		return slices.ContainsFunc(x.sorted(), func(a *access) bool {
			return a.kind&writes != 0 && slices.ContainsFunc(y.sorted(), func(b *access) bool {
				return b.kind&writes != 0 && a.fn == b.fn
			})
		})
	})
	for i := range all {
		all[i].guard = g.guard
	}
	return all
}

// reportOf returns reporting, and returning, for a read whose value decides nothing: it is only
// computed with, stored and returned; else nothing.
// What is stored in an object of the same type is kept for later, and may decide something then.
func reportOf(instr ssa.Instruction, k kind, owner *types.Named) (report kind) {
	v, ok := instr.(ssa.Value)
	if !ok || k&(reads|writes) != reads {
		return 0
	}
	seen := map[ssa.Value]bool{}
	report = reporting
	var follow func(v ssa.Value) bool
	follow = func(v ssa.Value) bool {
		if seen[v] {
			return true
		}
		seen[v] = true
		for _, r := range *v.Referrers() {
			switch r := r.(type) {
			case *ssa.DebugRef:
			case *ssa.Return:
				report |= returning
			case *ssa.Store:
				variable, isLocal := r.Addr.(*ssa.Alloc)
				to, _ := ownerOf(r.Addr)
				isElsewhere := to != nil && owner != nil && to != owner.Obj()
				if r.Val == v && !isElsewhere && !(isLocal && follow(variable)) {
					return false
				}
			case *ssa.BinOp:
				if !isNumber(r.Type()) || !follow(r) {
					return false
				}
			case *ssa.Convert, *ssa.ChangeType, *ssa.Phi, *ssa.UnOp, *ssa.FieldAddr:
				if !follow(r.(ssa.Value)) {
					return false
				}
			default:
				return false
			}
		}
		return true
	}
	if !follow(v) {
		return 0
	}
	return report
}

// isStatistic tells whether a field is counted or stored by operations of package sync/atomic,
// each time for itself, and what is read of it decides nothing. Its value belongs to no other
// one, whatever is looked at beside it. That it is read plainly, as a struct is that is copied, is a data race, and a
// matter of this field alone.
func (f *finder) isStatistic(x *field) bool {
	readers, writers := map[*ssa.Function]bool{}, map[*ssa.Function]bool{}
	for _, a := range x.accesses {
		for _, u := range a.uses {
			isRead := u.kind&(reads|writes) == reads
			switch {
			case u.kind&atomically == 0 && !isRead:
				return false
			case u.kind&counting != 0 || u.kind&(reads|writes) == writes:
				writers[a.fn] = true
			case u.kind&reporting == 0 || u.kind&returning != 0 && f.isCalledInside(a.fn):
				return false
			default:
				readers[a.fn] = true
			}
		}
	}
	for fn := range readers {
		if writers[fn] {
			return false
		}
	}
	return len(readers) > 0 && len(writers) > 0
}

// isCopied tells whether a read of the field is no atomic operation.
func (f *field) isCopied() bool {
	return f.hasUse(func(u heldAt) bool { return u.kind&atomically == 0 })
}

// isPublished tells whether a field of a library's type is there for clients to look at: it
// is counted, or stored, each time as one indivisible step, and what reads it is called by
// nobody but clients, does not write it, and reads nothing else of the object but such
// fields. What they get is true at that moment, and any value is as good as another.
// The size of something is none: it says how the fields beside it are.
func (f *finder) isPublished(x *field, all []*field) bool {
	if !f.Clients || len(f.Types) > 0 || x.set != "" || !x.isMutable() || x.isSize(all) {
		return false
	}
	if f.isStatistic(x) {
		return true
	}
	guarded := x.guard()
	readers, writers := map[*ssa.Function]bool{}, map[*ssa.Function]bool{}
	for _, a := range x.accesses {
		if !(guarded.name != "" && a.holds(guarded)) && slices.ContainsFunc(a.uses, func(u heldAt) bool {
			return u.kind&atomically == 0
		}) {
			return false
		}
		for _, u := range a.uses {
			switch {
			case u.kind&counting != 0:
				writers[a.fn] = true
			case u.kind&(reads|writes) == reads:
				readers[a.fn] = true
			case u.kind&(reads|writes|atomically) == writes|atomically:
				writers[a.fn] = true
			default:
				return false
			}
		}
	}
	for fn := range readers {
		if writers[fn] || f.isCalledInside(fn) {
			return false
		}
		for _, y := range all {
			if y != x && y.isReadIn(fn) && x.isWrittenWith(y) {
				return false // as a sum and a count, from which that makes a mean
			}
			if y != x && slices.ContainsFunc(y.sorted(), func(a *access) bool {
				return a.fn == fn && (a.kind&writes != 0 || !y.isCounter())
			}) {
				return false
			}
		}
	}
	return len(readers) > 0 && len(writers) > 0
}

// isSize tells whether a field goes up and down as something beside it changes, in one critical section.
func (f *field) isSize(all []*field) bool {
	return f.isCountedBy(token.ADD) && f.isCountedBy(token.SUB) && slices.ContainsFunc(all, func(y *field) bool {
		return y != f && !y.isCounter() && y.isWrittenWith(f)
	})
}

// isCountedBy tells whether the field is counted up, or down.
func (f *field) isCountedBy(op token.Token) bool {
	for _, a := range f.accesses {
		for _, u := range a.uses {
			store, ok := u.at.(*ssa.Store)
			if ok && u.kind&counting != 0 && store.Val.(*ssa.BinOp).Op == op {
				return true
			}
		}
	}
	return false
}

// isWrittenWith tells whether a function writes both fields, with a lock held, and not the one or
// the other.
func (f *field) isWrittenWith(y *field) bool {
	isLockedWrite := func(u heldAt) bool { return u.kind&writes != 0 && u.kind&atomically == 0 && len(u.guards) > 0 }
	for _, a := range f.accesses {
		for _, b := range y.accesses {
			if a.fn != b.fn {
				continue
			}
			for _, u := range a.uses {
				for _, v := range b.uses {
					x, y := u.at.Block(), v.at.Block()
					if isLockedWrite(u) && isLockedWrite(v) && (x.Dominates(y) || y.Dominates(x)) {
						return true
					}
				}
			}
		}
	}
	return false
}

// isReadIn tells whether the function reads the field.
func (f *field) isReadIn(fn *ssa.Function) bool {
	return slices.ContainsFunc(f.sorted(), func(a *access) bool { return a.fn == fn && a.kind&reads != 0 })
}

// isSetting tells whether an exported function stores a constant, or what it is handed.
func isSetting(instr ssa.Instruction) bool {
	store, ok := instr.(*ssa.Store)
	if !ok || instr.Parent().Object() == nil || !instr.Parent().Object().Exported() {
		return false
	}
	v := store.Val
	for {
		switch from := v.(type) {
		case *ssa.ChangeType:
			v = from.X
		case *ssa.Convert:
			v = from.X
		case *ssa.ChangeInterface:
			v = from.X
		case *ssa.MakeInterface:
			v = from.X
		case *ssa.Const, *ssa.Parameter:
			return true
		default:
			return false
		}
	}
}

// isConfigured tells whether a field of a library's type is a setting: clients set it, with
// no lock, and nothing else writes it. That is done before an object is shared.
func (f *finder) isConfigured(x *field) bool {
	if !f.Clients || len(f.Types) > 0 || x.set != "" || !x.written || x.claim.guard.name != "" {
		return false
	}
	for _, a := range x.accesses {
		for _, u := range a.uses {
			if u.kind&writes != 0 && (u.kind&(setting|atomically) != setting || len(u.guards) > 0 || f.isCalledInside(a.fn)) {
				return false
			}
		}
	}
	return true
}

// isCalledInside tells whether the library calls the function itself.
func (f *finder) isCalledInside(fn *ssa.Function) bool {
	for _, n := range f.graph.NodesOf(fn) {
		for _, e := range f.graph.Callers(n) {
			if caller := e.Caller.Func; f.isOwn(caller) && caller.Synthetic == "" && !f.Programs[0].IsGenerated(caller.Pos()) {
				return true
			}
		}
	}
	return false
}

// isNeverGuarded tells whether nothing says that goroutines may access the fields at the
// same time: no lock is held, and no operation is atomic, anywhere. That a field is read under the lock
// of another object says nothing of who writes it.
func (g group) isNeverGuarded() bool { return !slices.ContainsFunc(g.fields, (*field).isForSeveral) }

// isForSeveral tells whether something says that goroutines may access the field at the same time: a comment that
// names its lock, if nothing else does.
func (f *field) isForSeveral() bool {
	return f.claim.guard.name != "" || f.isMeantForSeveral() ||
		f.hasUse(func(u heldAt) bool { return u.kind&atomically != 0 })
}

// withoutPlain divides a group that no lock guards: what is for several goroutines, with the flags for it and
// what it is a flag for, and the rest, which a function that resets the whole object writes, too.
func (g group) withoutPlain() (meant group, rest []*field) {
	meant = group{guard: g.guard, set: g.set}
	rest = slices.Clone(g.fields)
	belongs := func(x *field) bool {
		return x.isForSeveral() || slices.ContainsFunc(meant.fields, func(y *field) bool {
			return x.isFlagFor(y, reads|writes) || y.isFlagFor(x, reads|writes)
		})
	}
	for i := slices.IndexFunc(rest, belongs); i >= 0; i = slices.IndexFunc(rest, belongs) {
		meant.fields, rest = append(meant.fields, rest[i]), slices.Delete(rest, i, i+1)
	}
	return meant, rest
}
