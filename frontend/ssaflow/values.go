package ssaflow

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// IsMapOrSlice tells whether the value is a map or a slice.
func IsMapOrSlice(v ssa.Value) bool {
	switch v.Type().Underlying().(type) {
	case *types.Map, *types.Slice:
		return true
	}
	return false
}

// IsNumber tells whether a sum is one of numbers.
func IsNumber(v ssa.Value) bool {
	b, ok := v.Type().Underlying().(*types.Basic)
	return ok && b.Info()&types.IsNumeric != 0
}

// OnlyUse tells whether a value is used by one instruction, once.
func OnlyUse(v ssa.Value, user ssa.Instruction) bool {
	uses := 0
	for _, r := range *v.Referrers() {
		if _, isDebug := r.(*ssa.DebugRef); !isDebug {
			uses++
			if r != user {
				return false
			}
		}
	}
	return uses == 1
}

// TokenPos returns where an instruction is, by itself or by the pointer that it goes through.
func TokenPos(instr ssa.Instruction) token.Pos {
	if p := instr.Pos(); p.IsValid() {
		return p
	}
	for _, o := range instr.Operands(nil) {
		if *o == nil {
			continue
		}
		if p := (*o).Pos(); p.IsValid() {
			if _, isParam := (*o).(*ssa.Parameter); !isParam {
				return p
			}
		}
	}
	return token.NoPos
}

// IsNil tells whether v is the constant nil.
func IsNil(v ssa.Value) bool {
	k, ok := v.(*ssa.Const)
	return ok && k.IsNil()
}

// IsTrue tells whether the value is the constant true.
func IsTrue(v ssa.Value) bool { return isConstant(v, true) }

// IsFalse tells whether the value is the constant false.
func IsFalse(v ssa.Value) bool { return isConstant(v, false) }

func isConstant(v ssa.Value, b bool) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && c.Value.Kind() == constant.Bool && constant.BoolVal(c.Value) == b
}

// IsIteration tells whether the instruction begins or goes on with a range over a map.
func IsIteration(instr ssa.Instruction) bool {
	switch instr.(type) {
	case *ssa.Range, *ssa.Next:
		return true
	}
	return false
}

// IsReceive tells whether the instruction receives from a channel, outside of a select.
func IsReceive(instr ssa.Instruction) bool {
	load, ok := instr.(*ssa.UnOp)
	return ok && load.Op.String() == "<-"
}

// IsUsed tells whether something is done with the value.
func IsUsed(v ssa.Value) bool {
	return slices.ContainsFunc(*v.Referrers(), func(user ssa.Instruction) bool {
		_, isDebug := user.(*ssa.DebugRef)
		return !isDebug
	})
}

// Indices returns the values that choose the element that an address is of, or is in.
// (A pointer that is followed chooses memory, too; but what is done there is an event
// of its own if it is to the set, and does not depend on the set if it is not.)
func Indices(address ssa.Value) []ssa.Value {
	var all []ssa.Value
	for {
		switch v := address.(type) {
		case *ssa.FieldAddr:
			address = v.X
		case *ssa.IndexAddr:
			all = append(all, v.Index)
			address = v.X
		default:
			return all
		}
	}
}

// AsValue returns the instruction as a value, nil if it is none.
func AsValue(instr ssa.Instruction) ssa.Value {
	v, _ := instr.(ssa.Value)
	return v
}

// BlockOf returns where a value gets what the root is: the block of a phi, if there is
// one between them.
func BlockOf(v ssa.Value, root ssa.Instruction) *ssa.BasicBlock {
	for {
		if phi, ok := v.(*ssa.Phi); ok {
			return phi.Block()
		}
		next := Unwrapped(v)
		if next == nil {
			return root.Block()
		}
		v = next
	}
}

// Unwrapped returns the value that v is another form of, nil if there is none.
func Unwrapped(v ssa.Value) ssa.Value {
	switch v := v.(type) {
	case *ssa.MakeInterface:
		return v.X
	case *ssa.ChangeInterface:
		return v.X
	case *ssa.ChangeType:
		return v.X
	case *ssa.TypeAssert:
		return v.X
	case *ssa.Extract:
		if t, ok := v.Tuple.(*ssa.TypeAssert); ok && v.Index == 0 {
			return t.X
		}
	}
	return nil
}

// BaseOf returns the pointer that an address is computed from.
func BaseOf(address ssa.Value) ssa.Value {
	for {
		switch v := address.(type) {
		case *ssa.FieldAddr:
			address = v.X
		case *ssa.IndexAddr:
			address = v.X
		case *ssa.Slice:
			address = v.X
		default:
			return address
		}
	}
}

// IsPointerLike tells whether values of the type hold an address themselves.
func IsPointerLike(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Interface, *types.Signature:
		return true
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	}
	return false
}

// MadeBy returns the instruction that a value is, or is a part of the result of.
func MadeBy(value ssa.Value) ssa.Instruction {
	if extract, ok := value.(*ssa.Extract); ok {
		value = extract.Tuple
	}
	return value.(ssa.Instruction)
}

// WayIfNil returns where control goes from the end of a block if the value is nil, nil if
// the block does not ask for that.
func WayIfNil(b *ssa.BasicBlock, value ssa.Value) *ssa.BasicBlock {
	branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok {
		return nil
	}
	comparison := Equality(branch.Cond)
	switch {
	case comparison == nil || comparison.X != value || !IsNil(comparison.Y):
		return nil
	case comparison.Op == token.EQL:
		return b.Succs[0]
	}
	return b.Succs[1]
}

// Equality returns the comparison x == y or x != y that a value is, else nil.
func Equality(v ssa.Value) *ssa.BinOp {
	if comparison, ok := v.(*ssa.BinOp); ok && (comparison.Op == token.EQL || comparison.Op == token.NEQ) {
		return comparison
	}
	return nil
}

// Unnegated strips negations: a branch on !ok decides what one on ok does.
func Unnegated(v ssa.Value) ssa.Value {
	for {
		not, ok := v.(*ssa.UnOp)
		if !ok || not.Op.String() != "!" {
			return v
		}
		v = not.X
	}
}

// IsSliceLength tells whether the call asks for what is in the header of a slice.
func IsSliceLength(call *ssa.Call) bool {
	if !IsBuiltin(call, "len") && !IsBuiltin(call, "cap") {
		return false
	}
	_, isMap := call.Call.Args[0].Type().Underlying().(*types.Map)
	return !isMap
}

// MayYield tells whether the instruction may synchronise, or run other code.
func MayYield(instr ssa.Instruction) bool {
	switch v := instr.(type) {
	case ssa.CallInstruction:
		_, isBuiltin := v.Common().Value.(*ssa.Builtin)
		return !isBuiltin
	case *ssa.UnOp:
		return v.Op == token.ARROW
	case *ssa.Send, *ssa.Select, *ssa.RunDefers:
		return true
	}
	return false
}

// RootOf returns the pointer that an address is computed from, through fields and variables
// that hold pointers, too. Elements are told apart.
func RootOf(address ssa.Value) ssa.Value {
	for {
		switch v := address.(type) {
		case *ssa.FieldAddr:
			address = v.X
		case *ssa.Slice:
			address = v.X
		case *ssa.ChangeType:
			address = v.X
		case *ssa.UnOp:
			switch from := v.X.(type) {
			case *ssa.FieldAddr:
				address = from.X
			case *ssa.Alloc, *ssa.FreeVar, *ssa.Global:
				return from
			default:
				return v
			}
		default:
			return address
		}
	}
}

// FollowsAtOnce tells whether an instruction is executed after v is computed, and
// nothing between could let another goroutine in by order.
func FollowsAtOnce(v ssa.Value, then ssa.Instruction) bool {
	between := false
	for _, instr := range then.Block().Instrs {
		switch {
		case instr == then:
			return between
		case between && MayYield(instr):
			return false
		case instr == v.(ssa.Instruction):
			between = true
		}
	}
	return false
}

// IsRangeIndex tells whether the index is one of a loop over the indexed value, or a
// constant in an array.
func IsRangeIndex(x, index ssa.Value) bool {
	if _, isConst := index.(*ssa.Const); isConst {
		t := x.Type().Underlying()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem().Underlying()
		}
		_, isArray := t.(*types.Array)
		return isArray
	}
	next, ok := index.(*ssa.BinOp)
	if !ok || !strings.HasPrefix(next.Block().Comment, "rangeindex.") {
		return false
	}
	branch, ok := next.Block().Instrs[len(next.Block().Instrs)-1].(*ssa.If)
	if !ok {
		return false
	}
	below, ok := branch.Cond.(*ssa.BinOp)
	if !ok || below.X != ssa.Value(next) {
		return false
	}
	if _, isConst := below.Y.(*ssa.Const); isConst {
		return true // over an array, whose type has the length
	}
	return LengthOf(below.Y) == x
}

// IsStoredBack tells whether the result of append(x.f, ...) is only stored in x.f:
// then the store is the write.
func IsStoredBack(to, result ssa.Value) bool {
	if result == nil || len(*result.Referrers()) != 1 {
		return false
	}
	store, ok := (*result.Referrers())[0].(*ssa.Store)
	if !ok || !FollowsAtOnce(result, store) {
		return false
	}
	for {
		part, isSlice := to.(*ssa.Slice)
		if !isSlice {
			break
		}
		to = part.X
	}
	from, ok := to.(*ssa.UnOp)
	return ok && IsSameField(from.X, store.Addr)
}

// IsUnusedArray tells whether v is the load of a whole array that nothing uses: the
// SSA form has it for the range expression of a loop over the indices of an array,
// which Go does not evaluate.
func IsUnusedArray(v *ssa.UnOp) bool {
	_, isArray := v.Type().Underlying().(*types.Array)
	return isArray && len(*v.Referrers()) == 0
}

// DecidesBranch tells whether a branch depends on the boolean, or on its negation.
func DecidesBranch(v ssa.Value) bool {
	for _, user := range *v.Referrers() {
		switch u := user.(type) {
		case *ssa.If:
			return true
		case *ssa.UnOp:
			if u.Op == token.NOT && DecidesBranch(u) {
				return true
			}
		}
	}
	return false
}

// IsError tells whether t is the type error.
func IsError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

// IsBool tells whether t is a boolean type.
func IsBool(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// IsSameField tells whether two addresses are the same field of the same object.
func IsSameField(a, b ssa.Value) bool {
	x, ok := a.(*ssa.FieldAddr)
	if !ok {
		return false
	}
	y, ok := b.(*ssa.FieldAddr)
	return ok && x.Field == y.Field && (IsSamePointer(x.X, y.X) || IsSameField(x.X, y.X))
}

// IsArgumentList tells whether the slice is one made for a call with several
// arguments.
func IsArgumentList(v ssa.Value) bool {
	slice, ok := v.(*ssa.Slice)
	if !ok {
		return false
	}
	array, ok := slice.X.(*ssa.Alloc)
	return ok && array.Comment == "varargs"
}
