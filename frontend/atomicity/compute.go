package atomicity

import (
	"go/constant"
	"go/token"
	"go/types"
	"strconv"

	"golang.org/x/tools/go/ssa"
)

// constantOf returns the term of a constant.
func (r *run) constantOf(v *ssa.Const) term {
	if v.Value == nil {
		return r.zero(v.Type())
	}
	if v.Value.Kind() == constant.Int && !isScalar(v.Type()) { // as a float
		return r.apply("number " + v.Value.ExactString())
	}
	if !isScalar(v.Type()) {
		return r.apply("number " + v.Value.ExactString())
	}
	return r.constant(v.Value)
}

// made returns the term of memory that an instruction makes.
func (r *run) newMemory(s *state, at ssa.Instruction) term {
	s.count[at]++
	t := r.apply("new " + strconv.Itoa(r.id(at)) + " " + strconv.Itoa(s.count[at]))
	s.made[t] = false
	return t
}

// compute returns the value of an instruction that accesses no memory; not ok if it is not followed.
func (r *run) compute(s *state, v ssa.Value) (t term, ok bool) {
	value := func(x ssa.Value) term { return r.value(s, x) }
	switch v := v.(type) {
	case *ssa.Alloc, *ssa.MakeMap:
		return r.newMemory(s, v.(ssa.Instruction)), true
	case *ssa.FieldAddr:
		return r.field(value(v.X), fieldOf(v.X.Type(), v.Field)), true
	case *ssa.Field:
		return r.part(value(v.X), v.Field), true
	case *ssa.Extract:
		if n := r.nodes[value(v.Tuple)]; n.op == "tuple" {
			return n.args[v.Index], true
		}
		return r.apply("result "+strconv.Itoa(v.Index), value(v.Tuple)), true
	case *ssa.BinOp:
		return r.binary(v, value(v.X), value(v.Y))
	case *ssa.UnOp:
		switch v.Op {
		case token.NOT:
			return r.not(value(v.X)), true
		case token.SUB, token.XOR:
			return r.apply("unary "+v.Op.String()+typeName(v.Type()), value(v.X)), true
		}
	case *ssa.Convert:
		if isScalar(v.X.Type()) && isScalar(v.Type()) {
			return r.apply("convert "+typeName(v.X.Type())+" "+typeName(v.Type()), value(v.X)), true
		}
	case *ssa.ChangeType:
		return value(v.X), true
	case *ssa.ChangeInterface:
		return value(v.X), true
	case *ssa.MakeInterface:
		return r.apply("interface "+typeName(v.X.Type()), value(v.X)), true
	}
	return 0, false
}

func typeName(t types.Type) string { return types.TypeString(t, nil) }

// binary returns the value of an operation on two values.
func (r *run) binary(v *ssa.BinOp, x, y term) (term, bool) {
	isInteger := func(t types.Type) bool {
		b, ok := t.Underlying().(*types.Basic)
		return ok && b.Info()&types.IsInteger != 0
	}
	t := v.X.Type()
	switch v.Op {
	case token.EQL, token.NEQ:
		equal := r.equal(x, y)
		if !isComparedByItself(t) && x != nilTerm && y != nilTerm {
			equal = r.apply("equal", x, y)
		}
		if _, isInterface := t.Underlying().(*types.Interface); isInterface && x != nilTerm && y != nilTerm {
			return 0, false // it may panic
		}
		if v.Op == token.NEQ {
			return r.not(equal), true
		}
		return equal, true
	case token.LSS, token.GTR, token.LEQ, token.GEQ:
		if !isScalar(t) {
			return r.apply("compare "+v.Op.String(), x, y), true
		}
		switch v.Op {
		case token.LSS:
			return r.less(x, y), true
		case token.GTR:
			return r.less(y, x), true
		case token.LEQ:
			return r.not(r.less(y, x)), true
		}
		return r.not(r.less(x, y)), true
	case token.ADD, token.SUB:
		if isInteger(t) {
			return r.sum(x, y, v.Op == token.SUB, t), true
		}
	case token.QUO, token.REM:
		if n, ok := r.small(y); isInteger(t) && (!ok || n == 0) {
			return 0, false // it may panic
		}
	case token.SHL, token.SHR:
		if _, ok := r.small(y); !ok {
			return 0, false
		}
	}
	return r.apply("binary "+v.Op.String()+typeName(t), x, y), true
}

// sum returns a sum or a difference of integers.
func (r *run) sum(x, y term, negative bool, t types.Type) term {
	if n, ok := r.small(y); ok {
		if m, ok := r.small(x); ok && m >= 0 { // no type is too small for the result
			if negative && m-n >= 0 && m-n <= maxOffset {
				return r.constant(constant.MakeInt64(m - n))
			} else if !negative && m+n >= 0 && m+n <= maxOffset {
				return r.constant(constant.MakeInt64(m + n))
			}
		}
		if negative {
			n = -n
		}
		return r.plus(x, n)
	}
	if negative {
		return r.apply("minus "+typeName(t), x, y)
	}
	if n, ok := r.small(x); ok {
		return r.plus(y, n)
	}
	if x > y {
		x, y = y, x
	}
	return r.apply("sum "+typeName(t), x, y)
}

// isComparedByItself tells whether two values of a type are equal if and only if they are the same.
func isComparedByItself(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&(types.IsInteger|types.IsString|types.IsBoolean) != 0 || u.Kind() == types.UnsafePointer
	case *types.Pointer, *types.Chan, *types.Interface:
		return true // of interfaces only comparisons with nil are followed
	}
	return false
}
