package isolate

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/fresh"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// OwnsTree tells whether an abstract object is memory that a field leads to, and no two
// objects of the checked type share it: the field holds it (see Owns), or memory that is
// owned so does, as a struct its map, because every value stored there is made for it.
// What arrays, slices and maps hold in turn is not followed: elements move.
func (i *Isolation) OwnsTree(o *pointsto.Object) bool {
	if i.trees == nil {
		i.findTrees()
	}
	return i.trees[o]
}

// findTrees goes from the objects that fields own to what they hold.
func (i *Isolation) findTrees() {
	i.trees = map[*pointsto.Object]bool{}
	stores := i.storesByCell(i.Near(), func(o *pointsto.Object) bool { return len(i.regions[o]) > 0 })
	var work []*pointsto.Object
	add := func(o *pointsto.Object) {
		if !i.trees[o] {
			i.trees[o] = true
			work = append(work, o)
		}
	}
	for _, o := range i.Watched() {
		if i.Owns(o) {
			add(o)
		}
	}
	for len(work) > 0 {
		o := work[len(work)-1]
		work = work[:len(work)-1]
		for _, c := range i.graph.Cells(o) {
			if strings.Contains(c.Path, "[") || isInAtomic(c) || !i.isMadeForCell(c, stores[c]) {
				continue
			}
			for _, held := range i.graph.Contents(c).Objects() {
				if len(i.regions[held]) > 0 && len(i.first[held]) == 0 && len(i.fieldsOf(held)) == len(i.fieldsOf(o)) {
					add(held)
				}
			}
		}
	}
	// An object that several cells may hold is owned only if all of them own it.
	holders := i.holdersOf()
	for changed := true; changed; {
		changed = false
		for o := range i.trees {
			if i.Owns(o) {
				continue
			}
			for _, c := range holders[o] {
				if !i.trees[c.Object] || strings.Contains(c.Path, "[") || isInAtomic(c) ||
					!i.isMadeForCell(c, stores[c]) {
					delete(i.trees, o)
					changed = true
					break
				}
			}
		}
	}
}

// holdersOf returns, of the objects that are owned perhaps, the cells of the locations'
// memory that may hold them.
func (i *Isolation) holdersOf() map[*pointsto.Object][]pointsto.Cell {
	all := map[*pointsto.Object][]pointsto.Cell{}
	for o := range i.regions {
		for _, c := range i.graph.Cells(o) {
			for _, held := range i.graph.Contents(c).Objects() {
				if i.trees[held] {
					all[held] = append(all[held], c)
				}
			}
		}
	}
	return all
}

// storeAt is a store instruction of a call-graph node, to a path in an object.
type storeAt struct {
	node  *pointsto.Node
	store *ssa.Store
	path  string
}

// storesByCell returns the stores of the nodes to memory of some objects.
func (i *Isolation) storesByCell(nodes []*pointsto.Node,
	isOne func(*pointsto.Object) bool) map[pointsto.Cell][]storeAt {
	all := map[pointsto.Cell][]storeAt{}
	for _, n := range nodes {
		for _, b := range n.Func.Blocks {
			for _, instr := range b.Instrs {
				store, ok := instr.(*ssa.Store)
				if !ok {
					continue
				}
				for _, c := range i.graph.PointsTo(n, store.Addr).Cells() {
					if !isOne(c.Object) {
						continue
					}
					for _, part := range i.graph.Under(c.Object, c.Path) { // a struct is stored with its parts
						all[part] = append(all[part], storeAt{n, store, c.Path})
					}
				}
			}
		}
	}
	return all
}

// HoldsItsOwn tells whether the memory is nothing of the stars, and every value that is stored
// there is made for it: what is loaded from there is nothing that an owned field holds, though
// the abstract objects be the same.
func (i *Isolation) HoldsItsOwn(c pointsto.Cell) bool {
	if len(i.StarsAt(c)) > 0 || len(i.regions[c.Object]) > 0 || strings.Contains(c.Path, "[") || isInAtomic(c) {
		return false
	}
	stores, known := i.elsewhere[c.Object]
	if !known {
		stores = i.storesByCell(i.graph.Holders(c.Object), func(o *pointsto.Object) bool { return o == c.Object })
		i.elsewhere[c.Object] = stores
	}
	return i.isMadeForCell(c, stores[c])
}

// isMadeForCell tells whether every value stored in a cell, as it is or in a struct, is made for
// where it is stored.
func (i *Isolation) isMadeForCell(c pointsto.Cell, stores []storeAt) bool {
	for _, at := range stores {
		if !i.isMadeFor(at.node, at.store.Val, at.store) && !i.isMadeForPart(c.Path, at.path, at.store) {
			return false
		}
	}
	return len(stores) > 0
}

// isInAtomic tells whether the cell is, or is a part of, an object of package sync/atomic: store instructions are not
// all that stores there.
func isInAtomic(c pointsto.Cell) bool {
	return isWithin(c, func(t types.Type) bool { return t != nil && isAtomic(t) })
}

// holdsAtomics tells whether values of the type hold some of package sync/atomic.
func holdsAtomics(t types.Type, seen map[types.Type]bool) bool {
	if t == nil || seen[t] {
		return t == nil
	}
	seen[t] = true
	if named, ok := types.Unalias(t).(*types.Named); ok && named.Obj().Pkg() != nil && fresh.HoldsPointers(t) &&
		named.Obj().Pkg().Path() == "sync/atomic" {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			if holdsAtomics(f.Type(), seen) {
				return true
			}
		}
	case *types.Array:
		return holdsAtomics(u.Elem(), seen)
	}
	return false
}
