package isolate

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/fresh"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// Holder is a field of the objects of one site that may hold a star: an object of
// another type gets it when it is made, and keeps it, as a worker a buffer of its
// own.
type Holder struct {
	Object *pointsto.Object
	Path   string
	Star   int        // into Isolation.Stars
	Store  *ssa.Store // the only one to the field, where the object is made
	node   *pointsto.Node
}

// MakesHolder tells whether n makes an object that may hold a star.
func (i *Isolation) MakesHolder(n *pointsto.Node) bool {
	for _, h := range i.Holders {
		if h.node == n {
			return true
		}
	}
	return false
}

// findHolders finds the holders of the program, one for each object at most.
func (i *Isolation) findHolders() {
	i.Holders = map[*pointsto.Object]*Holder{}
	for k, star := range i.Stars {
		if star.Single {
			continue
		}
		for _, n := range i.graph.Holders(sortedObjects(star.Objects)...) {
			for _, b := range n.Func.Blocks {
				for _, instr := range b.Instrs {
					if h := i.holderAt(n, instr, k); h != nil && i.Holders[h.Object] == nil {
						i.Holders[h.Object] = h
					}
				}
			}
		}
	}
	if len(i.Holders) > 0 {
		i.dropRewritten()
	}
}

// holderAt returns the holder field that the instruction initialises with a value
// that may be star k, nil if it does no such thing.
func (i *Isolation) holderAt(n *pointsto.Node, instr ssa.Instruction, k int) *Holder {
	store, ok := instr.(*ssa.Store)
	if !ok || !isPointer(store.Val.Type()) {
		return nil
	}
	made, path := allocOfField(store.Addr)
	if made == nil || path == "" || made.Block() != store.Block() || isUsedBefore(made, store) {
		return nil
	}
	object := i.graph.ObjectAt(n, made)
	if object == nil || len(i.Regions(object)) > 0 || len(i.StarsAt(pointsto.Cell{Object: object})) > 0 {
		return nil
	}
	for _, c := range i.graph.PointsTo(n, store.Val).Cells() {
		if slices.Contains(i.StarsAt(c), k) && c.Path == i.Stars[k].Path {
			return &Holder{object, path, k, store, n}
		}
	}
	return nil
}

// allocOfField returns the allocation whose field the address is, and the path of
// the field in it.
func allocOfField(address ssa.Value) (*ssa.Alloc, string) {
	path := ""
	for {
		switch v := address.(type) {
		case *ssa.FieldAddr:
			path = pointsto.JoinPath(fieldName(v.X.Type(), v.Field), path)
			address = v.X
		case *ssa.Alloc:
			return v, path
		default:
			return nil, ""
		}
	}
}

// isUsedBefore tells whether an instruction that may be executed between the allocation and
// the store, which it dominates, does anything with the object but fill and read its fields.
func isUsedBefore(made *ssa.Alloc, store *ssa.Store) bool {
	var operands []*ssa.Value
	for _, b := range between(made.Block(), store.Block()) {
		for _, instr := range b.Instrs {
			if instr == ssa.Instruction(store) {
				break
			}
			switch instr := instr.(type) {
			case *ssa.FieldAddr, *ssa.DebugRef:
				continue
			case *ssa.Phi: // it has the object of an earlier iteration
				if b == made.Block() {
					continue
				}
			case *ssa.UnOp:
				if _, isField := instr.X.(*ssa.FieldAddr); isField && instr.Op == token.MUL {
					continue
				}
			}
			operands = instr.Operands(operands[:0])
			for _, o := range operands {
				if *o == ssa.Value(made) {
					return true
				}
				if field, ok := (*o).(*ssa.FieldAddr); ok {
					filled, isStore := instr.(*ssa.Store)
					if of, _ := allocOfField(field); of == made && (!isStore || filled.Val == *o) {
						return true
					}
				}
			}
		}
	}
	return false
}

// between returns the blocks from one to another that it dominates, both included: those
// that may be executed on the way, without coming back to the first.
func between(from, to *ssa.BasicBlock) []*ssa.BasicBlock {
	all := []*ssa.BasicBlock{to}
	for i := 0; i < len(all); i++ {
		if all[i] == from {
			continue
		}
		for _, p := range all[i].Preds {
			if !slices.Contains(all, p) {
				all = append(all, p)
			}
		}
	}
	return all
}

// dropRewritten removes the holders whose field another store may write to.
func (i *Isolation) dropRewritten() {
	var objects []*pointsto.Object
	for o := range i.Holders {
		objects = append(objects, o)
	}
	for _, n := range i.graph.Holders(objects...) {
		for _, b := range n.Func.Blocks {
			for _, instr := range b.Instrs {
				store, ok := instr.(*ssa.Store)
				if !ok || !fresh.HoldsPointers(store.Val.Type()) {
					continue
				}
				for _, c := range i.graph.PointsTo(n, store.Addr).Cells() {
					if h := i.Holders[c.Object]; h != nil && store != h.Store && pointsto.Overlaps(h.Path, c.Path) {
						delete(i.Holders, c.Object)
					}
				}
			}
		}
	}
}

// fieldName returns the name of a field of the struct that t points to.
func fieldName(t types.Type, field int) string {
	return t.Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct).Field(field).Name()
}

// isPointer tells whether values of the type are addresses, or interfaces that may
// hold one.
func isPointer(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Interface:
		return true
	}
	return false
}
