package execute

import (
	"go/types"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"
)

func decimal(n int64) string    { return strconv.FormatInt(n, 10) }
func quoted(text string) string { return strconv.Quote(text) }

// basicName is the name of a basic type; byte and rune are other names.
func basicName(t *types.Basic) string {
	if t.Kind() == types.UnsafePointer {
		return "unsafe.Pointer"
	}
	if int(t.Kind()) < len(types.Typ) {
		return types.Typ[t.Kind()].Name()
	}
	return t.Name()
}

// kindOf returns the kind of a type.
func kindOf(t types.Type) reflect.Kind {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch u.Kind() {
		case types.String:
			return reflect.String
		case types.UnsafePointer:
			return reflect.UnsafePointer
		}
		return reflect.Kind(u.Kind()) // bool and the numbers are in the same order
	case *types.Array:
		return reflect.Array
	case *types.Chan:
		return reflect.Chan
	case *types.Signature:
		return reflect.Func
	case *types.Interface:
		return reflect.Interface
	case *types.Map:
		return reflect.Map
	case *types.Pointer:
		return reflect.Pointer
	case *types.Slice:
		return reflect.Slice
	case *types.Struct:
		return reflect.Struct
	}
	return reflect.Invalid
}

// elementOf returns the type of elements, and what a pointer leads to; nil if there is none.
func elementOf(t types.Type) types.Type {
	if e, ok := t.Underlying().(interface{ Elem() types.Type }); ok {
		return e.Elem()
	}
	return nil
}

// methodsOf returns the exported methods of a type by their names, all of an interface.
func (m *machine) methodsOf(t types.Type) (all []*types.Selection) {
	set := m.program.ssa.MethodSets.MethodSet(t)
	for i := range set.Len() {
		if s := set.At(i); s.Obj().Exported() || types.IsInterface(t) {
			all = append(all, s)
		}
	}
	slices.SortFunc(all, func(a, b *types.Selection) int { return strings.Compare(a.Obj().Name(), b.Obj().Name()) })
	return all
}

// function returns the function of a method that is no interface's.
func (m *machine) function(s *types.Selection) *ssa.Function {
	fn := m.program.ssa.MethodValue(s)
	if fn == nil {
		unsupported("the method %s of %s", s.Obj().Name(), s.Recv())
	}
	return fn
}

// reflectPanic ends the call as a wrong use of package reflect does.
func reflectPanic(text string) value { panic(goPanic{iface{types.Typ[types.String], text}}) }

// isOpenTo tells whether range takes a value of the type, with so many variables.
func isOpenTo(t types.Type, variables int) bool {
	switch kindOf(t) {
	case reflect.Array, reflect.Slice, reflect.String, reflect.Map:
		return true
	case reflect.Chan, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint,
		reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return variables == 1
	case reflect.Pointer:
		return kindOf(elementOf(t)) == reflect.Array
	}
	return isRangeFunc(t, variables)
}

// isRangeFunc tells whether it is a function that range takes.
func isRangeFunc(t types.Type, variables int) bool {
	s, ok := t.Underlying().(*types.Signature)
	if !ok || s.Params().Len() != 1 || s.Results().Len() != 0 {
		return false
	}
	yield, ok := s.Params().At(0).Type().Underlying().(*types.Signature)
	return ok && yield.Params().Len() == variables && yield.Results().Len() == 1 &&
		kindOf(yield.Results().At(0).Type()) == reflect.Bool
}

// mustHave ends the call if the type is of no such kind.
func mustHave[T types.Type](t types.Type, method string) T {
	u, ok := t.Underlying().(T)
	if !ok {
		reflectPanic("reflect: " + method + " of type " + typeText(t))
	}
	return u
}

// typeMethods are the methods of a Type.
func typeMethods() map[string]ofType {
	number := func(f func(types.Type) int64) ofType {
		return func(_ mirror, _ *goroutine, t types.Type, _ []value) value { return f(t) }
	}
	part := func(f func(t types.Type, i int) types.Type) ofType {
		return func(m mirror, g *goroutine, t types.Type, a []value) value {
			i := 0
			if len(a) > 0 {
				i = int(a[0].(int64))
			}
			return m.typeValue(g, f(t, i))
		}
	}
	asks := func(f func(t, u types.Type) bool) ofType {
		return func(_ mirror, _ *goroutine, t types.Type, a []value) value {
			u := typeIn(a[0])
			if u == nil {
				reflectPanic("reflect: nil type passed to a method of Type")
			}
			return f(t, u)
		}
	}
	is := func(f func(types.Type) bool) ofType {
		return func(_ mirror, _ *goroutine, t types.Type, _ []value) value { return f(t) }
	}
	return map[string]ofType{
		"Kind":       number(func(t types.Type) int64 { return int64(kindOf(t)) }),
		"Size":       number(sizes.Sizeof),
		"Align":      number(sizes.Alignof),
		"FieldAlign": number(sizes.Alignof),
		"Bits":       number(func(t types.Type) int64 { return 8 * sizes.Sizeof(t) }),
		"Len":        number(func(t types.Type) int64 { return mustHave[*types.Array](t, "Len").Len() }),
		"NumField": number(func(t types.Type) int64 {
			return int64(mustHave[*types.Struct](t, "NumField").NumFields())
		}),
		"NumIn": number(func(t types.Type) int64 {
			return int64(mustHave[*types.Signature](t, "NumIn").Params().Len())
		}),
		"NumOut": number(func(t types.Type) int64 {
			return int64(mustHave[*types.Signature](t, "NumOut").Results().Len())
		}),
		"ChanDir": number(func(t types.Type) int64 {
			dir := mustHave[*types.Chan](t, "ChanDir").Dir()
			return map[types.ChanDir]int64{types.SendRecv: 3, types.SendOnly: 2, types.RecvOnly: 1}[dir]
		}),
		"Elem": part(func(t types.Type, _ int) types.Type {
			e := elementOf(t)
			if e == nil {
				reflectPanic("reflect: Elem of invalid type " + typeText(t))
			}
			return e
		}),
		"Key": part(func(t types.Type, _ int) types.Type { return mustHave[*types.Map](t, "Key").Key() }),
		"In": part(func(t types.Type, i int) types.Type {
			all := mustHave[*types.Signature](t, "In").Params()
			return all.At(checkIndex(int64(i), all.Len())).Type()
		}),
		"Out": part(func(t types.Type, i int) types.Type {
			all := mustHave[*types.Signature](t, "Out").Results()
			return all.At(checkIndex(int64(i), all.Len())).Type()
		}),
		"Implements": asks(func(t, u types.Type) bool {
			it, ok := u.Underlying().(*types.Interface)
			if !ok {
				reflectPanic("reflect: non-interface type passed to Type.Implements")
			}
			return types.Implements(t, it)
		}),
		"AssignableTo":  asks(types.AssignableTo),
		"ConvertibleTo": asks(types.ConvertibleTo),
		"Comparable":    is(types.Comparable),
		"IsVariadic": is(func(t types.Type) bool {
			return mustHave[*types.Signature](t, "IsVariadic").Variadic()
		}),
		"CanSeq":  is(func(t types.Type) bool { return isOpenTo(t, 1) }),
		"CanSeq2": is(func(t types.Type) bool { return isOpenTo(t, 2) }),
		"String":  func(_ mirror, _ *goroutine, t types.Type, _ []value) value { return typeText(t) },
		"Name":    func(_ mirror, _ *goroutine, t types.Type, _ []value) value { return typeName(t) },
		"PkgPath": func(_ mirror, _ *goroutine, t types.Type, _ []value) value {
			if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil {
				return pathOf(n.Obj().Pkg())
			}
			return ""
		},
		"common": func(_ mirror, g *goroutine, t types.Type, _ []value) value { return g.m.typeCell(t) },
		"NumMethod": func(_ mirror, g *goroutine, t types.Type, _ []value) value {
			return int64(len(g.m.methodsOf(t)))
		},
		"Method": func(m mirror, g *goroutine, t types.Type, a []value) value {
			all := g.m.methodsOf(t)
			return m.method(g, t, all, checkIndex(a[0], len(all)))
		},
		"MethodByName": func(m mirror, g *goroutine, t types.Type, a []value) value {
			all := g.m.methodsOf(t)
			i := slices.IndexFunc(all, func(s *types.Selection) bool { return s.Obj().Name() == a[0] })
			if i < 0 {
				return aggregate{zero(m.named(g, "Method")), false}
			}
			return aggregate{m.method(g, t, all, i), true}
		},
		"Field": func(m mirror, g *goroutine, t types.Type, a []value) value {
			s := mustHave[*types.Struct](t, "Field")
			i := checkIndex(a[0], s.NumFields())
			return m.field(g, t, []int{i})
		},
		"FieldByIndex": func(m mirror, g *goroutine, t types.Type, a []value) value {
			return m.field(g, t, g.numbers(a[0]))
		},
		"FieldByName": func(m mirror, g *goroutine, t types.Type, a []value) value {
			index := fieldNamed(t, a[0].(string))
			if index == nil {
				return aggregate{zero(m.named(g, "StructField")), false}
			}
			return aggregate{m.field(g, t, index), true}
		},
		"OverflowInt": func(_ mirror, _ *goroutine, t types.Type, a []value) value {
			return wrap(t, a[0].(int64)) != a[0].(int64)
		},
		"OverflowUint": func(_ mirror, _ *goroutine, t types.Type, a []value) value {
			return wrap(t, a[0].(int64)) != a[0].(int64)
		},
		"OverflowFloat": func(_ mirror, _ *goroutine, t types.Type, a []value) value {
			return overflowsFloat(t, a[0].(float64))
		},
	}
}

func overflowsFloat(t types.Type, x float64) bool {
	return kindOf(t) == reflect.Float32 && reflect.ValueOf(float32(0)).OverflowFloat(x)
}

// typeName is the name of a defined type.
func typeName(t types.Type) string {
	var b strings.Builder
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return strings.TrimPrefix(basicName(t), "unsafe.")
	case *types.Named:
		b.WriteString(t.Obj().Name())
		writeTypeArguments(&b, t)
	}
	return b.String()
}

// fieldNamed returns where the field with the name is, through embedded ones; nil if there is none.
func fieldNamed(t types.Type, name string) []int {
	s := mustHave[*types.Struct](t, "FieldByName")
	for i := range s.NumFields() {
		if s.Field(i).Name() == name {
			return []int{i}
		}
	}
	obj, index, _ := types.LookupFieldOrMethod(t, false, nil, name)
	if v, ok := obj.(*types.Var); ok && v.IsField() {
		return index
	}
	return nil
}

// structOf returns a struct of a type of the mirror, with these fields; the others are zero.
func (m mirror) structOf(g *goroutine, name string, fields map[string]value) value {
	t := m.named(g, name)
	all := zero(t).(aggregate)
	s := t.Underlying().(*types.Struct)
	for i := range all {
		if v, ok := fields[s.Field(i).Name()]; ok {
			all[i] = v
		}
	}
	return all
}

// field returns the StructField of a field, which may be one of an embedded struct.
func (m mirror) field(g *goroutine, t types.Type, index []int) value {
	var f *types.Var
	var tag string
	var offset int64
	for k, i := range index {
		if k > 0 {
			t = f.Type()
			if p, ok := t.Underlying().(*types.Pointer); ok && kindOf(p.Elem()) == reflect.Struct {
				t = p.Elem()
			}
		}
		s := mustHave[*types.Struct](t, "Field")
		f, tag = s.Field(checkIndex(int64(i), s.NumFields())), s.Tag(i)
		all := make([]*types.Var, s.NumFields())
		for j := range all {
			all[j] = s.Field(j)
		}
		offset = sizes.Offsetsof(all)[i]
	}
	path := ""
	if !f.Exported() && f.Pkg() != nil {
		path = pathOf(f.Pkg())
	}
	last := index[len(index)-1:]
	if len(index) > 1 {
		last = index
	}
	cells := g.array(types.Typ[types.Int], len(last))
	for k, c := range cells {
		c.val = int64(last[k])
	}
	return m.structOf(g, "StructField", map[string]value{"Name": f.Name(), "PkgPath": path,
		"Type": m.typeValue(g, f.Type()), "Tag": tag, "Offset": offset, "Index": slice{cells}, "Anonymous": f.Embedded()})
}

// method returns the Method that is one of a type's.
func (m mirror) method(g *goroutine, t types.Type, all []*types.Selection, i int) value {
	s := all[i]
	sig := s.Type().(*types.Signature)
	path := ""
	if !s.Obj().Exported() && s.Obj().Pkg() != nil {
		path = pathOf(s.Obj().Pkg())
	}
	fields := map[string]value{"Name": s.Obj().Name(), "PkgPath": path, "Index": int64(i)}
	if types.IsInterface(t) {
		fields["Type"] = m.typeValue(g, withReceiver(nil, sig))
	} else {
		whole := withReceiver(t, sig)
		fields["Type"] = m.typeValue(g, whole)
		fields["Func"] = g.reflect(whole, &closure{fn: g.m.function(s)}, 0).value(g)
	}
	return m.structOf(g, "Method", fields)
}

// withReceiver returns the type of a method as that of a function, with the receiver in front, if any.
func withReceiver(t types.Type, s *types.Signature) *types.Signature {
	var params []*types.Var
	if t != nil {
		params = append(params, types.NewParam(0, nil, "", t))
	}
	for p := range s.Params().Variables() {
		params = append(params, p)
	}
	return types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), s.Results(), s.Variadic())
}

// numbers reads a slice of integers.
func (g *goroutine) numbers(v value) (all []int) {
	for _, c := range v.(slice).cells {
		x, _ := g.load(c)
		all = append(all, int(x.(int64)))
	}
	return all
}

// typeFunctions are the functions that make types from types.
func typeFunctions() map[string]ofMirror {
	from := func(f func(t types.Type, a []value) types.Type) ofMirror {
		return func(m mirror, g *goroutine, a []value) value { return m.typeValue(g, f(typeIn(a[0]), a)) }
	}
	pointer := from(func(t types.Type, _ []value) types.Type { return types.NewPointer(t) })
	return map[string]ofMirror{
		"TypeOf":    func(m mirror, g *goroutine, a []value) value { return m.typeValue(g, a[0].(iface).typ) },
		"PointerTo": pointer, "PtrTo": pointer,
		"SliceOf": from(func(t types.Type, _ []value) types.Type { return types.NewSlice(t) }),
		"MapOf":   from(func(t types.Type, a []value) types.Type { return types.NewMap(t, typeIn(a[1])) }),
		"ArrayOf": func(m mirror, g *goroutine, a []value) value {
			return m.typeValue(g, types.NewArray(typeIn(a[1]), a[0].(int64)))
		},
		"ChanOf": func(m mirror, g *goroutine, a []value) value {
			dir := map[int64]types.ChanDir{1: types.RecvOnly, 2: types.SendOnly, 3: types.SendRecv}[a[0].(int64)]
			return m.typeValue(g, types.NewChan(dir, typeIn(a[1])))
		},
		"FuncOf": func(m mirror, g *goroutine, a []value) value {
			list := func(v value) *types.Tuple {
				var all []*types.Var
				for _, c := range v.(slice).cells {
					all = append(all, types.NewParam(0, nil, "", typeIn(c.get())))
				}
				return types.NewTuple(all...)
			}
			return m.typeValue(g, types.NewSignatureType(nil, nil, nil, list(a[0]), list(a[1]), a[2].(bool)))
		},
		"canRangeFunc": func(_ mirror, _ *goroutine, a []value) value { return isRangeFunc(typeIn(a[0]), 1) },
		"canRangeFunc2": func(_ mirror, _ *goroutine, a []value) value {
			return isRangeFunc(typeIn(a[0]), 2)
		},
	}
}
