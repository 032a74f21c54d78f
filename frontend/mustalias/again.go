package mustalias

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/pointsto"
)

// A pointer that a field holds is mostly loaded each time that it is needed:
//
//	e.limits.mu.Lock()
//	e.limits.running[id] = true
//	e.limits.mu.Unlock()
//
// If nobody writes the field meanwhile, these are one object.

// findAgain finds the loads that are made again in fn: of the same field, or element, of the same object, which nothing
// writes in between. It returns the first one for each that it dominates.
//
// That is so if nothing writes the memory when others can reach it, neither fn nor what it calls stores to it, and
// nothing but stores writes it at all: what is written then is written while only the running goroutine can reach it,
// and not between the two loads, which are of one call of fn.
func (l *Values) findAgain(fn *ssa.Function) map[*ssa.UnOp]*ssa.UnOp {
	again := map[*ssa.UnOp]*ssa.UnOp{}
	numbers := AddressNumbers{again: again}
	seen := map[any][]*ssa.UnOp{}
	settled := map[any]bool{}
	for _, b := range fn.DomPreorder() {
		for _, instr := range b.Instrs {
			load, ok := instr.(*ssa.UnOp)
			if !ok || load.Op != token.MUL || !isPart(load.X) || !mayLead(load.Type()) {
				continue
			}
			number := numbers.Number(load.X)
			first := slices.IndexFunc(seen[number], func(earlier *ssa.UnOp) bool { return earlier.Block().Dominates(b) })
			if first < 0 {
				seen[number] = append(seen[number], load)
				continue
			}
			if _, known := settled[number]; !known {
				settled[number] = l.isUnchanged(fn, load.X)
			}
			if settled[number] {
				again[load] = seen[number][first]
			}
		}
	}
	return again
}

// isPart tells whether the address is of a field or an element.
func isPart(address ssa.Value) bool {
	switch address.(type) {
	case *ssa.FieldAddr, *ssa.IndexAddr:
		return true
	}
	return false
}

// mayLead tells whether values of a type may lead to an object.
func mayLead(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Interface, *types.Slice, *types.Map:
		return true
	}
	return false
}

// isUnchanged tells whether the memory at an address is not written during a call of fn, see findAgain.
func (l *Values) isUnchanged(fn *ssa.Function, address ssa.Value) bool {
	kept := 0
	for _, n := range l.Graph.NodesOf(fn) {
		if !l.Kept.Kept[n] {
			continue
		}
		kept++
		if cells := l.Graph.PointsTo(n, address).Cells(); len(cells) == 0 || !l.isSettled(cells) || l.Storing(cells)[n] {
			return false
		}
	}
	return kept > 0
}

// isSettled tells whether nothing writes the memory when others can reach it, and nothing but stores writes it before.
func (l *Values) isSettled(memory []pointsto.Cell) bool {
	var unknown []*pointsto.Object
	for _, c := range memory {
		if _, known := l.written[c.Object]; !known && !slices.Contains(unknown, c.Object) {
			unknown = append(unknown, c.Object)
		}
	}
	if len(unknown) > 0 {
		writes := l.Unpublished.Beside(unknown...)
		others := writes.WrittenOtherwise(func(*ssa.Store) bool { return true })[0]
		for _, o := range unknown {
			l.written[o] = append(writes.WrittenPaths(o), others[o]...)
		}
	}
	return !slices.ContainsFunc(memory, func(c pointsto.Cell) bool {
		return pointsto.OverlapsAny(l.written[c.Object], c.Path)
	})
}
