package mustalias

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// condition is what a branch asks of a field: the field itself, if it is a boolean, or how it
// compares with a constant.
type condition struct {
	op    token.Token
	field any    // see AddressNumbers
	with  string // the constant; empty for a boolean
}

// FieldAsked returns the load of the field that a condition asks about, nil if it asks about
// something else.
func FieldAsked(cond ssa.Value) *ssa.UnOp {
	switch v := cond.(type) {
	case *ssa.BinOp:
		if _, isConst := v.Y.(*ssa.Const); isConst {
			return fieldLoaded(v.X)
		}
	case *ssa.UnOp:
		if ssaflow.IsBool(v.Type()) {
			return fieldLoaded(v)
		}
	}
	return nil
}

func fieldLoaded(v ssa.Value) *ssa.UnOp {
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return nil
	}
	if _, isField := load.X.(*ssa.FieldAddr); !isField {
		return nil
	}
	return load
}

// maxAsked bounds the conditions of one function that are remembered until they are asked again:
// each can double what is told apart in between.
const maxAsked = 2

// findAsked finds the conditions that were asked before, of the same field of the same object.
// Whether the field still holds the same is for others to tell.
func (f *addresses) findAsked(fn *ssa.Function) {
	f.Asked = map[ssa.Value][]ssa.Value{}
	numbers := AddressNumbers{again: f.Again}
	seen, again := map[condition][]ssa.Value{}, map[condition]bool{}
	for _, b := range fn.DomPreorder() {
		for _, instr := range b.Instrs {
			cond := ssaflow.AsValue(instr)
			if cond == nil {
				continue
			}
			load := FieldAsked(cond)
			if load == nil || !ssaflow.DecidesBranch(cond) {
				continue
			}
			key := condition{field: numbers.Number(load.X)}
			if compared, ok := cond.(*ssa.BinOp); ok {
				key.op, key.with = compared.Op, compared.Y.(*ssa.Const).String()
			}
			for _, earlier := range seen[key] {
				if earlier.(ssa.Instruction).Block().Dominates(b) && (again[key] || len(again) < maxAsked) {
					again[key] = true
					f.Asked[cond] = append(f.Asked[cond], earlier)
				}
			}
			seen[key] = append(seen[key], cond)
		}
	}
}
