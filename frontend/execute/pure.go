package execute

import (
	"fmt"
	"go/token"
	"go/types"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/tools/go/ssa"
)

// pure executes an instruction that computes a value from others, or looks one up.
func (fr *frame) pure(op *operation) (value, taint) {
	g := fr.g
	var few [4]value // most have no more: they need no memory
	var t taint
	args := few[:0]
	for k := range op.args {
		v, vt := fr.operand(&op.args[k])
		args, t = append(args, v), t.union(vt)
	}
	g.use(t)
	switch i := op.instr.(type) {
	case *ssa.BinOp:
		return binary(i.Op, i.X.Type(), i.Y.Type(), args[0], args[1]), t
	case *ssa.ChangeInterface, *ssa.ChangeType:
		return args[0], t
	case *ssa.Convert:
		return g.convert(i.X.Type(), i.Type(), args[0]), t
	case *ssa.MakeInterface:
		return iface{i.X.Type(), args[0]}, t
	case *ssa.MakeClosure:
		g.keep(t)
		return &closure{fn: i.Fn.(*ssa.Function), env: slices.Clone(args[1:]), origin: g.origin(), by: g}, t
	case *ssa.MakeSlice:
		n, c := int(args[0].(int64)), int(args[1].(int64))
		if n < 0 || c < n {
			panic(goPanic{runtimeError("makeslice: len out of range")})
		}
		return slice{g.array(i.Type().Underlying().(*types.Slice).Elem(), c)[:n]}, t
	case *ssa.MakeMap:
		m := newMapping()
		m.mem.origin = g.origin()
		return m, t
	case *ssa.MakeChan:
		return &channel{capacity: int(args[0].(int64)), element: i.Type().Underlying().(*types.Chan).Elem(),
			origin: g.origin()}, t
	case *ssa.Extract:
		return args[0].(aggregate)[i.Index], t
	case *ssa.Field:
		return args[0].(aggregate)[i.Field], t
	case *ssa.FieldAddr:
		c := args[0].(*cell)
		g.nonNil(c)
		return c.parts[i.Field], t
	case *ssa.Index:
		if s, ok := args[0].(string); ok {
			return int64(s[checkIndex(args[1], len(s))]), t
		}
		a := args[0].(aggregate)
		return a[checkIndex(args[1], len(a))], t
	case *ssa.IndexAddr:
		if s, ok := args[0].(slice); ok {
			return s.cells[checkIndex(args[1], len(s.cells))], t
		}
		c := args[0].(*cell)
		g.nonNil(c)
		return c.parts[checkIndex(args[1], len(c.parts))], t
	case *ssa.Lookup:
		if s, ok := args[0].(string); ok {
			return int64(s[checkIndex(args[1], len(s))]), t
		}
		return g.lookup(i, args[0].(*mapping), args[1], t)
	case *ssa.Range:
		return g.newIterator(args[0]), t
	case *ssa.Next:
		return args[0].(*iterator).next(g, i)
	case *ssa.Slice:
		return g.sliced(args), t
	case *ssa.SliceToArrayPointer:
		return arrayIn(args[0].(slice), i.Type().Underlying().(*types.Pointer).Elem()), t
	case *ssa.TypeAssert:
		return g.assert(i, args[0].(iface)), t
	}
	unsupported("the instruction %T", op.instr)
	return nil, nil
}

// arrayIn returns the address of the array that a slice begins with.
func arrayIn(s slice, t types.Type) value {
	n := int(t.Underlying().(*types.Array).Len())
	switch {
	case s.cells == nil && n == 0:
		return (*cell)(nil)
	case len(s.cells) < n:
		const text = "cannot convert slice with length %d to array or pointer to array with length %d"
		panic(goPanic{runtimeError(fmt.Sprintf(text, len(s.cells), n))})
	case n == 0:
		return &cell{typ: t, mem: &memory{}}
	}
	first := s.cells[0]
	return &cell{typ: t, parts: s.cells[:n:n], mem: first.mem, elem: true, at: first.at}
}

func checkIndex(i value, n int) int {
	k := i.(int64)
	if k < 0 || k >= int64(n) {
		panic(goPanic{runtimeError(fmt.Sprintf("index out of range [%d] with length %d", k, n))})
	}
	return int(k)
}

func (g *goroutine) assert(i *ssa.TypeAssert, x iface) value {
	ok := x.typ != nil
	var v value
	if it, isInterface := i.AssertedType.Underlying().(*types.Interface); isInterface {
		ok = ok && types.Implements(x.typ, it)
		v = x
	} else {
		ok = ok && types.Identical(x.typ, i.AssertedType)
		v = x.val
	}
	if i.CommaOk {
		if !ok {
			v = zero(i.AssertedType)
		}
		return aggregate{v, ok}
	}
	if !ok {
		panic(goPanic{runtimeError(wrongType(i, x))})
	}
	return v
}

// wrongType says what a type assertion panics with.
func wrongType(i *ssa.TypeAssert, x iface) string {
	from, to := types.TypeString(i.X.Type(), byName), types.TypeString(i.AssertedType, byName)
	if x.typ == nil {
		return fmt.Sprintf("interface conversion: %s is nil, not %s", from, to)
	}
	return fmt.Sprintf("interface conversion: %s is %s, not %s", from, types.TypeString(x.typ, byName), to)
}

func byName(pkg *types.Package) string { return pkg.Name() }

// sliced is x[lo:hi:max] of a string, a slice or the address of an array; nil bounds are left out.
func (g *goroutine) sliced(args []value) value {
	at := func(k, def int) int {
		if args[k] == nil {
			return def
		}
		return int(args[k].(int64))
	}
	if s, ok := args[0].(string); ok {
		lo, hi := at(1, 0), at(2, len(s))
		if lo < 0 || hi < lo || hi > len(s) {
			panic(goPanic{runtimeError("slice bounds out of range")})
		}
		return s[lo:hi]
	}
	var cells []*cell
	switch x := args[0].(type) {
	case slice:
		cells = x.cells
	case *cell:
		g.nonNil(x)
		cells = x.parts
	}
	lo, hi := at(1, 0), at(2, len(cells))
	limit := at(3, cap(cells))
	if lo < 0 || hi < lo || limit < hi || limit > cap(cells) {
		panic(goPanic{runtimeError("slice bounds out of range")})
	}
	if cells == nil {
		return slice{}
	}
	return slice{cells[lo:hi:limit]}
}

// unary is the operators -, !, ^.
func unary(i *ssa.UnOp, x value) value {
	switch x := x.(type) {
	case bool:
		return !x
	case int64:
		if i.Op == token.SUB {
			return wrap(i.Type(), -x)
		}
		return wrap(i.Type(), ^x)
	case float64:
		return -x
	case complex128:
		return -x
	}
	unsupported("the operator %s", i.Op)
	return nil
}

// binary is the operators with two operands.
func binary(op token.Token, xt, yt types.Type, x, y value) value {
	switch op {
	case token.EQL, token.NEQ:
		// An interface may be compared with a value.
		if _, ok := x.(iface); ok {
			if _, ok := y.(iface); !ok {
				y = iface{yt, y}
			}
		} else if _, ok := y.(iface); ok {
			x = iface{xt, x}
		}
		return equal(x, y) == (op == token.EQL)
	case token.SHL, token.SHR:
		return shift(op, xt, x.(int64), y.(int64))
	}
	switch x := x.(type) {
	case int64:
		return integer(op, xt, x, y.(int64))
	case float64:
		return float(op, xt, x, y.(float64))
	case string:
		y := y.(string)
		switch op {
		case token.ADD:
			return x + y
		}
		return ordered(op, strings.Compare(x, y))
	case complex128:
		y := y.(complex128)
		switch op {
		case token.ADD:
			return x + y
		case token.SUB:
			return x - y
		case token.MUL:
			return x * y
		case token.QUO:
			return x / y
		}
	}
	unsupported("the operator %s", op)
	return nil
}

func ordered(op token.Token, c int) bool {
	switch op {
	case token.LSS:
		return c < 0
	case token.LEQ:
		return c <= 0
	case token.GTR:
		return c > 0
	}
	return c >= 0
}

func shift(op token.Token, t types.Type, x, y int64) value {
	if y < 0 || y > 63 {
		if op == token.SHR && x < 0 && !isUnsigned(t) {
			return int64(-1)
		}
		return int64(0)
	}
	if op == token.SHL {
		return wrap(t, x<<uint(y))
	}
	if isUnsigned(t) {
		return wrap(t, int64(uint64(x)>>uint(y)))
	}
	return wrap(t, x>>uint(y))
}

func integer(op token.Token, t types.Type, x, y int64) value {
	switch op {
	case token.ADD:
		return wrap(t, x+y)
	case token.SUB:
		return wrap(t, x-y)
	case token.MUL:
		return wrap(t, x*y)
	case token.QUO, token.REM:
		if y == 0 {
			panic(goPanic{runtimeError("integer divide by zero")})
		}
		switch {
		case isUnsigned(t) && op == token.QUO:
			return wrap(t, int64(uint64(x)/uint64(y)))
		case isUnsigned(t):
			return wrap(t, int64(uint64(x)%uint64(y)))
		case y == -1 && op == token.QUO:
			return wrap(t, -x)
		case y == -1:
			return int64(0)
		case op == token.QUO:
			return wrap(t, x/y)
		}
		return wrap(t, x%y)
	case token.AND:
		return x & y
	case token.OR:
		return x | y
	case token.XOR:
		return wrap(t, x^y)
	case token.AND_NOT:
		return x &^ y
	}
	c := 0
	switch {
	case isUnsigned(t) && uint64(x) < uint64(y), !isUnsigned(t) && x < y:
		c = -1
	case x != y:
		c = 1
	}
	return ordered(op, c)
}

func float(op token.Token, t types.Type, x, y float64) value {
	r := 0.0
	switch op {
	case token.ADD:
		r = x + y
	case token.SUB:
		r = x - y
	case token.MUL:
		r = x * y
	case token.QUO:
		r = x / y
	case token.LSS:
		return x < y
	case token.LEQ:
		return x <= y
	case token.GTR:
		return x > y
	case token.GEQ:
		return x >= y
	}
	if b, ok := t.Underlying().(*types.Basic); ok && b.Kind() == types.Float32 {
		r = float64(float32(r))
	}
	return r
}

// convert is a conversion that changes the representation.
func (g *goroutine) convert(from, to types.Type, x value) value {
	fu, tu := from.Underlying(), to.Underlying()
	tb, _ := tu.(*types.Basic)
	switch x := x.(type) {
	case int64:
		switch {
		case tb == nil:
		case tb.Info()&types.IsInteger != 0:
			return wrap(to, x)
		case tb.Info()&types.IsFloat != 0:
			if isUnsigned(from) {
				return float64(uint64(x))
			}
			return float64(x)
		case tb.Info()&types.IsString != 0:
			return string(rune(x))
		case tb.Kind() == types.UnsafePointer:
			return g.m.pointerAt(x)
		}
	case float64:
		switch {
		case tb == nil:
		case tb.Info()&types.IsInteger != 0:
			if isUnsigned(to) && x > math.MaxInt64 {
				return wrap(to, int64(uint64(x)))
			}
			return wrap(to, int64(x))
		case tb.Kind() == types.Float32:
			return float64(float32(x))
		case tb.Info()&types.IsFloat != 0:
			return x
		}
	case complex128:
		return x
	case string:
		if s, ok := tu.(*types.Slice); ok {
			var all []value
			if isByte(s.Elem()) {
				for _, b := range []byte(x) {
					all = append(all, int64(b))
				}
			} else {
				for _, r := range x {
					all = append(all, int64(r))
				}
			}
			cells := g.array(s.Elem(), len(all))
			for k, c := range cells {
				c.val = all[k]
			}
			return slice{cells}
		}
		if tb != nil {
			return x
		}
	case slice:
		if tb != nil && tb.Info()&types.IsString != 0 {
			var b strings.Builder
			for _, c := range x.cells {
				v, _ := g.load(c)
				if isByte(fu.(*types.Slice).Elem()) {
					b.WriteByte(byte(v.(int64)))
				} else {
					b.WriteRune(rune(v.(int64)))
				}
			}
			return b.String()
		}
		return x
	case *cell:
		switch p, isPointer := tu.(*types.Pointer); {
		case isPointer:
			return g.asPointer(x, p.Elem())
		case isIntegerType(to):
			return g.m.address(x)
		}
		return x
	case *mapping, *channel, *closure:
		if isIntegerType(to) {
			return g.m.address(x)
		}
		return x
	}
	unsupported("a conversion from %s to %s", from, to)
	return nil
}

func isByte(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && (b.Kind() == types.Byte)
}

// iterator is what range over a map or a string makes.
type iterator struct {
	text string
	at   int
	m    *mapping
}

func (g *goroutine) newIterator(x value) *iterator {
	if s, ok := x.(string); ok {
		return &iterator{text: s}
	}
	return &iterator{m: x.(*mapping)}
}

func (it *iterator) next(g *goroutine, i *ssa.Next) (value, taint) {
	if i.IsString {
		if it.at >= len(it.text) {
			return aggregate{false, int64(0), int64(0)}, nil
		}
		at := it.at
		r, n := utf8.DecodeRuneInString(it.text[at:])
		it.at += n
		return aggregate{true, int64(at), int64(r)}, nil
	}
	types := i.Type().(*types.Tuple)
	var t taint
	if it.m != nil {
		if it.m.mem.shared {
			g.pointAt(it.m, Read)
		}
		t = g.accessMap(it.m, Read)
		for it.at < len(it.m.order) {
			e := it.m.order[it.at]
			it.at++
			if !e.gone {
				return aggregate{true, e.key, e.val}, t
			}
		}
	}
	return aggregate{false, zeroOrNil(types.At(1).Type()), zeroOrNil(types.At(2).Type())}, t
}

// zeroOrNil is zero, but for the type of an unused variable.
func zeroOrNil(t types.Type) value {
	if b, ok := t.(*types.Basic); ok && b.Kind() == types.Invalid {
		return nil
	}
	return zero(t)
}

func newMapping() *mapping {
	m := &mapping{mem: &memory{}, index: map[any]*entry{}}
	m.mem.maps = m
	return m
}

func (g *goroutine) lookup(i *ssa.Lookup, m *mapping, key value, t taint) (value, taint) {
	v, ok := zero(i.X.Type().Underlying().(*types.Map).Elem()), false
	if m != nil {
		if m.mem.shared {
			g.pointAt(m, Read)
		}
		t = t.union(g.accessEntry(m, Read, hash(key)))
		if e := m.index[hash(key)]; e != nil {
			v, ok = e.val, true
		}
	}
	if i.CommaOk {
		return aggregate{v, ok}, t
	}
	return v, t
}

func (g *goroutine) mapUpdate(m *mapping, key, val value, t taint) {
	if m == nil {
		panic(goPanic{runtimeError("assignment to entry in nil map")})
	}
	g.keep(t)
	if m.mem.shared {
		g.pointAt(m, Write)
		g.m.publish(key)
		g.m.publish(val)
	}
	g.accessEntry(m, Write, hash(key))
	m.put(key, val)
	g.m.version++
}

func (m *mapping) put(key, val value) {
	h := hash(key)
	if e := m.index[h]; e != nil {
		e.val = val
		return
	}
	e := &entry{key: key, val: val, hash: h}
	m.index[h] = e
	m.order = append(m.order, e)
}

func (m *mapping) remove(key value) {
	h := hash(key)
	if e := m.index[h]; e != nil {
		e.gone = true
		delete(m.index, h)
	}
}
