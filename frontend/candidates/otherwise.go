package candidates

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/query"
)

// Part is a field of objects that are synchronised in a way of their own: what a call has
// returned is read by who has waited for its channel, say. Where a container leads to such
// objects, the lock of the container has nothing to do with the field.
type Part struct {
	Type  string // with the path of its package
	Field string // dotted if it is in a struct without a name
}

// otherwise returns the fields that are synchronised without locks: all that writes them are
// atomic operations, and some are made with no lock held; or there is something to wait for
// beside them, no lock is held at any write of one of them, and who reads them with no lock
// held has waited: then all fields of the type are. So is a pointer to what a library has made, a
// buffer say, that is set once, and never used with a lock held: who has the object has that, too.
// Types with a lock are left out: they are checked on their own.
func (f *finder) otherwise() (all []Part) {
	for _, o := range f.owners {
		t := o.variants[0].Type
		if f.usage.IsGuarded(t) {
			continue
		}
		waits := slices.ContainsFunc(o.fields, func(x *field) bool {
			return x.written && x.allWrites(func(u heldAt) bool { return len(u.guards) == 0 })
		}) && o.readersWait()
		for _, x := range o.fields {
			isAtomic := !x.isAlwaysLocked() && x.allWrites(func(u heldAt) bool { return u.kind&atomically != 0 })
			if x.set == "" && (waits || x.isMutable() && isAtomic || f.isOfLibrary(o, x) && x.isNeverLocked()) {
				all = append(all, Part{o.name, x.name})
			}
		}
	}
	return all
}

// unlocked returns the types without a lock of their own, or anything to wait for, whose objects are used once they
// are made, and never with a lock held, whatever lock it is. Where what a lock guards leads to such objects, as a table
// of modules leads to the code of each, nothing in the program says that the lock has to do with them.
func (f *finder) unlocked() (all []string) {
	for _, o := range f.owners {
		isUsed := slices.ContainsFunc(o.fields, func(x *field) bool { return len(x.accesses) > 0 })
		isSaid := slices.ContainsFunc(o.fields, func(x *field) bool {
			return x.set != "" || x.claim.guard.name != "" || x.hasUse(func(u heldAt) bool { return u.under })
		})
		if isUsed && !isSaid && !o.isSynchronised() && !o.hasSignal() {
			all = append(all, o.name)
		}
	}
	return all
}

// hasSignal tells whether there is something to wait for in objects of the type: then they are meant for several
// goroutines.
func (o *owner) hasSignal() bool { return o.hasField(query.IsSignal) }

// allWrites tells whether something holds for all that writes the field.
func (f *field) allWrites(holds func(heldAt) bool) bool {
	return !f.hasUse(func(u heldAt) bool { return u.kind&writes != 0 && !holds(u) })
}

// hasUse tells whether something holds for a use of the field.
func (f *field) hasUse(holds func(heldAt) bool) bool {
	for _, a := range f.accesses {
		if slices.ContainsFunc(a.uses, holds) {
			return true
		}
	}
	return false
}

// isOfLibrary tells whether the field is a pointer to an object of a type of another module, and is set once.
func (f *finder) isOfLibrary(o *owner, x *field) bool {
	t := o.variants[0].Type
	declared := fieldNamed(t, x.name)
	if declared == nil {
		return false
	}
	pointer, ok := declared.Type().Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	named, ok := types.Unalias(pointer.Elem()).(*types.Named)
	return ok && named.Obj().Pkg() != nil && !f.Programs[0].InModule(named.Obj().Pkg().Path()) &&
		!x.isStoredTo(declared.Type(), t)
}

// isStoredTo tells whether a value of one of the types is stored: in the field, rather than in what it leads to.
func (f *field) isStoredTo(all ...types.Type) bool {
	return f.hasUse(func(u heldAt) bool {
		store, ok := u.at.(*ssa.Store)
		return ok && slices.ContainsFunc(all, func(t types.Type) bool { return types.Identical(t, store.Val.Type()) })
	})
}

// isNeverLocked tells whether the field is used, and no lock is held at any use.
func (f *field) isNeverLocked() bool {
	return len(f.accesses) > 0 && !f.hasUse(func(u heldAt) bool { return u.locked || len(u.guards) > 0 })
}

// isAlwaysLocked tells whether some lock is held at every access.
func (f *field) isAlwaysLocked() bool {
	return !f.hasUse(func(u heldAt) bool { return len(u.guards) == 0 })
}

// readersWait tells whether what reads a field of the type with no lock held also waits for
// something in the object, or is part of what writes to it.
func (o *owner) readersWait() bool {
	writers, readers := map[*ssa.Function]bool{}, map[*ssa.Function]bool{}
	for _, x := range o.fields {
		for _, a := range x.accesses {
			for _, u := range a.uses {
				switch {
				case u.kind&writes != 0:
					writers[knowledge.Outermost(a.fn)] = true
				case len(u.guards) == 0 && x.isMutable():
					readers[knowledge.Outermost(a.fn)] = true
				}
			}
		}
	}
	waited := false
	for fn := range readers {
		waits := waitsFor(fn, o.variants[0].Type)
		if !waits && !writers[fn] {
			return false
		}
		waited = waited || waits
	}
	return waited || len(readers) == 0
}

// waitsFor tells whether the function, or a function literal in it, receives from a channel in
// an object of the type, or waits for another signal there.
func waitsFor(fn *ssa.Function, t *types.Named) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			signal, ok := instr.(*ssa.FieldAddr)
			if !ok || !query.IsSignal(fieldOf(signal).Type()) {
				continue
			}
			if of := query.NamedStruct(signal.X.Type().Underlying().(*types.Pointer).Elem()); of != nil && of.Obj() == t.Obj() &&
				isWaitedFor(signal) {
				return true
			}
		}
	}
	return slices.ContainsFunc(fn.AnonFuncs, func(inner *ssa.Function) bool { return waitsFor(inner, t) })
}

// isWaitedFor tells whether the address of a signal, or the signal that is loaded from there, is
// used to wait.
func isWaitedFor(signal ssa.Value) bool {
	return slices.ContainsFunc(*signal.Referrers(), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.UnOp:
			return r.Op == token.ARROW || isWaitedFor(r)
		case *ssa.Select:
			return slices.ContainsFunc(r.States, func(s *ssa.SelectState) bool {
				return s.Chan == signal && s.Dir == types.RecvOnly
			})
		case ssa.CallInstruction:
			callee := r.Common().StaticCallee()
			return callee != nil && (callee.Name() == "Wait" || callee.Name() == "Do") && len(r.Common().Args) > 0 &&
				r.Common().Args[0] == signal
		}
		return false
	})
}
