package execute

import (
	"fmt"
	"go/constant"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// value is a Go value: bool, int64 (every integer type, wrapped), float64, complex128,
// string, *cell (every pointer), slice, *mapping, *channel, *closure, iface, or, for
// structs, arrays and tuples, aggregate.
type value any

type aggregate []value

type slice struct{ cells []*cell }

type iface struct {
	typ types.Type // nil for a nil interface
	val value
}

type closure struct {
	fn     *ssa.Function
	env    []value
	native func(g *goroutine, args []value) value
	shared bool
	origin *origin
	by     *goroutine // that has made it of its free variables, in this run; else nil
}

// cell is memory for one value. The cells of a struct or an array are its parts.
type cell struct {
	typ   types.Type
	val   value
	parts []*cell
	mem   *memory
	at    *location // the field that the cell is part of
	self  *object   // that lives here, or has this embedded
	state any       // of a synchronisation object
	view  *cell     // the memory, if this is another type's view of it
	elem  bool      // of an array or a slice
	taint taint

	header *headerPart // nil: it is none
}

// memory is what one allocation makes.
type memory struct {
	root   []*cell
	maps   *mapping
	shared bool // other goroutines can reach it
	quiet  bool // see pointFor
	origin *origin
}

type mapping struct {
	mem   *memory
	index map[any]*entry
	order []*entry
}

type entry struct {
	key, val value
	gone     bool
	hash     any
}

// zero returns the zero value of a type.
func zero(t types.Type) value {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case t.Info()&types.IsBoolean != 0:
			return false
		case t.Info()&types.IsInteger != 0:
			return int64(0)
		case t.Info()&types.IsFloat != 0:
			return float64(0)
		case t.Info()&types.IsComplex != 0:
			return complex128(0)
		case t.Info()&types.IsString != 0:
			return ""
		}
		return (*cell)(nil) // unsafe.Pointer, untyped nil
	case *types.Pointer:
		return (*cell)(nil)
	case *types.Slice:
		return slice{}
	case *types.Map:
		return (*mapping)(nil)
	case *types.Chan:
		return (*channel)(nil)
	case *types.Signature:
		return (*closure)(nil)
	case *types.Interface:
		return iface{}
	case *types.Struct:
		a := make(aggregate, t.NumFields())
		for i := range a {
			a[i] = zero(t.Field(i).Type())
		}
		return a
	case *types.Array:
		a := make(aggregate, t.Len())
		for i := range a {
			a[i] = zero(t.Elem())
		}
		return a
	case *types.Tuple:
		a := make(aggregate, t.Len())
		for i := range a {
			a[i] = zero(t.At(i).Type())
		}
		return a
	}
	unsupported("the type %s", t)
	return nil
}

// constantOf returns the value of a constant.
func constantOf(c *ssa.Const) value {
	if c.Value == nil {
		return zero(c.Type())
	}
	t, ok := c.Type().Underlying().(*types.Basic)
	if !ok {
		unsupported("a constant of type %s", c.Type())
	}
	switch {
	case t.Info()&types.IsBoolean != 0:
		return constant.BoolVal(c.Value)
	case t.Info()&types.IsInteger != 0:
		if t.Info()&types.IsUnsigned != 0 {
			return int64(c.Uint64())
		}
		return c.Int64()
	case t.Info()&types.IsFloat != 0:
		return c.Float64()
	case t.Info()&types.IsComplex != 0:
		return c.Complex128()
	case t.Info()&types.IsString != 0:
		if c.Value.Kind() == constant.String {
			return constant.StringVal(c.Value)
		}
		return string(rune(c.Int64()))
	}
	unsupported("a constant of type %s", c.Type())
	return nil
}

// hash returns what two equal values have in common, and no others.
func hash(v value) any {
	switch v := v.(type) {
	case aggregate:
		var b strings.Builder
		for _, e := range v {
			writeHash(&b, e)
		}
		return b.String()
	case iface:
		if v.typ == nil {
			return nil
		}
		switch v.val.(type) {
		case slice, *mapping, *closure:
			panic(goPanic{runtimeError("hash of unhashable type " + v.typ.String())})
		}
		var b strings.Builder
		b.WriteString(v.typ.String() + ":")
		writeHash(&b, v.val)
		return b.String()
	}
	return v
}

// writeHash writes what tells apart values that are parts of others.
func writeHash(b *strings.Builder, v value) {
	switch h := hash(v).(type) {
	case string:
		fmt.Fprintf(b, "%T:%q;", v, h)
	case *cell, *mapping, *channel, *closure:
		fmt.Fprintf(b, "%p;", h)
	default:
		fmt.Fprintf(b, "%T:%v;", v, h)
	}
}

// equal tells whether two values are equal, as == does.
func equal(a, b value) bool {
	switch a := a.(type) {
	case aggregate:
		b := b.(aggregate)
		for i := range a {
			if !equal(a[i], b[i]) {
				return false
			}
		}
		return true
	case iface:
		other, ok := b.(iface)
		if !ok {
			return false
		}
		if a.typ == nil || other.typ == nil {
			return a.typ == nil && other.typ == nil
		}
		return types.Identical(a.typ, other.typ) && equal(a.val, other.val)
	case slice:
		return a.cells == nil && b.(slice).cells == nil
	case *closure:
		other, _ := b.(*closure)
		return a == nil && other == nil
	}
	return a == b
}

// wrap brings an integer into the range of its type.
func wrap(t types.Type, v int64) int64 {
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return v
	}
	switch b.Kind() {
	case types.Int8:
		return int64(int8(v))
	case types.Int16:
		return int64(int16(v))
	case types.Int32, types.UntypedRune:
		return int64(int32(v))
	case types.Uint8:
		return int64(uint8(v))
	case types.Uint16:
		return int64(uint16(v))
	case types.Uint32:
		return int64(uint32(v))
	}
	return v
}

func isUnsigned(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsUnsigned != 0
}
