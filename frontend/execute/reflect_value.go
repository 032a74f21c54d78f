package execute

import (
	"fmt"
	"go/types"
	"math"
	"reflect"
)

// reflected is a reflect.Value. Where it has no address, it is in memory of its own, which nobody else
// has.
type reflected struct {
	typ   types.Type
	at    *cell // nil: there is none
	flags int64
}

// The flags of a reflected value. The bits below are the kind.
const (
	ofHidden   = 1 << (5 + iota) // it comes from a field that is not exported
	ofEmbedded                   // likewise, of an embedded one, whose exported fields are visible
	isThere
	hasAddress
	ofAny   = ofHidden | ofEmbedded
	anyKind = ofHidden - 1
)

// takenApart returns what a reflect.Value says.
func takenApart(v value) reflected {
	a, ok := v.(aggregate)
	if !ok || len(a) != 3 {
		unsupported("a reflect.Value that the program has made")
	}
	flags := a[2].(int64)
	if flags == 0 {
		return reflected{}
	}
	return reflected{typeIn(a[0]), a[1].(*cell), flags &^ anyKind}
}

// value is the reflect.Value.
func (v reflected) value(g *goroutine) value {
	return aggregate{g.m.typeCell(v.typ), v.at, v.flags | int64(v.kind())}
}

// reflect returns a value of a type as one without an address.
func (g *goroutine) reflect(t types.Type, v value, flags int64) reflected {
	mem := &memory{origin: g.origin()}
	c := g.m.newCell(t, mem, false)
	mem.root = []*cell{c}
	c.set(v)
	return reflected{t, c, flags&ofAny | isThere}
}

// get reads the value.
func (v reflected) get(g *goroutine) value {
	if v.at == nil {
		reflectPanic("reflect: use of zero Value")
	}
	if v.flags&hasAddress == 0 {
		return v.at.get()
	}
	x, t := g.load(v.at)
	g.returned = g.returned.union(t)
	return x
}

func (v reflected) kind() reflect.Kind {
	if v.flags == 0 {
		return reflect.Invalid
	}
	return kindOf(v.typ)
}

// dynamic is what Interface returns.
func (v reflected) dynamic(g *goroutine) iface {
	if v.kind() == reflect.Interface {
		return v.get(g).(iface)
	}
	return iface{v.typ, v.get(g)}
}

// as is the value as one of another type that it can be assigned to.
func (v reflected) as(g *goroutine, t types.Type, what string) value {
	if v.flags == 0 || !types.AssignableTo(v.typ, t) {
		text := "zero Value"
		if v.flags != 0 {
			text = "value of type " + typeText(v.typ)
		}
		reflectPanic(what + ": " + text + " is not assignable to type " + typeText(t))
	}
	if types.IsInterface(t) {
		return v.dynamic(g)
	}
	return v.get(g)
}

func (v reflected) mustBe(what string, kinds ...reflect.Kind) {
	for _, k := range kinds {
		if v.kind() == k {
			return
		}
	}
	v.wrongKind(what)
}

func (v reflected) wrongKind(what string) {
	text := "zero Value"
	if v.flags != 0 {
		text = v.kind().String() + " Value"
	}
	reflectPanic(fmt.Sprintf("reflect: call of %s on %s", what, text))
}

func (v reflected) mustBeExported(what string) {
	if v.flags == 0 {
		v.wrongKind(what)
	}
	if v.flags&ofAny != 0 {
		reflectPanic("reflect: " + what + " using value obtained using unexported field")
	}
}

// isInteger tells whether values of the kind are integers, and without a sign.
func isIntegerKind(k reflect.Kind) (integer, unsigned bool) {
	return k >= reflect.Int && k <= reflect.Uintptr, k >= reflect.Uint && k <= reflect.Uintptr
}

// valueMethods are the methods of a Value that read it.
func valueMethods() map[string]ofValue {
	is := func(f func(k reflect.Kind) bool) ofValue {
		return func(_ mirror, _ *goroutine, v reflected, _ []value) value { return f(v.kind()) }
	}
	read := func(name string, f func(k reflect.Kind) bool) ofValue {
		return func(_ mirror, g *goroutine, v reflected, _ []value) value {
			if !f(v.kind()) {
				v.wrongKind("reflect.Value." + name)
			}
			return v.get(g)
		}
	}
	isInt := func(k reflect.Kind) bool { integer, unsigned := isIntegerKind(k); return integer && !unsigned }
	isUint := func(k reflect.Kind) bool { _, unsigned := isIntegerKind(k); return unsigned }
	isFloat := func(k reflect.Kind) bool { return k == reflect.Float32 || k == reflect.Float64 }
	isComplex := func(k reflect.Kind) bool { return k == reflect.Complex64 || k == reflect.Complex128 }
	return map[string]ofValue{
		"CanInt": is(isInt), "Int": read("Int", isInt),
		"CanUint": is(isUint), "Uint": read("Uint", isUint),
		"CanFloat": is(isFloat), "Float": read("Float", isFloat),
		"CanComplex": is(isComplex), "Complex": read("Complex", isComplex),
		"Bool":    read("Bool", func(k reflect.Kind) bool { return k == reflect.Bool }),
		"IsValid": is(func(k reflect.Kind) bool { return k != reflect.Invalid }),
		"Kind":    func(_ mirror, _ *goroutine, v reflected, _ []value) value { return int64(v.kind()) },
		"kind":    func(_ mirror, _ *goroutine, v reflected, _ []value) value { return int64(v.kind()) },
		"abiType": func(_ mirror, g *goroutine, v reflected, _ []value) value { return g.m.typeCell(v.typ) },
		"typ":     func(_ mirror, g *goroutine, v reflected, _ []value) value { return g.m.typeCell(v.typ) },
		"Type": func(m mirror, g *goroutine, v reflected, _ []value) value {
			if v.flags == 0 {
				v.wrongKind("reflect.Value.Type")
			}
			return m.typeValue(g, v.typ)
		},
		"CanAddr":      func(_ mirror, _ *goroutine, v reflected, _ []value) value { return v.flags&hasAddress != 0 },
		"CanSet":       func(_ mirror, _ *goroutine, v reflected, _ []value) value { return v.canSet() },
		"CanInterface": canInterface,
		"Interface":    valueInterface,
		"Addr": func(_ mirror, g *goroutine, v reflected, _ []value) value {
			if v.flags&hasAddress == 0 {
				reflectPanic("reflect.Value.Addr of unaddressable value")
			}
			return g.reflect(types.NewPointer(v.typ), v.at, v.flags).value(g)
		},
		"Elem":          valueElem,
		"Field":         valueField,
		"NumField":      func(_ mirror, _ *goroutine, v reflected, _ []value) value { return v.numField() },
		"FieldByName":   valueFieldByName,
		"Index":         valueIndex,
		"Len":           valueLength("len"),
		"Cap":           valueLength("cap"),
		"IsNil":         func(_ mirror, g *goroutine, v reflected, _ []value) value { return v.isNil(g) },
		"IsZero":        func(_ mirror, g *goroutine, v reflected, _ []value) value { return v.isZero(g) },
		"String":        valueString,
		"Bytes":         valueBytes,
		"Slice":         valueSlice,
		"Slice3":        valueSlice,
		"Pointer":       func(_ mirror, g *goroutine, v reflected, _ []value) value { return g.m.address(v.pointer(g)) },
		"UnsafePointer": func(_ mirror, g *goroutine, v reflected, _ []value) value { return v.pointer(g) },
		"UnsafeAddr":    func(_ mirror, g *goroutine, v reflected, _ []value) value { return g.m.address(v.at) },
		"Convert":       valueConvert,
		"CanConvert":    valueCanConvert,
		"Comparable": func(_ mirror, g *goroutine, v reflected, _ []value) value {
			return isComparable(v.typ, v.getOrNil(g))
		},
		"Equal":           valueEqual,
		"OverflowInt":     overflows,
		"OverflowUint":    overflows,
		"OverflowComplex": func(mirror, *goroutine, reflected, []value) value { return false },
		"OverflowFloat": func(_ mirror, _ *goroutine, v reflected, a []value) value {
			return overflowsFloat(v.typ, a[0].(float64))
		},
	}
}

func overflows(_ mirror, _ *goroutine, v reflected, a []value) value {
	return wrap(v.typ, a[0].(int64)) != a[0].(int64)
}

func canInterface(_ mirror, _ *goroutine, v reflected, _ []value) value {
	if v.flags == 0 {
		v.wrongKind("reflect.Value.CanInterface")
	}
	return v.flags&ofAny == 0
}

func valueInterface(_ mirror, g *goroutine, v reflected, _ []value) value {
	if v.flags == 0 {
		v.wrongKind("reflect.Value.Interface")
	}
	if v.flags&ofAny != 0 {
		reflectPanic("reflect.Value.Interface: cannot return value obtained from unexported field or method")
	}
	return v.dynamic(g)
}

// getOrNil is get, nil if there is none.
func (v reflected) getOrNil(g *goroutine) value {
	if v.flags == 0 {
		return nil
	}
	return v.get(g)
}

func valueElem(_ mirror, g *goroutine, v reflected, _ []value) value {
	v.mustBe("reflect.Value.Elem", reflect.Pointer, reflect.Interface)
	switch x := v.get(g).(type) {
	case *cell:
		if x == nil {
			return reflected{}.value(g)
		}
		return reflected{elementOf(v.typ), x, v.flags&ofAny | isThere | hasAddress}.value(g)
	case iface:
		if x.typ == nil {
			return reflected{}.value(g)
		}
		return g.reflect(x.typ, x.val, v.flags).value(g)
	}
	unsupported("reflect.Value.Elem of %s", v.typ)
	return nil
}

func (v reflected) numField() value {
	v.mustBe("reflect.Value.NumField", reflect.Struct)
	return int64(v.typ.Underlying().(*types.Struct).NumFields())
}

// field returns a field of a struct.
func (v reflected) field(i int) reflected {
	v.mustBe("reflect.Value.Field", reflect.Struct)
	s := v.typ.Underlying().(*types.Struct)
	if i < 0 || i >= s.NumFields() {
		reflectPanic("reflect: Field index out of range")
	}
	f := s.Field(i)
	flags := v.flags &^ ofEmbedded
	switch {
	case f.Exported():
	case f.Embedded():
		flags |= ofEmbedded
	default:
		flags |= ofHidden
	}
	if i >= len(v.at.parts) {
		unsupported("a field of %s in memory of type %s", v.typ, v.at.typ)
	}
	return reflected{f.Type(), v.at.parts[i], flags}
}

func valueField(_ mirror, g *goroutine, v reflected, a []value) value {
	return v.field(int(a[0].(int64))).value(g)
}

func valueFieldByName(_ mirror, g *goroutine, v reflected, a []value) value {
	v.mustBe("reflect.Value.FieldByName", reflect.Struct)
	index := fieldNamed(v.typ, a[0].(string))
	if index == nil {
		return reflected{}.value(g)
	}
	for k, i := range index {
		if k > 0 && v.kind() == reflect.Pointer {
			c := v.get(g).(*cell)
			if c == nil {
				reflectPanic("reflect: indirection through nil pointer to embedded struct")
			}
			v = reflected{elementOf(v.typ), c, v.flags&ofAny | isThere | hasAddress}
		}
		v = v.field(i)
	}
	return v.value(g)
}

func valueIndex(_ mirror, g *goroutine, v reflected, a []value) value {
	v.mustBe("reflect.Value.Index", reflect.Array, reflect.Slice, reflect.String)
	at := func(n int) int {
		i := a[0].(int64)
		if i < 0 || i >= int64(n) {
			reflectPanic("reflect: " + v.kind().String() + " index out of range")
		}
		return int(i)
	}
	if v.kind() == reflect.Array {
		return reflected{elementOf(v.typ), v.at.parts[at(len(v.at.parts))], v.flags}.value(g)
	}
	if s, ok := v.get(g).(string); ok {
		return g.reflect(types.Typ[types.Uint8], int64(s[at(len(s))]), v.flags).value(g)
	}
	cells := v.get(g).(slice).cells
	return reflected{elementOf(v.typ), cells[at(len(cells))], v.flags | hasAddress}.value(g)
}

func valueLength(name string) ofValue {
	return func(_ mirror, g *goroutine, v reflected, _ []value) value {
		if v.kind() == reflect.Array {
			return int64(len(v.at.parts))
		}
		switch v.kind() {
		case reflect.Slice, reflect.Chan:
		case reflect.Map, reflect.String:
			if name == "cap" {
				v.wrongKind("reflect.Value.Cap")
			}
		case reflect.Pointer:
			if kindOf(elementOf(v.typ)) != reflect.Array {
				v.wrongKind("reflect.Value." + name)
			}
			return elementOf(v.typ).Underlying().(*types.Array).Len()
		default:
			v.wrongKind("reflect.Value.Len")
		}
		n, t := g.length(name, v.get(g))
		g.returned = g.returned.union(t)
		return n
	}
}

func (v reflected) isNil(g *goroutine) bool {
	v.mustBe("reflect.Value.IsNil", reflect.Chan, reflect.Func, reflect.Interface, reflect.Map, reflect.Pointer,
		reflect.Slice, reflect.UnsafePointer)
	return Value{v.get(g)}.IsNil()
}

func (v reflected) isZero(g *goroutine) bool {
	if v.flags == 0 {
		v.wrongKind("reflect.Value.IsZero")
	}
	return isZeroValue(v.get(g))
}

// isZeroValue tells whether a value is the zero value of its type.
func isZeroValue(v value) bool {
	switch v := v.(type) {
	case bool:
		return !v
	case int64:
		return v == 0
	case float64:
		return v == 0 && !math.Signbit(v)
	case complex128:
		return isZeroValue(real(v)) && isZeroValue(imag(v))
	case string:
		return v == ""
	case aggregate:
		for _, e := range v {
			if !isZeroValue(e) {
				return false
			}
		}
		return true
	}
	return Value{v}.IsNil()
}

func valueString(_ mirror, g *goroutine, v reflected, _ []value) value {
	switch v.kind() {
	case reflect.Invalid:
		return "<invalid Value>"
	case reflect.String:
		return v.get(g)
	}
	return "<" + typeText(v.typ) + " Value>"
}

func valueBytes(_ mirror, g *goroutine, v reflected, _ []value) value {
	v.mustBe("reflect.Value.Bytes", reflect.Slice, reflect.Array)
	if kindOf(elementOf(v.typ)) != reflect.Uint8 {
		reflectPanic("reflect.Value.Bytes of non-byte slice")
	}
	if v.kind() == reflect.Array {
		if v.flags&hasAddress == 0 {
			reflectPanic("reflect.Value.Bytes of unaddressable byte array")
		}
		return slice{v.at.parts}
	}
	return v.get(g)
}

func valueSlice(_ mirror, g *goroutine, v reflected, a []value) value {
	v.mustBe("reflect.Value.Slice", reflect.Slice, reflect.String, reflect.Array)
	var x value
	t := v.typ
	if v.kind() == reflect.Array {
		if v.flags&hasAddress == 0 {
			reflectPanic("reflect.Value.Slice: slice of unaddressable array")
		}
		x, t = v.at, types.NewSlice(elementOf(v.typ))
	} else {
		x = v.get(g)
	}
	args := append([]value{x}, a...)
	if len(args) == 3 {
		args = append(args, nil)
	}
	return g.reflect(t, g.sliced(args), v.flags).value(g)
}

// pointer is what leads to the memory behind the value.
func (v reflected) pointer(g *goroutine) value {
	v.mustBe("reflect.Value.Pointer", reflect.Pointer, reflect.Chan, reflect.Map, reflect.UnsafePointer,
		reflect.Func, reflect.Slice, reflect.String)
	switch x := v.get(g).(type) {
	case slice:
		if cap(x.cells) == 0 {
			return (*cell)(nil)
		}
		return x.cells[:1][0]
	case *closure:
		if x == nil {
			return (*cell)(nil)
		}
		return x
	default:
		return x
	}
}

func valueCanConvert(_ mirror, g *goroutine, v reflected, a []value) value {
	t := typeIn(a[0])
	if !types.ConvertibleTo(v.typ, t) {
		return false
	}
	if v.kind() == reflect.Slice {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		if array, ok := t.Underlying().(*types.Array); ok {
			return int64(len(v.get(g).(slice).cells)) >= array.Len()
		}
	}
	return true
}

func valueConvert(_ mirror, g *goroutine, v reflected, a []value) value {
	t := typeIn(a[0])
	if v.flags == 0 || !types.ConvertibleTo(v.typ, t) {
		reflectPanic("reflect.Value.Convert: value of type " + typeText(v.typ) + " cannot be converted to type " +
			typeText(t))
	}
	x := v.get(g)
	switch {
	case types.IsInterface(t):
		x = v.dynamic(g)
	case types.IdenticalIgnoreTags(v.typ.Underlying(), t.Underlying()):
	default:
		x = g.convert(v.typ, t, x)
	}
	return g.reflect(t, x, v.flags).value(g)
}

// isComparable tells whether == of the value with another one does not panic.
func isComparable(t types.Type, x value) bool {
	switch x := x.(type) {
	case nil:
		return true
	case iface:
		return x.typ == nil || isComparable(x.typ, x.val)
	case aggregate:
		for i, e := range x {
			of := elementOf(t)
			if s, ok := t.Underlying().(*types.Struct); ok {
				of = s.Field(i).Type()
			}
			if !isComparable(of, e) {
				return false
			}
		}
		return true
	}
	return types.Comparable(t)
}

func valueEqual(_ mirror, g *goroutine, v reflected, a []value) value {
	u := takenApart(a[0])
	if v.flags == 0 || u.flags == 0 {
		return v.flags == u.flags
	}
	x, y := v.dynamic(g), u.dynamic(g)
	if x.typ != nil && y.typ != nil && types.Identical(x.typ, y.typ) && !isComparable(x.typ, x.val) {
		reflectPanic("reflect.Value.Equal: values of type " + typeText(x.typ) + " are not comparable")
	}
	return equal(x, y)
}

// valueFunctions are the functions that make values.
func valueFunctions() map[string]ofMirror {
	return map[string]ofMirror{
		"ValueOf": func(_ mirror, g *goroutine, a []value) value {
			x := a[0].(iface)
			if x.typ == nil {
				return reflected{}.value(g)
			}
			return g.reflect(x.typ, x.val, 0).value(g)
		},
		"Zero": func(_ mirror, g *goroutine, a []value) value {
			t := typeIn(a[0])
			return g.reflect(t, zero(t), 0).value(g)
		},
		"New": func(_ mirror, g *goroutine, a []value) value {
			t := typeIn(a[0])
			if t == nil {
				reflectPanic("reflect: New(nil)")
			}
			return g.reflect(types.NewPointer(t), g.allocate(t), 0).value(g)
		},
		"NewAt": func(_ mirror, g *goroutine, a []value) value {
			t := typeIn(a[0])
			c, ok := a[1].(*cell)
			if !ok || c != nil && !types.Identical(c.typ, t) {
				unsupported("reflect.NewAt of memory of another type")
			}
			return g.reflect(types.NewPointer(t), c, 0).value(g)
		},
		"MakeSlice": func(_ mirror, g *goroutine, a []value) value {
			t := typeIn(a[0])
			elem := mustHave[*types.Slice](t, "MakeSlice").Elem()
			n, c := int(a[1].(int64)), int(a[2].(int64))
			if n < 0 || c < n {
				reflectPanic("reflect.MakeSlice: len out of range")
			}
			return g.reflect(t, slice{g.array(elem, c)[:n]}, 0).value(g)
		},
		"MakeMap":         makeReflectedMap,
		"MakeMapWithSize": makeReflectedMap,
		"MakeChan": func(_ mirror, g *goroutine, a []value) value {
			t := typeIn(a[0])
			return g.reflect(t, &channel{capacity: int(a[1].(int64)), element: mustHave[*types.Chan](t, "MakeChan").Elem(),
				origin: g.origin()}, 0).value(g)
		},
		"DeepEqual": func(_ mirror, g *goroutine, a []value) value {
			d := deep{g, map[[3]any]bool{}}
			return d.equal(a[0], a[1])
		},
	}
}

func makeReflectedMap(_ mirror, g *goroutine, a []value) value {
	t := typeIn(a[0])
	mustHave[*types.Map](t, "MakeMap")
	m := newMapping()
	m.mem.origin = g.origin()
	return g.reflect(t, m, 0).value(g)
}
