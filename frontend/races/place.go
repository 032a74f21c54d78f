package races

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// pointed is in a path where it goes through a pointer.
const pointed = "->"

// place is a part of the object, by its path: ".items", ".state.idle", ".list->.length".
type place struct {
	path       string
	isValue    bool // what is stored there, not the address
	isCaptured bool // the address of a variable that holds it
}

// captured returns the place that a variable holds which a literal captures.
func captured(known map[ssa.Value]place, v ssa.Value) (place, bool) {
	if a, ok := v.(*ssa.Alloc); ok {
		if value := onlyValue(a); value != nil {
			p, ok := placeOf(known, value)
			p.isCaptured = true
			return p, ok
		}
	}
	p, ok := placeOf(known, v)
	return p, ok
}

// onlyValue returns the value of a variable that is assigned once, where it is not handed on but to literals
// that only read it; nil of others.
func onlyValue(a *ssa.Alloc) (value ssa.Value) {
	for _, user := range *a.Referrers() {
		switch x := user.(type) {
		case *ssa.Store:
			if x.Addr != a || value != nil {
				return nil
			}
			value = x.Val
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.MakeClosure:
			fn := x.Fn.(*ssa.Function)
			for i, v := range x.Bindings {
				if v == a && !isOnlyRead(fn.FreeVars[i]) {
					return nil
				}
			}
		default:
			return nil
		}
	}
	return value
}

func isOnlyRead(v *ssa.FreeVar) bool {
	for _, user := range *v.Referrers() {
		switch x := user.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.MakeClosure:
			fn := x.Fn.(*ssa.Function)
			for i, b := range x.Bindings {
				if b == v && !isOnlyRead(fn.FreeVars[i]) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// placeOf returns which part of the object a value is, or is the address of.
func placeOf(known map[ssa.Value]place, v ssa.Value) (place, bool) {
	for range 16 {
		if p, ok := known[v]; ok {
			return p, true
		}
		switch x := v.(type) {
		case *ssa.ChangeType:
			v = x.X
		case *ssa.FieldAddr:
			p, ok := placeOf(known, x.X)
			if !ok {
				return place{}, false
			}
			if p.isValue {
				p.path += pointed
			}
			return place{path: p.path + "." + fieldOf(x).Name()}, true
		case *ssa.UnOp:
			if x.Op != token.MUL {
				return place{}, false
			}
			a, isVariable := x.X.(*ssa.Alloc)
			if _, isObject := known[x.X]; isVariable && !isObject {
				if v = onlyValue(a); v == nil {
					return place{}, false
				}
				continue
			}
			p, ok := placeOf(known, x.X)
			switch {
			case !ok || p.isValue && !p.isCaptured:
				return place{}, false
			case p.isCaptured:
				p.isCaptured = false
				return p, true
			}
			return place{path: p.path, isValue: true}, true
		case *ssa.Global:
			return place{path: x.String()}, true
		default:
			return place{}, false
		}
	}
	return place{}, false
}

func fieldOf(x *ssa.FieldAddr) *types.Var {
	return x.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct).Field(x.Field)
}

// isMap tells whether the value is a map.
func isMap(v ssa.Value) bool {
	_, ok := v.Type().Underlying().(*types.Map)
	return ok
}

// positionOf returns where the user sees an instruction.
func positionOf(instr ssa.Instruction) token.Pos {
	if p := instr.Pos(); p.IsValid() {
		return p
	}
	for _, operand := range instr.Operands(nil) {
		if *operand != nil && (*operand).Pos().IsValid() {
			return (*operand).Pos()
		}
	}
	return token.NoPos
}
