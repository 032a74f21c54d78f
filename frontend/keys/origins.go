package keys

import (
	"go/types"
	"iter"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// Origin is an instruction that makes a key which it never makes again.
type Origin struct {
	At     ssa.Instruction
	Key    ssa.Value
	Before bool      // the key is there before the instruction, which hands it on: the number of a loop
	Supply string    // origins with one supply make no key that another one of them makes
	Within ssa.Value // the object that the supply is in, if it is not one for the program
}

// OriginAt returns the origin that the instruction is, nil if it is none.
func (k *Keys) OriginAt(instr ssa.Instruction) *Origin { return k.origins[instr] }

// Origins returns all origins, in no order.
func (k *Keys) Origins() iter.Seq[*Origin] { return maps.Values(k.origins) }

// findOrigins finds the origins among the values that may be keys.
func (k *Keys) findOrigins() {
	for v := range k.carriers {
		if instr, ok := v.(ssa.Instruction); ok {
			if o := k.originOf(v); o != nil {
				o.At = instr
				k.origins[instr], k.isolated = o, true
			}
		}
		k.findNumbers(v)
	}
}

// originOf returns the origin that an instruction is which makes the value.
func (k *Keys) originOf(v ssa.Value) *Origin {
	switch v := v.(type) {
	case *ssa.Alloc:
		if v.Heap && hasSize(v.Type().Underlying().(*types.Pointer).Elem()) && k.isPlain(v) {
			return &Origin{Key: v, Supply: nameOf(v)}
		}
	case *ssa.MakeChan:
		return &Origin{Key: v, Supply: nameOf(v)}
	case *ssa.Call:
		return k.ticketOfCall(v)
	case *ssa.UnOp, *ssa.BinOp:
		return k.ticket(v.(ssa.Instruction))
	}
	return nil
}

// nameOf names a value of the program.
func nameOf(v ssa.Value) string { return v.Parent().String() + " " + v.Name() }

// isPlain tells whether the new object is none of those that are told apart anyway.
func (k *Keys) isPlain(made *ssa.Alloc) bool {
	for _, n := range k.Graph.NodesOf(made.Parent()) {
		o := k.Graph.ObjectAt(n, made)
		if o == nil || k.Stars.OwnerOf(o) != nil || k.Stars.IsCompanion(o) || k.Stars.Holders[o] != nil {
			return false
		}
		for _, star := range k.Stars.Stars {
			if star.Objects[o] {
				return false
			}
		}
	}
	return true
}

// hasSize tells whether two variables of the type have different addresses.
func hasSize(t types.Type) bool { return types.SizesFor("gc", "amd64").Sizeof(t) > 0 }

// findNumbers finds where a loop hands on the number of its iteration: to a goroutine, or to the
// variable that the iteration has.
func (k *Keys) findNumbers(v ssa.Value) {
	if v.Referrers() == nil || !isWide(v.Type()) || !k.countsOnce(v) {
		return
	}
	counter := ssaflow.CounterOf(v)
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Go:
		case *ssa.Store:
			if _, isVariable := r.Addr.(*ssa.Alloc); !isVariable || r.Val != v {
				continue
			}
		default:
			continue
		}
		if !ssaflow.RepeatsWithout(r.Block(), counter.Block()) {
			supply := nameOf(v) + " at " + k.Program.Position(r.Pos()).String()
			if other := k.origins[r]; other == nil || supply < other.Supply { // one of two that count in a loop
				k.origins[r] = &Origin{At: r, Key: v, Before: true, Supply: supply}
			}
			k.isolated = true
		}
	}
}

// countsOnce tells whether the value is the number of an iteration of a loop that the program
// enters once at most.
func (k *Keys) countsOnce(v ssa.Value) bool {
	counter := ssaflow.CounterOf(v)
	if counter == nil {
		return false
	}
	header, again := counter.Block(), false
	for _, before := range header.Preds {
		if header.Dominates(before) {
			again = true
		} else if k.Multiplicity.InLoop(before) {
			return false
		}
	}
	nodes := k.Graph.NodesOf(counter.Parent())
	return again && len(nodes) == 1 && k.Multiplicity.Once(nodes[0])
}

// isWide tells whether a counter of the type does not come to the same number again.
func isWide(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && slices.Contains([]types.BasicKind{types.Int, types.Int64, types.Uint, types.Uint64}, basic.Kind())
}

// Renamed returns the value that an instruction makes a key of, another one for each: as a number
// that is converted, or written in digits; nil if it does no such thing.
func (k *Keys) Renamed(instr ssa.Instruction) ssa.Value {
	v, ok := instr.(ssa.Value)
	if !ok || !k.Carries(v) {
		return nil
	}
	return source(v)
}

// source returns what the value is converted from, if no two give the same.
func source(v ssa.Value) ssa.Value {
	switch v := v.(type) {
	case *ssa.Convert:
		if isWide(v.X.Type()) && isWide(v.Type()) {
			return v.X
		}
	case *ssa.Call:
		if callee := v.Call.StaticCallee(); callee != nil && callee.String() == "strconv.Itoa" {
			return v.Call.Args[0]
		}
	}
	return nil
}
