package isolate

import (
	"context"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/query"
)

// Owner is an object that a frozen field of a star leads to and that has a lock, as the parent
// of the star: several objects of the checked type may have the same one. Every other pointer
// to an object of its site is to the owner or not, as one to an object of the star's
// site is to the star or not.
type Owner struct {
	Object *pointsto.Object
	Star   int    // into Isolation.Stars
	Path   string // of the field that leads to it: from the star, or from the owner before it
	Inner  string // where in the object the field points to

	of *Owner // that holds the field, if it is not the star itself

	members  map[string]bool           // see HasMembers
	frozenIn map[*pointsto.Object]bool // the objects whose field of that path is frozen, too
}

// Of returns the owner that holds the field which leads to this one, nil if that is the star.
func (w *Owner) Of() *Owner { return w.of }

// maxOwners bounds the owners of a star, from parent to parent.
const maxOwners = 3

// OwnerOf returns the owner that the object may be, nil if it is none.
func (i *Isolation) OwnerOf(o *pointsto.Object) *Owner { return i.owners[o] }

// Owners returns the owners, in order of their objects.
func (i *Isolation) Owners() []*Owner {
	if i.ownerList == nil {
		for _, w := range i.owners {
			i.ownerList = append(i.ownerList, w)
		}
		slices.SortFunc(i.ownerList, func(a, b *Owner) int { return a.Object.ID - b.Object.ID })
	}
	return i.ownerList
}

// OwnerAt returns the owner that a field of star k leads to, nil if there is none.
func (i *Isolation) OwnerAt(k int, path string) *Owner {
	return i.ownerAt(func(w *Owner) bool {
		return w.of == nil && w.Star == k && pointsto.JoinPath(i.Stars[k].Path, w.Path) == path
	})
}

// OwnerIn returns the owner that a field of another one leads to, nil if there is none.
func (i *Isolation) OwnerIn(of *Owner, path string) *Owner {
	return i.ownerAt(func(w *Owner) bool { return w.of == of && w.Path == path })
}

// OwnersFrom returns the owners that fields of star k lead to, or of another owner of the star if
// there is one, by their paths.
func (i *Isolation) OwnersFrom(k int, of *Owner) (all []*Owner) {
	for _, w := range i.Owners() {
		if w.Star == k && w.of == of {
			all = append(all, w)
		}
	}
	slices.SortFunc(all, func(a, b *Owner) int { return strings.Compare(a.Path, b.Path) })
	return all
}

func (i *Isolation) ownerAt(is func(*Owner) bool) *Owner {
	for _, w := range i.Owners() {
		if is(w) {
			return w
		}
	}
	return nil
}

// LeaveOwner makes an object, and those that only it leads to, no owner: its locks are none of the
// model.
func (i *Isolation) LeaveOwner(o *pointsto.Object) {
	left := i.owners[o]
	delete(i.owners, o)
	i.ownerList = nil
	for other, w := range i.owners {
		if w.of == left {
			i.LeaveOwner(other)
		}
	}
}

// findOwners finds the owners of the stars. An object is the owner of one star, by one field,
// at most: what it is for others is left open.
func (i *Isolation) findOwners(ctx context.Context) {
	i.owners = map[*pointsto.Object]*Owner{}
	for k, star := range i.Stars {
		if star.variables == nil && len(i.owners) < maxOwners {
			i.findOwnersFrom(ctx, k, sortedObjects(star.Objects), star.Path, nil)
		}
	}
}

// findOwnersFrom finds the owners that fields of the objects, at a path in them, lead to.
func (i *Isolation) findOwnersFrom(ctx context.Context, k int, objects []*pointsto.Object, at string, of *Owner) {
	found := map[string]pointsto.Cell{}
	var paths []string
	for _, o := range objects {
		for _, cell := range i.graph.Under(o, at) {
			path := strings.TrimPrefix(strings.TrimPrefix(cell.Path, at), ".")
			if path == "" || strings.Contains(path, "[") || of == nil && len(i.FieldsAt(k, cell.Path)) > 0 {
				continue
			}
			held := i.graph.Contents(cell).Cells()
			if len(held) == 1 && i.mayOwn(held[0]) {
				if known, again := found[path]; again && known != held[0] {
					return // of objects that are filled differently nothing is claimed
				}
				found[path] = held[0]
				if !slices.Contains(paths, path) {
					paths = append(paths, path)
				}
			}
		}
	}
	if len(paths) == 0 {
		return
	}
	alike := i.objectsLike(objects)
	frozen := FindFrozen(ctx, i.graph, alike...)
	for _, path := range paths {
		isFrozen := func(o *pointsto.Object) bool {
			cell := pointsto.Cell{Object: o, Path: pointsto.JoinPath(at, path)}
			held := i.graph.Contents(cell).Cells()
			return frozen.Is(cell) && (len(held) == 0 || len(held) == 1 && held[0] == found[path])
		}
		held := found[path]
		if i.owners[held.Object] != nil || len(i.owners) == maxOwners || slices.ContainsFunc(objects, func(o *pointsto.Object) bool { return !isFrozen(o) }) {
			continue
		}
		w := &Owner{Object: held.Object, Star: k, Path: path, Inner: held.Path, of: of, frozenIn: map[*pointsto.Object]bool{}}
		for _, o := range alike {
			w.frozenIn[o] = frozen.Is(pointsto.Cell{Object: o, Path: pointsto.JoinPath(at, path)})
		}
		i.owners[held.Object], i.ownerList = w, nil
		if held.Path == "" && at == "" {
			i.findMembers(w)
		}
		if held.Path == "" {
			i.findOwnersFrom(ctx, k, []*pointsto.Object{held.Object}, "", w)
		}
	}
}

// objectsLike returns all objects of the types of some.
func (i *Isolation) objectsLike(objects []*pointsto.Object) (all []*pointsto.Object) {
	for _, o := range i.graph.Objects() {
		if o.Type != nil && slices.ContainsFunc(objects, func(like *pointsto.Object) bool { return types.Identical(o.Type, like.Type) }) {
			all = append(all, o)
		}
	}
	return all
}

// Leads tells whether the fields of the object, which is like star k or like another owner of
// the star if there is one, lead to the owners always or never, because they are frozen.
func (i *Isolation) Leads(o *pointsto.Object, k int, of *Owner) bool {
	return !slices.ContainsFunc(i.OwnersFrom(k, of), func(w *Owner) bool { return !w.frozenIn[o] })
}

// mayOwn tells whether what is at the cell may be the owner of something: one of several
// structs with a lock in them or behind them, and nothing that is known in another way.
func (i *Isolation) mayOwn(c pointsto.Cell) bool {
	o := c.Object
	made, ok := o.Site.(*ssa.Alloc)
	return ok && made.Heap && !i.IsCompanion(o) && len(i.StarsAt(pointsto.Cell{Object: o})) == 0 && len(i.Regions(o)) == 0 &&
		!SingleObject(i.often, i.graph, o) && i.leadsToLock(c, 0)
}

// leadsToLock tells whether there is a lock in the object, or in one that its fields lead to.
func (i *Isolation) leadsToLock(c pointsto.Cell, depth int) bool {
	if query.HoldsSynchronisation(c.Object.Type) {
		return true
	}
	return depth < maxOwners && slices.ContainsFunc(i.graph.Cells(c.Object), func(cell pointsto.Cell) bool {
		held := i.graph.Contents(cell).Cells()
		return len(held) == 1 && held[0].Object != c.Object && i.leadsToLock(held[0], depth+1)
	})
}
