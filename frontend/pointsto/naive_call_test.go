package pointsto

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
)

func (n *naive) call(i ssa.CallInstruction) {
	c := i.Common()
	if b, ok := c.Value.(*ssa.Builtin); ok {
		n.builtin(i, b.Name())
		return
	}
	if c.IsInvoke() {
		for _, a := range n.get(c.Value, 0) {
			n.invoke(i, a)
		}
		return
	}
	for _, a := range n.get(c.Value, 0) {
		n.callValue(i, a, c.Args)
	}
}

// invoke calls the method of a value in an interface.
func (n *naive) invoke(i ssa.CallInstruction, a address) {
	c := i.Common()
	if a.typ == nil {
		return
	}
	sel := n.program.MethodSets.MethodSet(a.typ).Lookup(c.Method.Pkg(), c.Method.Name())
	if sel == nil {
		return
	}
	f := n.program.MethodValue(sel)
	receiver := place{of: f.Params[0]}
	switch {
	case a.box:
		n.load(receiver, []address{a}, 0, f.Params[0].Type())
	case a.site != nil:
		n.add(receiver, address{site: a.site, cell: a.cell, use: a.use})
	}
	n.connect(i, f, 1, c.Args)
}

// callValue calls a function or closure.
func (n *naive) callValue(i ssa.CallInstruction, a address, args []ssa.Value) {
	switch f := a.site.(type) {
	case *ssa.Function:
		n.connect(i, f, 0, args)
	case *ssa.MakeClosure:
		body := f.Fn.(*ssa.Function)
		at := int32(1)
		for _, v := range body.FreeVars {
			n.load(place{of: v}, []address{{site: f}}, at, v.Type())
			at += n.layouts.value(v.Type()).size()
		}
		n.connect(i, body, 0, args)
	}
}

// connect lets the arguments flow to the parameters of f from the skip-th on,
// and the results back, unless a model says what f does.
func (n *naive) connect(i ssa.CallInstruction, f *ssa.Function, skip int, args []ssa.Value) {
	n.reach(f)
	if n.modelled(f) {
		n.model(i, f, args)
		return
	}
	for k, a := range args {
		if k+skip < len(f.Params) {
			n.assign(place{of: f.Params[k+skip]}, a, 0, f.Params[k+skip].Type())
		}
	}
	v := i.Value()
	if v == nil || len(args)+skip < len(f.Params) {
		return // a call back, whose results go nowhere
	}
	for _, slot := range n.layouts.value(f.Signature.Results()).slots {
		for _, a := range n.read(place{of: f, cell: slot}) {
			n.add(place{of: v, cell: slot}, a)
		}
	}
}

func (n *naive) builtin(i ssa.CallInstruction, name string) {
	args := i.Common().Args
	elements := func(to, from []address, t types.Type) {
		for _, a := range to {
			for _, b := range from {
				n.move(n.element(a), n.element(b), t)
			}
		}
	}
	v := i.Value()
	switch name {
	case "append":
		if v != nil {
			t := v.Type().Underlying().(*types.Slice).Elem()
			n.add(place{of: v}, address{site: v})
			if whole, ok := args[0].(*ssa.Slice); !ok || whole.Max == nil || !isZero(whole.Max) { // room for nothing
				n.assign(place{of: v}, args[0], 0, args[0].Type())
				elements(n.get(v, 0), n.get(args[0], 0), t)
			}
			elements(n.get(v, 0), n.get(args[1], 0), t)
		}
	case "copy":
		elements(n.get(args[0], 0), n.get(args[1], 0), args[0].Type().Underlying().(*types.Slice).Elem())
	case "recover":
		if v != nil {
			for _, a := range n.read(place{of: "panic"}) {
				n.add(place{of: v}, a)
			}
		}
	case "ssa:wrapnilchk":
		n.assign(place{of: v}, args[0], 0, args[0].Type())
	case "Add":
		for _, a := range n.get(args[0], 0) {
			n.add(place{of: v}, n.anywhere(a))
		}
	case "SliceData":
		for _, a := range n.get(args[0], 0) {
			n.add(place{of: v}, n.element(a))
		}
	case "StringData":
		n.add(place{of: v}, address{site: v})
	case "Slice": // of package unsafe
		for _, a := range n.get(args[0], 0) {
			if a.use == asItIs && a.cell > 0 && n.layout(a.site).array(a.cell-1) {
				a.cell--
			}
			n.add(place{of: v}, address{site: a.site, cell: a.cell, use: a.use})
		}
	}
}

// modelled reports whether f has no body that is analysed.
func (n *naive) modelled(f *ssa.Function) bool {
	return len(f.Blocks) == 0 || knowledge.IsOpaquePackage(packagePath(f)) || isCgo(f) || n.modelOf(f) != nil
}

// modelOf returns what a call of f does, nil if that is what its body does.
func (n *naive) modelOf(f *ssa.Function) naiveModel {
	if m := n.models[canonicalName(f)]; m != nil || packagePath(f) != "math/big" {
		return m
	}
	switch flowOf(f) {
	case knowledge.FlowNumber:
		return naiveNumber
	case knowledge.FlowNowhere:
		return naiveNothing
	}
	return nil
}

// A naiveModel is the effect of a call.
type naiveModel func(n *naive, i ssa.CallInstruction, f *ssa.Function, args []ssa.Value)

// naiveModels say what functions do that are not analysed from their source.
func naiveModels() map[string]naiveModel {
	return map[string]naiveModel{
		"sync/atomic.LoadPointer":           naiveAtomic(true, 0),
		"sync/atomic.StorePointer":          naiveAtomic(false, 1),
		"sync/atomic.SwapPointer":           naiveAtomic(true, 1),
		"sync/atomic.CompareAndSwapPointer": naiveAtomic(false, 2),

		"(*sync/atomic.Pointer[T]).Load":           naiveAtomic(true, 0),
		"(*sync/atomic.Pointer[T]).Store":          naiveAtomic(false, 1),
		"(*sync/atomic.Pointer[T]).Swap":           naiveAtomic(true, 1),
		"(*sync/atomic.Pointer[T]).CompareAndSwap": naiveAtomic(false, 2),

		"(*sync/atomic.Value).Load":           naiveAtomic(true, 0),
		"(*sync/atomic.Value).Store":          naiveAtomic(false, 1),
		"(*sync/atomic.Value).Swap":           naiveAtomic(true, 1),
		"(*sync/atomic.Value).CompareAndSwap": naiveAtomic(false, 2),

		"internal/abi.NoEscape":             naiveReturn(0, 0),
		"internal/abi.Escape":               naiveReturn(0, 0),
		"reflect.ValueOf":                   naiveReturn(0, 1),
		"internal/reflectlite.ValueOf":      naiveReturn(0, 1),
		"(reflect.Value).Interface":         naiveInterface,
		"(reflect.Value).Addr":              naiveAddress,
		"maps.clone":                        naiveClone,
		"(internal/reflectlite.Value).Elem": naiveReturn(1, 1),
		"(internal/reflectlite.Value).Set":  naiveSet,
		"weak.runtime_registerWeakPointer":  naiveReturn(0, 0),
		"weak.runtime_makeStrongFromWeak":   naiveReturn(0, 0),

		"reflect.TypeAssert":           naiveTypeAssert,
		"(reflect.Value).Call":         naiveCallValue,
		"(reflect.Value).CallSlice":    naiveCallValue,
		"(reflect.Value).Method":       naiveMethods,
		"(reflect.Value).MethodByName": naiveMethods,

		"runtime.KeepAlive":           naiveNothing,
		"reflect.TypeOf":              naiveNothing,
		"internal/reflectlite.TypeOf": naiveNothing,

		"runtime.SetFinalizer": func(n *naive, i ssa.CallInstruction, f *ssa.Function, args []ssa.Value) {
			if !inLibrary(f.Prog, i.Parent()) {
				n.callBack(i, args[1], args[0])
			}
		},
		"runtime.AddCleanup": func(n *naive, i ssa.CallInstruction, f *ssa.Function, args []ssa.Value) {
			if !inLibrary(f.Prog, i.Parent()) {
				n.callBack(i, args[1], args[2])
			}
		},
		"time.newTimer": func(n *naive, i ssa.CallInstruction, f *ssa.Function, args []ssa.Value) {
			n.callBack(i, args[2], args[3])
			n.fresh(i, f)
		},
	}
}

func naiveNothing(*naive, ssa.CallInstruction, *ssa.Function, []ssa.Value) {}

// naiveAtomic loads from and stores into the pointer at the address that is the
// first argument, or into the field v there.
func naiveAtomic(load bool, stored int) naiveModel {
	return func(n *naive, i ssa.CallInstruction, f *ssa.Function, args []ssa.Value) {
		t, cell := f.Params[0].Type().Underlying().(*types.Pointer).Elem(), int32(0)
		if structure, ok := t.Underlying().(*types.Struct); ok {
			k := slices.IndexFunc(slices.Collect(structure.Fields()), func(v *types.Var) bool { return v.Name() == "v" })
			t, cell = structure.Field(k).Type(), n.layouts.field(structure, k)
		}
		if load && i.Value() != nil {
			n.load(place{of: i.Value()}, n.get(args[0], 0), cell, t)
		}
		if stored > 0 {
			n.store(n.get(args[0], 0), cell, args[stored], t)
		}
	}
}

// naiveNumber returns the first argument, a number of package math/big, with a new array.
func naiveNumber(n *naive, i ssa.CallInstruction, f *ssa.Function, args []ssa.Value) {
	v := i.Value()
	if v == nil {
		return
	}
	number := n.layouts.value(f.Params[0].Type().Underlying().(*types.Pointer).Elem())
	for _, a := range n.get(args[0], 0) {
		n.add(place{of: v}, a)
		for _, off := range number.slots {
			word := number.types[off].Underlying().(*types.Slice).Elem()
			n.ofSite[v] = n.layouts.value(types.NewArray(word, -1))
			for _, at := range n.cellsAt(a, off, number.types[off]) {
				n.add(at, address{site: v})
			}
		}
	}
}

// naiveReturn copies one slot of the first argument to one of the result.
func naiveReturn(from, to int) naiveModel {
	return func(n *naive, i ssa.CallInstruction, f *ssa.Function, args []ssa.Value) {
		slot := func(t types.Type, k int) int32 { return n.layouts.value(t).slots[k] }
		if v := i.Value(); v != nil {
			for _, a := range n.get(args[0], slot(args[0].Type(), from)) {
				n.add(place{of: v, cell: slot(v.Type(), to)}, a)
			}
		}
	}
}

// naiveClone makes a map with the contents of the one in the first argument.
func naiveClone(n *naive, i ssa.CallInstruction, f *ssa.Function, args []ssa.Value) {
	t := args[0].(*ssa.MakeInterface).X.Type()
	m := t.Underlying().(*types.Map)
	v := i.Value()
	n.ofSite[v] = n.layouts.object(t)
	n.add(place{of: v}, address{site: v, typ: n.unique(t)})
	for _, a := range n.get(args[0], 0) {
		n.load(place{v, true, 1}, []address{a}, 1, m.Key())
		value := 1 + n.layouts.value(m.Key()).size()
		n.load(place{v, true, value}, []address{a}, value, m.Elem())
	}
}

// naiveSet stores the second value, which has a type that the variable can hold, into
// the variable that the first one is a pointer to.
func naiveSet(n *naive, i ssa.CallInstruction, f *ssa.Function, args []ssa.Value) {
	slot := n.layouts.value(args[0].Type()).slots[1]
	for _, to := range n.get(args[0], slot) {
		p, ok := to.typ.(*types.Pointer)
		if !ok || to.site == nil || to.box || to.use != asItIs {
			continue
		}
		for _, from := range n.get(args[1], slot) {
			n.assertTo(place{to.site, true, to.cell}, from, p.Elem())
		}
	}
}

// model does what f does, which has no body that is analysed: what the table
// says, or nothing in the runtime system and in reflection, or it calls the
// functions that it gets and returns new memory.
func (n *naive) model(i ssa.CallInstruction, f *ssa.Function, args []ssa.Value) {
	if m := n.modelOf(f); m != nil {
		m(n, i, f, args)
		return
	}
	if reflection(packagePath(f)) {
		n.passReflected(i, f, args)
		return
	}
	for k, p := range f.Params {
		if _, ok := p.Type().Underlying().(*types.Signature); ok && k < len(args) {
			n.callBack(i, args[k])
		}
	}
	n.fresh(i, f)
}

// callBack calls the functions that v holds.
func (n *naive) callBack(i ssa.CallInstruction, v ssa.Value, args ...ssa.Value) {
	for _, a := range n.get(v, 0) {
		n.callValue(i, a, args)
	}
}

// fresh returns new memory from a function with one result that is a slice or a pointer.
func (n *naive) fresh(i ssa.CallInstruction, f *ssa.Function) {
	results := f.Signature.Results()
	if v, ok := i.(*ssa.Call); ok && results.Len() == 1 {
		switch results.At(0).Type().Underlying().(type) {
		case *types.Slice, *types.Pointer:
			n.add(place{of: v}, address{site: v})
		}
	}
}

// convert handles strings and unsafe pointers.
func (n *naive) convert(i *ssa.Convert) {
	to := place{of: i}
	switch t := i.Type().Underlying().(type) {
	case *types.Slice: // of a string
		n.add(to, address{site: i})
	case *types.Pointer:
		for _, a := range n.get(i.X, 0) {
			n.cast(to, a, t.Elem(), i)
		}
	case *types.Basic:
		if t.Kind() != types.UnsafePointer {
			return
		}
		from, moved := addressOrigins(i.X)
		for _, v := range from {
			for _, a := range n.get(v, 0) {
				if moved {
					a = n.anywhere(a)
				}
				n.add(to, a)
			}
		}
	}
}

// anywhere is the address of some part of the memory at a.
func (n *naive) anywhere(a address) address {
	if a.site == nil {
		return a
	}
	return address{site: a.site, use: foreign}
}

// cast uses the memory at a as a t. Parts of memory that have the type are
// meant, if there are any and t is no number. Other addresses are those of the part of
// the type, or of one like it, at the same place; else one of all memory that has
// room for a t, unless a t could only begin with what is there.
func (n *naive) cast(to place, a address, t types.Type, i *ssa.Convert) {
	if a.site == nil {
		n.add(to, a)
		return
	}
	l := n.layout(a.site)
	is := func(l *layout, cell int32, t types.Type) bool {
		return l.types[cell] != nil && types.Identical(l.types[cell], t)
	}
	use := foreign
	if hasTypedOrigin(i.X) {
		use = viewed
	}
	if a.use != asItIs {
		found := false
		if _, basic := t.Underlying().(*types.Basic); !basic {
			for cell := a.cell; cell < n.end(a); cell++ {
				if is(l, cell, t) {
					n.add(to, address{site: a.site, cell: cell})
					found = true
				}
			}
		}
		if !found {
			n.add(to, address{site: a.site, cell: a.cell, use: use})
		}
		return
	}
	same := slices.Collect(sameAddress(l, a.cell))
	for _, fits := range []func(cell int32) bool{
		func(cell int32) bool { return is(l, cell, t) },
		func(cell int32) bool { return l.types[cell] == nil || n.alike(l.types[cell], t) },
	} {
		if k := slices.IndexFunc(same, fits); k >= 0 {
			n.add(to, address{site: a.site, cell: same[k]})
			return
		}
	}
	inArray := a.cell > 0 && l.array(a.cell-1)
	if array, ok := t.Underlying().(*types.Array); ok && !l.array(a.cell) && n.alike(l.types[a.cell], array.Elem()) {
		if inArray {
			a.cell--
		}
		n.add(to, address{site: a.site, cell: a.cell})
		return
	}
	cell, room := n.room(a, t)
	whole := n.layouts.value(t)
	for c := range sameAddress(whole, 0) {
		if (!room || isHeader(l, a.cell)) && is(whole, c, l.types[a.cell]) {
			return
		}
	}
	if knowledge.Of(i.Parent()).Audited {
		n.add(to, address{site: a.site, cell: a.cell})
		return
	}
	n.add(to, address{site: a.site, cell: cell, use: use})
}

// room returns the innermost part around the address that has room for a t there.
func (n *naive) room(a address, t types.Type) (int32, bool) {
	l := n.layout(a.site)
	switch l.types[0].Underlying().(type) {
	case *types.Map, *types.Chan, *types.Signature:
		if l.size() > 1 || !n.variable(a.site) {
			return 0, false
		}
	}
	offsets := n.layouts.offsets(l.types[0])
	for cell := a.cell; cell >= 0; cell-- {
		if end := n.end(address{site: a.site, cell: cell}); end <= a.cell {
			continue
		}
		array, ok := l.types[cell].Underlying().(*types.Array)
		if ok && array.Len() < 0 || sizes.Sizeof(l.types[cell]) >= offsets[a.cell]-offsets[cell]+sizes.Sizeof(t) {
			return cell, true
		}
	}
	return 0, false
}

// variable reports whether the site makes a variable, not what a map, a channel or a
// function refers to.
func (n *naive) variable(site any) bool {
	switch site.(type) {
	case *ssa.MakeMap, *ssa.MakeChan, *ssa.MakeClosure, *ssa.Function:
		return false
	}
	return true
}

// end returns the cell behind the memory at a.
func (n *naive) end(a address) int32 {
	l := n.layout(a.site)
	if a.cell == 0 {
		return l.size()
	}
	return a.cell + n.layouts.value(l.types[a.cell]).size()
}

// alike reports whether a t can lie in memory of type u: cells at the same bytes, that
// are numbers, strings, single addresses, slices or interfaces alike.
func (n *naive) alike(u, t types.Type) bool {
	if a, ok := u.Underlying().(*types.Array); ok {
		b, ok := t.Underlying().(*types.Array)
		return ok && n.alike(a.Elem(), b.Elem())
	}
	l, m := n.layouts.value(u), n.layouts.value(t)
	if sizes.Sizeof(t) > sizes.Sizeof(u) || !slices.Equal(n.layouts.offsets(u), n.layouts.offsets(t)) {
		return false
	}
	kind := func(l *layout, cell int32) string {
		switch u := l.types[cell].Underlying().(type) {
		case *types.Slice:
			return "slice"
		case *types.Interface:
			return "interface"
		case *types.Pointer, *types.Map, *types.Chan, *types.Signature:
			return "address"
		case *types.Basic:
			if u.Kind() == types.UnsafePointer {
				return "address"
			}
		}
		return ""
	}
	for cell := range l.size() {
		if kind(l, cell) != kind(m, cell) {
			return false
		}
	}
	return true
}

// canonicalName names f, or the generic function that f is an instance of, if it may be
// among the naive models.
func canonicalName(f *ssa.Function) string {
	if f.Synthetic != "" && !strings.HasPrefix(f.Synthetic, "instance ") || f.Parent() != nil {
		return ""
	}
	return describe(f)
}
