package isolate

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/fresh"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/query"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// Companion is an object that each object of the checked type is made with, keeps
// for ever, and shares with nobody: a lock behind a pointer, or a channel.
type Companion struct {
	Object *pointsto.Object
	Star   int    // whose companion it is, into Isolation.Stars
	Path   string // of the field that holds it, from the star

	of *Companion // that holds it, if it is not the star itself
}

// CompanionAt returns the companion that the field of star k at the path holds; ok
// is false if there is none.
func (i *Isolation) CompanionAt(k int, path string) (*Companion, bool) {
	for _, c := range i.companions {
		if c.Star == k && pointsto.JoinPath(i.Stars[k].Path, c.Path) == path {
			return c, true
		}
	}
	return nil, false
}

// Companions returns the companions of star k.
func (i *Isolation) Companions(k int) (all []*Companion) {
	for _, c := range i.companions {
		if c.Star == k {
			all = append(all, c)
		}
	}
	return all
}

// CompanionsAt returns the stars that the object may be a companion of, as companions.
func (i *Isolation) CompanionsAt(o *pointsto.Object) []*Companion {
	var all []*Companion
	for _, c := range i.companions {
		if c.Object == o {
			all = append(all, c)
		}
	}
	return all
}

// CompanionOf returns the companion that the object is, nil if it is none.
func (i *Isolation) CompanionOf(o *pointsto.Object) *Companion {
	for _, c := range i.companions {
		if c.Object == o {
			return c
		}
	}
	return nil
}

// IsCompanion tells whether the object is the companion of objects of the checked
// type.
func (i *Isolation) IsCompanion(o *pointsto.Object) bool { return i.CompanionOf(o) != nil }

// findCompanions finds the companions. There is one candidate for a field: what its
// only store stores.
func (i *Isolation) findCompanions() {
	if !slices.ContainsFunc(i.pointerFields(), func(f string) bool {
		return len(i.FieldsAt(0, pointsto.JoinPath(i.Stars[0].Path, f))) == 0
	}) {
		return
	}
	stores := map[Companion][]*ssa.Store{} // by star and path
	candidates := map[Companion]map[*pointsto.Object]bool{}
	var fields []Companion
	for _, n := range i.nearStars {
		for _, b := range n.Func.Blocks {
			for _, instr := range b.Instrs {
				store, ok := instr.(*ssa.Store)
				if !ok || !fresh.HoldsPointers(store.Val.Type()) {
					continue
				}
				for _, c := range i.graph.PointsTo(n, store.Addr).Cells() {
					for _, k := range i.StarsAt(c) {
						for _, path := range i.companionPaths(k, i.PathOf(k, c)) {
							field := Companion{Star: k, Path: path}
							if stores[field] == nil {
								fields = append(fields, field)
								candidates[field] = map[*pointsto.Object]bool{}
							}
							if !slices.Contains(stores[field], store) {
								stores[field] = append(stores[field], store)
							}
							if o := i.madeObject(n, store.Val); o != nil {
								candidates[field][o] = true
							}
						}
					}
				}
			}
		}
	}
	for _, field := range fields {
		if len(stores[field]) != 1 || !i.isInitialised(stores[field][0]) {
			continue
		}
		for o := range candidates[field] {
			if len(candidates[field]) == 1 && o != nil && len(i.Regions(o)) == 0 &&
				len(i.StarsAt(pointsto.Cell{Object: o})) == 0 {
				i.companions = append(i.companions, &Companion{Object: o, Star: field.Star, Path: field.Path})
			}
		}
	}
	if len(i.companions) > 0 {
		i.addCondLocks()
		i.dropShared()
	}
}

// companionPaths returns the fields of star k, by their paths from it, that a store
// to a path in its memory writes and that are pointers outside the atomic set.
func (i *Isolation) companionPaths(k int, path string) []string {
	var all []string
	for _, name := range i.pointerFields() {
		full := pointsto.JoinPath(i.Stars[k].Path, name)
		if pointsto.Overlaps(path, full) && len(i.FieldsAt(k, full)) == 0 {
			all = append(all, name)
		}
	}
	return all
}

// pointerFields returns the fields of the checked type that are pointers or channels, or
// interfaces that may hold a pointer, as the lock of a condition variable.
func (i *Isolation) pointerFields() []string {
	if i.Subject.Type == nil {
		return nil // package variables
	}
	t, ok := i.Subject.Type.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	var all []string
	for f := range t.Fields() {
		switch f.Type().Underlying().(type) {
		case *types.Pointer, *types.Chan, *types.Interface:
			all = append(all, f.Name())
		case *types.Struct:
			if f.Type().String() == "sync.Cond" {
				all = append(all, pointsto.JoinPath(f.Name(), "L"))
			}
		}
	}
	return all
}

// isInitialised tells whether the store gives a field what was made for it, before anything
// else is done with the object.
func (i *Isolation) isInitialised(store *ssa.Store) bool {
	object, path := allocOfField(store.Addr)
	made := unboxed(store.Val)
	if p, ok := made.(*ssa.Parameter); ok {
		return object != nil && path != "" && object.Block() == store.Block() && !i.often.InLoop(store.Block()) &&
			!isUsedBefore(object, store) && isOnlyStored(p, store)
	}
	instr, ok := made.(ssa.Instruction)
	if !ok || object == nil || path == "" || instr.Block() != store.Block() || !isFilledOnce(object, store) ||
		isUsedBefore(object, store) {
		return false
	}
	return made == store.Val && fresh.IsKeptOnlyBy(made, store) || isKeptBeside(made, store, object)
}

// isFilledOnce tells whether the store is executed at most once for each object that is
// allocated.
func isFilledOnce(made *ssa.Alloc, store *ssa.Store) bool {
	return made.Block().Dominates(store.Block()) && !ssaflow.RepeatsWithout(store.Block(), made.Block())
}

// unboxed returns what is in an interface that is made of the value.
func unboxed(v ssa.Value) ssa.Value {
	if boxed, ok := v.(*ssa.MakeInterface); ok {
		return boxed.X
	}
	return v
}

// madeObject returns the object that the value is the address of, if it is new memory, a
// new channel, or what a call has made for its caller; else nil.
func (i *Isolation) madeObject(n *pointsto.Node, v ssa.Value) *pointsto.Object {
	switch v := unboxed(v).(type) {
	case *ssa.Parameter:
		return i.passedObject(n, v)
	case *ssa.Alloc:
		return i.graph.ObjectAt(n, v)
	case *ssa.MakeChan:
		return i.graph.ObjectAt(n, v)
	case *ssa.Call:
		cells := i.graph.PointsTo(n, v).Cells()
		if len(cells) == 1 && cells[0].Path == "" && i.fresh.Returns(n, v, 0) {
			return cells[0].Object
		}
	}
	return nil
}

// dropShared removes the companions whose address is in any other memory than the
// field.
func (i *Isolation) dropShared() {
	shared := map[*pointsto.Object]bool{}
	var objects []*pointsto.Object
	for _, c := range i.companions {
		objects = append(objects, c.Object)
	}
	for _, cell := range i.graph.CellsLeadingInto(i.graph.Region(objects...)) {
		for _, to := range i.graph.Contents(cell).Cells() {
			held := to.Object
			isInner := to.Path != "" && query.IsSynchronisation(held.Type) // nothing that could be locked
			if i.IsCompanion(held) && !isInner && !i.isCompanionField(cell, held) && !i.isCapture(cell) {
				shared[held] = true
			}
		}
	}
	i.companions = slices.DeleteFunc(i.companions, func(c *Companion) bool { return shared[c.Object] })
	i.companions = slices.DeleteFunc(i.companions, func(c *Companion) bool {
		return c.of != nil && !slices.Contains(i.companions, c.of)
	})
}

// isCompanionField tells whether the cell is the field of a star that holds the
// companion.
func (i *Isolation) isCompanionField(cell pointsto.Cell, held *pointsto.Object) bool {
	for _, k := range i.StarsAt(cell) {
		if c, ok := i.CompanionAt(k, i.PathOf(k, cell)); ok && c.Object == held {
			return true
		}
	}
	return slices.ContainsFunc(i.CompanionsAt(cell.Object), func(c *Companion) bool {
		inner, ok := i.CompanionIn(c, cell.Path)
		return ok && inner.Object == held
	})
}
