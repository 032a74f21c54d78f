package mustalias

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// addresses is which addresses of elements in a function are evidently one, or of one
// element of arrays beside each other, which loads are made again, and which conditions ask the same of one field.
type addresses struct {
	Again   map[*ssa.UnOp]*ssa.UnOp             // an earlier load of the same: see findAgain
	Asked   map[ssa.Value][]ssa.Value           // by condition, those that were asked before: see findAsked
	Leaders map[*ssa.IndexAddr]*ssa.IndexAddr   // an earlier computation of the same address: see findLeaders
	Beside  map[*ssa.IndexAddr][]*ssa.IndexAddr // see findBeside
}

// newAddresses numbers the addresses of elements in fn, of which it is known which loads are made again.
func newAddresses(fn *ssa.Function, again map[*ssa.UnOp]*ssa.UnOp) *addresses {
	a := &addresses{Again: again}
	a.findLeaders(fn)
	a.findBeside(fn)
	a.findAsked(fn)
	return a
}

// earlier returns the values that say what the address, or the condition, computed by an
// instruction is.
func (f *addresses) earlier(instr ssa.Instruction) (all []ssa.Value) {
	switch v := instr.(type) {
	case *ssa.IndexAddr:
		if leader := f.Leaders[v]; leader != nil {
			all = append(all, leader)
		}
		for _, earlier := range f.Beside[v] {
			all = append(all, earlier)
		}
		return all
	case *ssa.UnOp:
		if first := f.Again[v]; first != nil {
			all = append(all, first)
		}
	}
	return append(all, f.Asked[ssaflow.AsValue(instr)]...)
}

// findLeaders finds the addresses of elements that are computed again, as in
// s[i].mu.Lock(); s[i].n++: what the first one was found to be, the others are.
func (f *addresses) findLeaders(fn *ssa.Function) {
	f.Leaders = map[*ssa.IndexAddr]*ssa.IndexAddr{}
	addresses := AddressNumbers{again: f.Again}
	seen := map[any][]*ssa.IndexAddr{}
	for _, b := range fn.DomPreorder() {
		for _, instr := range b.Instrs {
			element, ok := instr.(*ssa.IndexAddr)
			if !ok {
				continue
			}
			number := addresses.Number(element)
			for _, earlier := range seen[number] {
				if earlier.Block().Dominates(b) {
					f.Leaders[element] = earlier
					break
				}
			}
			if f.Leaders[element] == nil {
				seen[number] = append(seen[number], element)
			}
		}
	}
}

// AddressNumbers numbers addresses, so that those which are evidently one have one
// number: the same fields and elements of the same base.
type AddressNumbers struct {
	parts map[addressPart]int
	again map[*ssa.UnOp]*ssa.UnOp // loads that are evidently the same as another one
}

type addressPart struct {
	base  any // the number of an address, or another ssa.Value
	field int
	index any // of an element: an ssa.Value, or the text of a constant; nil for a field
}

// Number returns the number of an address; another value is its own.
func (n *AddressNumbers) Number(v ssa.Value) any {
	var part addressPart
	switch v := v.(type) {
	case *ssa.FieldAddr:
		part = addressPart{base: n.Number(v.X), field: v.Field}
	case *ssa.IndexAddr:
		part = addressPart{base: n.Number(v.X), index: indexKey(v.Index)}
	case *ssa.UnOp:
		if first := n.again[v]; first != nil {
			return first
		}
		return v
	default:
		return v
	}
	number, ok := n.parts[part]
	if !ok {
		if n.parts == nil {
			n.parts = map[addressPart]int{}
		}
		number = len(n.parts)
		n.parts[part] = number
	}
	return number
}

// findBeside finds the addresses of elements of which others in arrays of the same object have
// the same index: those that are computed before.
func (f *addresses) findBeside(fn *ssa.Function) {
	f.Beside = map[*ssa.IndexAddr][]*ssa.IndexAddr{}
	numbers := AddressNumbers{again: f.Again}
	seen := map[addressPart][]*ssa.IndexAddr{}
	for _, b := range fn.DomPreorder() {
		for _, instr := range b.Instrs {
			element, ok := instr.(*ssa.IndexAddr)
			if !ok {
				continue
			}
			array, ok := element.X.(*ssa.FieldAddr)
			if !ok {
				continue
			}
			at := addressPart{base: numbers.Number(array.X), index: indexKey(element.Index)}
			for _, earlier := range seen[at] {
				if earlier.Block().Dominates(b) {
					f.Beside[element] = append(f.Beside[element], earlier)
				}
			}
			seen[at] = append(seen[at], element)
		}
	}
}

// indexKey is equal for indices that are evidently one: computed alike from the same values.
func indexKey(index ssa.Value) any {
	switch v := index.(type) {
	case *ssa.Const:
		if v.Value != nil {
			return computedKey{how: v.Type(), x: v.Value.ExactString()}
		}
	case *ssa.BinOp:
		return computedKey{v.Op, indexKey(v.X), indexKey(v.Y)}
	case *ssa.Convert:
		return computedKey{how: v.Type(), x: indexKey(v.X)}
	case *ssa.Call:
		if ssaflow.IsBuiltin(v, "len") {
			switch v.Call.Args[0].Type().Underlying().(type) {
			case *types.Basic, *types.Slice: // whose length is part of the value
				return computedKey{how: "len", x: v.Call.Args[0]}
			}
		}
	}
	return index
}

// computedKey is the key of a constant, or of what is computed from one or two values: by an
// operation, as a type that it is converted to.
type computedKey struct{ how, x, y any }
