package blocking

import (
	"go/constant"
	"go/token"
	"go/types"
	"strconv"

	"golang.org/x/tools/go/ssa"
)

// binary computes an operation on what is known.
func (l *lowerer) binary(x *ssa.BinOp, v, w value) value {
	m, ok1 := v.(number)
	n, ok2 := w.(number)
	b, some1 := v.(bounded)
	c, some2 := w.(bounded)
	switch {
	case some1 && ok2:
		return b.compared(x.Op, n)
	case ok1 && some2:
		return c.compared(mirrored[x.Op], m)
	case !ok1 || !ok2:
		return compared(x.Op, v, w)
	}
	if m.Kind() == constant.Unknown || n.Kind() == constant.Unknown {
		return nil
	}
	switch x.Op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		if (m.Kind() == constant.Bool) != (n.Kind() == constant.Bool) ||
			(m.Kind() == constant.String) != (n.Kind() == constant.String) {
			return nil
		}
		return truth(constant.Compare(m.Value, x.Op, n.Value))
	case token.SHL, token.SHR:
		k, ok := constant.Uint64Val(n.Value)
		if !ok || k > 64 || m.Kind() != constant.Int {
			return nil
		}
		return wrapped(constant.Shift(m.Value, x.Op, uint(k)), x.Type())
	case token.QUO, token.REM:
		if n.Kind() != constant.Int || m.Kind() != constant.Int || constant.Sign(n.Value) == 0 {
			return nil
		}
		op := x.Op
		if op == token.QUO {
			op = token.QUO_ASSIGN // of integers
		}
		return wrapped(constant.BinaryOp(m.Value, op, n.Value), x.Type())
	}
	if m.Kind() == constant.String && n.Kind() == constant.String {
		if x.Op == token.ADD && len(constant.StringVal(m.Value))+len(constant.StringVal(n.Value)) < 200 {
			return number{constant.BinaryOp(m.Value, x.Op, n.Value)}
		}
		return nil
	}
	if m.Kind() == constant.Int && n.Kind() == constant.Int {
		return wrapped(constant.BinaryOp(m.Value, x.Op, n.Value), x.Type())
	}
	return nil
}

// wrapped is a number that fits its type, else nothing is known.
func wrapped(c constant.Value, t types.Type) value {
	b, ok := t.Underlying().(*types.Basic)
	if !ok || b.Info()&types.IsInteger == 0 || c.Kind() != constant.Int {
		return nil
	}
	if n, ok := constant.Int64Val(c); !ok || n > 1<<30 || n < -1<<30 || b.Info()&types.IsUnsigned != 0 && n < 0 ||
		(b.Kind() == types.Int8 || b.Kind() == types.Uint8) && (n > 127 || n < -128) {
		return nil
	}
	return number{c}
}

// compared compares what is no number.
func compared(op token.Token, v, w value) value {
	if op != token.EQL && op != token.NEQ || v == nil || w == nil {
		return nil
	}
	_, none1 := v.(nothing)
	_, none2 := w.(nothing)
	p, ok1 := v.(pointer)
	q, ok2 := w.(pointer)
	b1, some1 := v.(bounded)
	b2, some2 := w.(bounded)
	switch {
	case some1 && b1.low < 1 || some2 && b2.low < 1: // a slice that is empty may be nil
		return nil
	case none1 && none2:
		return truth(op == token.EQL)
	case none1 || none2:
		return truth(op == token.NEQ)
	case ok1 && ok2 && !p.to.isMany && !q.to.isMany:
		return truth((p.to == q.to && p.path == q.path) == (op == token.EQL))
	}
	b, ok1 := v.(boxed)
	c, ok2 := w.(boxed)
	if ok1 && ok2 && types.Identical(b.dynamic, c.dynamic) {
		return compared(op, b.value, c.value)
	}
	if m, ok := v.(number); ok {
		if n, ok := w.(number); ok && m.Kind() == n.Kind() {
			return truth(constant.Compare(m.Value, op, n.Value))
		}
	}
	return nil
}

// converted converts a number to a type.
func converted(v value, t types.Type) value {
	n, ok := v.(number)
	if !ok {
		if _, isNil := v.(nothing); isNil {
			return v
		}
		return nil
	}
	b, isBasic := t.Underlying().(*types.Basic)
	switch {
	case !isBasic:
		return nil
	case b.Info()&types.IsInteger != 0 && n.Kind() == constant.Int:
		return wrapped(n.Value, t)
	case b.Info()&types.IsString != 0 && n.Kind() == constant.String:
		return n
	case b.Info()&types.IsFloat != 0 && n.Kind() == constant.Int:
		return number{constant.ToFloat(n.Value)}
	}
	return nil
}

// assert is a type assertion.
func (l *lowerer) assert(s *state, x *ssa.TypeAssert, v value) effect {
	var result value
	ok, known := false, true
	switch b := v.(type) {
	case boxed:
		if types.IsInterface(x.AssertedType) {
			ok = types.AssertableTo(x.AssertedType.Underlying().(*types.Interface), b.dynamic) &&
				types.Implements(b.dynamic, x.AssertedType.Underlying().(*types.Interface))
			result = b
		} else {
			ok = types.Identical(b.dynamic, x.AssertedType)
			result = b.value
		}
	case nothing:
	default:
		known = false
	}
	if !x.CommaOk {
		return plain(s, x, result)
	}
	switch {
	case !known:
		return plain(s, x, several{nil, nil})
	case !ok:
		result = zero(x.AssertedType)
	}
	return plain(s, x, several{result, truth(ok)})
}

// element is the address of an element.
func element(v, index value) value {
	i, ok := asInt(index)
	if !ok {
		return nil
	}
	switch v := v.(type) {
	case slice:
		if v.len >= 0 && i >= v.len {
			return nil
		}
		return pointer{v.to, join(v.path, "["+strconv.Itoa(v.from+i)+"]")}
	case pointer:
		return pointer{v.to, join(v.path, "["+strconv.Itoa(i)+"]")}
	}
	return nil
}

// sliced is a slice of an array or of a slice.
func (l *lowerer) sliced(x *ssa.Slice, get func(ssa.Value) value) value {
	low, ok := 0, true
	if x.Low != nil {
		low, ok = asInt(get(x.Low))
	}
	if !ok {
		return nil
	}
	var all slice
	switch v := get(x.X).(type) {
	case slice:
		all = v
	case pointer:
		all = slice{v, 0, -1}
		if p, ok := x.X.Type().Underlying().(*types.Pointer); ok {
			if a, ok := p.Elem().Underlying().(*types.Array); ok {
				all.len = int(a.Len())
			}
		}
	default:
		return nil
	}
	high := all.len
	if x.High != nil {
		if high, ok = asInt(get(x.High)); !ok {
			high = -1
		}
	}
	all.from += low
	if all.len = high - low; high < 0 {
		all.len = -1
	}
	return all
}
