package execute

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Package reflect is built in, and what the packages below it have in its place: their bodies read the
// compiler's descriptions of types, and memory byte by byte. What a program does by reflection to memory
// that others can reach is an access like that of its own instructions, at the call.

// mirror is the path of a package that shows the program its own types and values.
type mirror string

const (
	reflection mirror = "reflect"
	lite       mirror = "internal/reflectlite"
)

// The functions of a mirror, by their names: those of a type have it as their receiver, those of a value
// likewise.
type (
	ofType   func(m mirror, g *goroutine, t types.Type, a []value) value
	ofValue  func(m mirror, g *goroutine, v reflected, a []value) value
	ofMirror func(m mirror, g *goroutine, a []value) value
)

// mirrors returns what stands for the functions of the mirrors.
func mirrors() map[string]native {
	all := map[string]native{}
	for _, m := range []mirror{reflection, lite} {
		receiver := "(*reflect.rtype)."
		if m == lite {
			receiver = "(internal/reflectlite.rtype)."
		}
		for name, f := range typeMethods() {
			all[receiver+name] = func(g *goroutine, a []value) value { return f(m, g, typeIn(a[0]), a[1:]) }
		}
		for _, methods := range []map[string]ofValue{valueMethods(), setMethods(), mapMethods(), callMethods()} {
			for name, f := range methods {
				all["("+string(m)+".Value)."+name] = func(g *goroutine, a []value) value {
					return f(m, g, takenApart(a[0]), a[1:])
				}
			}
		}
		for _, functions := range []map[string]ofMirror{typeFunctions(), valueFunctions(), callFunctions()} {
			for name, f := range functions {
				all[string(m)+"."+name] = func(g *goroutine, a []value) value { return f(m, g, a) }
			}
		}
	}
	for name, f := range iterators() {
		all[name] = f
	}
	all["internal/abi.TypeOf"] = func(g *goroutine, a []value) value { return g.m.typeCell(a[0].(iface).typ) }
	all["reflect.valueMethodName"] = func(*goroutine, []value) value { return "a method of Value" }
	all["internal/abi.EscapeNonString"] = nothing
	all["internal/abi.EscapeToResultNonString"] = func(_ *goroutine, a []value) value { return a[0] }
	all["internal/abi.NoEscape"] = func(_ *goroutine, a []value) value { return a[0] }
	all["(*internal/abi.Type).Kind"] = func(_ *goroutine, a []value) value { return int64(kindOf(typeIn(a[0]))) }
	all["(*internal/abi.Type).Size"] = func(_ *goroutine, a []value) value { return sizes.Sizeof(typeIn(a[0])) }
	return all
}

// mirrorBody are the functions of the mirrors that need nothing but the others: they are run.
var mirrorBody = map[string]bool{
	"reflect.VisibleFields": true, "(*reflect.visibleFieldsWalker).walk": true, "reflect.Indirect": true,
	"(reflect.StructTag).Get": true, "(reflect.StructTag).Lookup": true, "(reflect.Kind).String": true,
	"(reflect.ChanDir).String": true, "(reflect.Method).IsExported": true, "(reflect.StructField).IsExported": true,
	"(*reflect.ValueError).Error": true, "(reflect.Value).FieldByIndex": true, "(reflect.Value).FieldByIndexErr": true,
	"(reflect.Value).FieldByNameFunc": true, "(reflect.Value).Fields": true, "(reflect.Value).Methods": true,
	"(reflect.Value).Seq": true, "(reflect.Value).Seq2": true, "reflect.rangeNum": true,
	"(*reflect.rtype).Fields": true, "(*reflect.rtype).Methods": true, "(*reflect.rtype).Ins": true,
	"(*reflect.rtype).Outs": true, "internal/abi.Escape": true, "(reflect.flag).kind": true,
	"(reflect.flag).mustBe": true, "(internal/abi.Kind).String": true,
	"internal/reflectlite.Swapper": false,
}

// nativeOfMirror returns what stands for a function of a mirror that is in no table; nil if its body is
// run. Such a function is not understood.
func nativeOfMirror(fn *ssa.Function, name string) native {
	of := fn
	if o := fn.Origin(); o != nil {
		of = o
	}
	if of.Pkg == nil || of.Parent() != nil || of.Synthetic != "" || mirrorBody[name] {
		return nil
	}
	switch path := of.Pkg.Pkg.Path(); path {
	case "reflect", "internal/reflectlite", "internal/abi":
	default:
		return nil
	}
	switch name {
	case "reflect.TypeFor":
		return func(g *goroutine, _ []value) value { return reflection.typeValue(g, fn.TypeArgs()[0]) }
	case "internal/abi.TypeFor":
		return func(g *goroutine, _ []value) value { return g.m.typeCell(fn.TypeArgs()[0]) }
	case "reflect.TypeAssert":
		return func(g *goroutine, a []value) value {
			v := takenApart(a[0])
			v.mustBeExported("reflect.TypeAssert")
			return typeAssert(fn.TypeArgs()[0], v.dynamic(g))
		}
	}
	return func(*goroutine, []value) value {
		unsupported("%s", name)
		return nil
	}
}

// typeAssert is x.(t) with a second result.
func typeAssert(t types.Type, x iface) value {
	if it, ok := t.Underlying().(*types.Interface); ok {
		if x.typ != nil && types.Implements(x.typ, it) {
			return aggregate{x, true}
		}
		return aggregate{iface{}, false}
	}
	if x.typ != nil && types.Identical(x.typ, t) {
		return aggregate{x.val, true}
	}
	return aggregate{zero(t), false}
}

// typeState is the state of the cell that stands for a type.
type typeState struct{ typ types.Type }

// typeCell returns the cell that stands for a type: one for all that are identical; nil for none.
func (m *machine) typeCell(t types.Type) *cell {
	if t == nil {
		return nil
	}
	if c := m.typeCells[t]; c != nil {
		return c
	}
	if m.copier != nil {
		if c := m.copier.from.knownType(t); c != nil {
			return c
		}
	}
	c, ok := m.types.At(t).(*cell)
	if !ok {
		c = &cell{typ: types.Typ[types.String], val: "the type " + typeText(t), mem: &memory{}, state: &typeState{t}}
		c.mem.root = []*cell{c}
		m.types.Set(t, c)
	}
	if m.typeCells == nil {
		m.typeCells = map[types.Type]*cell{}
	}
	m.typeCells[t] = c
	return c
}

// typeIn returns the type that a value of a mirror stands for: of an interface Type, of what implements it,
// or of a description of the compiler's; nil if it is nil.
func typeIn(v value) types.Type {
	switch v := v.(type) {
	case iface:
		return typeIn(v.val)
	case aggregate:
		return typeIn(v[0])
	case *cell:
		if v == nil {
			return nil
		}
		if s, ok := v.state.(*typeState); ok {
			return s.typ
		}
	}
	unsupported("a description of a type that the program has made")
	return nil
}

// typeValue returns the Type of a mirror that stands for a type.
func (m mirror) typeValue(g *goroutine, t types.Type) value {
	if t == nil {
		return iface{}
	}
	impl := m.named(g, "rtype")
	if m == lite {
		return iface{impl, aggregate{g.m.typeCell(t)}}
	}
	return iface{g.m.pointerTo(impl), g.m.typeCell(t)}
}

// named returns a type of the mirror.
func (m mirror) named(g *goroutine, name string) types.Type {
	t := g.m.program.typeOf(string(m), name)
	if t == nil {
		unsupported("%s.%s", string(m), name)
	}
	return t
}

// pointerTo returns the type of pointers to a type, the same one each time.
func (m *machine) pointerTo(t types.Type) types.Type {
	if p, ok := m.pointers[t]; ok {
		return p
	}
	if m.pointers == nil {
		m.pointers = map[types.Type]types.Type{}
	}
	m.pointers[t] = types.NewPointer(t)
	return m.pointers[t]
}

// sizes are those of the compiler.
var sizes = types.SizesFor("gc", "amd64")

// typeText is how package reflect names a type.
func typeText(t types.Type) string {
	var b strings.Builder
	writeType(&b, t, (*types.Package).Name)
	return b.String()
}

// writeType writes a type; packages are named by qualify.
func writeType(b *strings.Builder, t types.Type, qualify types.Qualifier) {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		b.WriteString(basicName(t))
	case *types.Named:
		if p := t.Obj().Pkg(); p != nil {
			b.WriteString(qualify(p) + ".")
		}
		b.WriteString(t.Obj().Name())
		writeTypeArguments(b, t)
	case *types.Pointer:
		b.WriteByte('*')
		writeType(b, t.Elem(), qualify)
	case *types.Slice:
		b.WriteString("[]")
		writeType(b, t.Elem(), qualify)
	case *types.Array:
		b.WriteString("[" + decimal(t.Len()) + "]")
		writeType(b, t.Elem(), qualify)
	case *types.Map:
		b.WriteString("map[")
		writeType(b, t.Key(), qualify)
		b.WriteByte(']')
		writeType(b, t.Elem(), qualify)
	case *types.Chan:
		b.WriteString(map[types.ChanDir]string{types.SendRecv: "chan ", types.SendOnly: "chan<- ",
			types.RecvOnly: "<-chan "}[t.Dir()])
		writeType(b, t.Elem(), qualify)
	case *types.Signature:
		b.WriteString("func")
		writeSignature(b, t, qualify)
	case *types.Struct:
		writeStruct(b, t, qualify)
	case *types.Interface:
		writeInterface(b, t, qualify)
	default:
		b.WriteString(t.String())
	}
}

// pathOf is the path of a package in a program.
func pathOf(p *types.Package) string {
	if p.Name() == "main" {
		return "main"
	}
	return p.Path()
}

// writeTypeArguments writes what an instance has; packages are in it by their paths.
func writeTypeArguments(b *strings.Builder, t *types.Named) {
	if t.TypeArgs().Len() == 0 {
		return
	}
	b.WriteByte('[')
	for i := range t.TypeArgs().Len() {
		if i > 0 {
			b.WriteByte(',')
		}
		writeType(b, t.TypeArgs().At(i), pathOf)
	}
	b.WriteByte(']')
}

func writeSignature(b *strings.Builder, t *types.Signature, qualify types.Qualifier) {
	list := func(all *types.Tuple, variadic bool) {
		for i := range all.Len() {
			if i > 0 {
				b.WriteString(", ")
			}
			if s, ok := all.At(i).Type().(*types.Slice); ok && variadic && i == all.Len()-1 {
				b.WriteString("...")
				writeType(b, s.Elem(), qualify)
			} else {
				writeType(b, all.At(i).Type(), qualify)
			}
		}
	}
	b.WriteByte('(')
	list(t.Params(), t.Variadic())
	b.WriteByte(')')
	switch t.Results().Len() {
	case 0:
	case 1:
		b.WriteByte(' ')
		list(t.Results(), false)
	default:
		b.WriteString(" (")
		list(t.Results(), false)
		b.WriteByte(')')
	}
}

func writeStruct(b *strings.Builder, t *types.Struct, qualify types.Qualifier) {
	b.WriteString("struct {")
	for i := range t.NumFields() {
		if i > 0 {
			b.WriteByte(';')
		}
		b.WriteByte(' ')
		f := t.Field(i)
		if !f.Embedded() {
			b.WriteString(f.Name() + " ")
		}
		writeType(b, f.Type(), qualify)
		if tag := t.Tag(i); tag != "" {
			b.WriteString(" " + quoted(tag))
		}
	}
	if t.NumFields() > 0 {
		b.WriteByte(' ')
	}
	b.WriteByte('}')
}

func writeInterface(b *strings.Builder, t *types.Interface, qualify types.Qualifier) {
	b.WriteString("interface {")
	for i := range t.NumMethods() {
		if i > 0 {
			b.WriteByte(';')
		}
		b.WriteString(" " + t.Method(i).Name())
		writeSignature(b, t.Method(i).Signature(), qualify)
	}
	if t.NumMethods() > 0 {
		b.WriteByte(' ')
	}
	b.WriteByte('}')
}
