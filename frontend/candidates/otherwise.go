package candidates

import (
	"slices"

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
// beside them, and no lock is held at any write of one of them: then all fields of the type
// are. Types with a lock are left out: they are checked on their own.
func (f *finder) otherwise() (all []Part) {
	for _, o := range f.owners {
		t := o.variants[0].Type
		if query.IsGuarded(t) {
			continue
		}
		waits := query.HasSignal(t) && slices.ContainsFunc(o.fields, func(x *field) bool {
			return x.written && x.allWrites(func(u heldAt) bool { return len(u.guards) == 0 })
		})
		for _, x := range o.fields {
			isAtomic := !x.isAlwaysLocked() && x.allWrites(func(u heldAt) bool { return u.kind&atomically != 0 })
			if x.set == "" && (waits || x.isMutable() && isAtomic) {
				all = append(all, Part{o.name, x.name})
			}
		}
	}
	return all
}

// allWrites tells whether something holds for all that writes the field.
func (f *field) allWrites(holds func(heldAt) bool) bool {
	for _, a := range f.accesses {
		if slices.ContainsFunc(a.uses, func(u heldAt) bool { return u.kind&writes != 0 && !holds(u) }) {
			return false
		}
	}
	return true
}

// isAlwaysLocked tells whether some lock is held at every access.
func (f *field) isAlwaysLocked() bool {
	for _, a := range f.accesses {
		if slices.ContainsFunc(a.uses, func(u heldAt) bool { return len(u.guards) == 0 }) {
			return false
		}
	}
	return true
}
