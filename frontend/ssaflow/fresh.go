package ssaflow

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// place is a field of an object, or some or any part of it that is none.
type place struct {
	of    *ssa.Alloc
	field int
}

const (
	whole = -1 - iota
	anyField
)

// FindFresh finds, in a block, the stores to objects that nobody else can have: those that were made in the block, and
// were only stored to before. Others may have other fields of them.
func FindFresh(b *ssa.BasicBlock, fresh map[*ssa.Store]bool) {
	var room [10]*ssa.Value
	used := map[place]bool{}
	for _, instr := range b.Instrs {
		store, isStore := instr.(*ssa.Store)
		if isStore {
			at, ok := placeOf(store.Addr)
			of := []place{at, {at.of, whole}}
			if at.field == whole {
				of = []place{{at.of, anyField}}
			}
			fresh[store] = ok && at.of.Block() == b && !slices.ContainsFunc(of, func(p place) bool { return used[p] })
		}
		switch instr.(type) {
		case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.DebugRef:
			continue
		}
		for _, operand := range instr.Operands(room[:0]) {
			if at, ok := placeOf(*operand); ok && !(isStore && operand == &store.Addr) {
				used[at], used[place{at.of, anyField}] = true, true
			}
		}
	}
}

// placeOf returns the place of which a value is the address.
func placeOf(address ssa.Value) (at place, ok bool) {
	for field := whole; ; {
		switch x := address.(type) {
		case *ssa.Alloc:
			return place{x, field}, true
		case *ssa.FieldAddr:
			address, field = x.X, x.Field
		case *ssa.IndexAddr:
			address, field = x.X, whole
		default:
			return at, false
		}
	}
}
