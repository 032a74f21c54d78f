package candidates

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/pointsto"
)

// A lock of another object guards what that object leads to: the entries of a cache, say. That it
// happens to be held where code makes and fills an object which its owner does not know says nothing
// of that object: who gets it holds another lock, or none.

// lockKind is the locks of one name: all that can be meant where the object is forgotten.
type lockKind struct {
	owner *types.TypeName
	name  string
}

// keepers are the objects that have the locks of a kind, and what they lead to.
type keepers struct {
	added   []*pointsto.Object        // since it was asked what they lead to
	reached map[*pointsto.Object]bool // from the others
}

// noteKeeper notes whose lock it is that a node takes.
func (f *finder) noteKeeper(n *pointsto.Node, l lock, address ssa.Value) {
	if l.owner == nil {
		return
	}
	taken := takenAt{n, address}
	if f.taken[taken] {
		return
	}
	f.taken[taken] = true
	kind := lockKind{l.owner, l.name}
	k := f.keepers[kind]
	if k == nil {
		k = &keepers{reached: map[*pointsto.Object]bool{}}
		f.keepers[kind] = k
	}
	for _, base := range holdersOf(address) {
		k.added = append(k.added, f.graph.PointsTo(n, base).Objects()...)
	}
}

// takenAt is a place where a lock is taken.
type takenAt struct {
	node    *pointsto.Node
	address ssa.Value
}

// holdersOf returns the addresses of the objects by which a lock is found: of the one that it is a field of, and
// of those that this is a part of, in place or by a pointer.
func holdersOf(address ssa.Value) (all []ssa.Value) {
	for address != nil {
		if field, ok := address.(*ssa.FieldAddr); ok {
			address = field.X
			all = append(all, address)
			continue
		}
		address = foundBy(address)
	}
	return all
}

// isLedTo tells whether the owner of a lock leads to an object of the use: it can be reached from there
// already, and is not only on its way. A lock that is a package variable has no owner; who else could
// reach the object takes the same lock.
func (f *finder) isLedTo(n *pointsto.Node, u use, l lock) bool {
	if f.isUnreached(n, u) {
		return false
	}
	if l.owner == nil {
		return true
	}
	reached := f.reachedFrom(lockKind{l.owner, l.name})
	for _, o := range f.graph.PointsTo(n, u.base).Objects() {
		if reached[o] {
			return true
		}
	}
	return false
}

// isUnreached tells whether nobody else can reach the memory of a use.
func (f *finder) isUnreached(n *pointsto.Node, u use) bool {
	return f.fresh.Is(n, u.base, u.at) && (u.reached == nil || f.fresh.Is(n, u.reached, u.at))
}

// reachedFrom returns what the owners of a kind of locks lead to.
func (f *finder) reachedFrom(kind lockKind) map[*pointsto.Object]bool {
	k := f.keepers[kind]
	if k == nil {
		return nil
	}
	added := slices.DeleteFunc(k.added, func(o *pointsto.Object) bool { return k.reached[o] })
	if k.added = nil; len(added) > 0 {
		for _, o := range f.graph.Reachable(added...) {
			k.reached[o] = true
		}
	}
	return k.reached
}
