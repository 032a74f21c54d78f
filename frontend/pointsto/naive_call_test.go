package pointsto

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
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
		n.add(receiver, address{site: a.site, cell: a.cell})
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
			e := n.element(a)
			for _, b := range from {
				n.load(place{e.site, true, e.cell}, []address{n.element(b)}, 0, t)
			}
		}
	}
	v := i.Value()
	switch name {
	case "append":
		if v != nil {
			t := v.Type().Underlying().(*types.Slice).Elem()
			n.assign(place{of: v}, args[0], 0, args[0].Type())
			n.add(place{of: v}, address{site: v})
			elements(n.get(v, 0), n.get(args[0], 0), t)
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
	case "ssa:wrapnilchk", "SliceData", "Add":
		n.assign(place{of: v}, args[0], 0, args[0].Type())
	case "Slice": // of package unsafe
		for _, a := range n.get(args[0], 0) {
			if a.cell > 0 && n.layout(a.site).array(a.cell-1) {
				a.cell--
			}
			n.add(place{of: v}, address{site: a.site, cell: a.cell})
		}
	}
}

// modelled reports whether f has no body that is analysed.
func (n *naive) modelled(f *ssa.Function) bool {
	return len(f.Blocks) == 0 || opaque(packagePath(f)) || isCgo(f) || n.models[canonicalName(f)] != nil
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

		"internal/abi.NoEscape":            naiveReturn(0, 0),
		"internal/abi.Escape":              naiveReturn(0, 0),
		"reflect.ValueOf":                  naiveReturn(0, 1),
		"internal/reflectlite.ValueOf":     naiveReturn(0, 1),
		"(reflect.Value).Interface":        naiveReturn(1, 0),
		"maps.clone":                       naiveReturn(0, 0),
		"weak.runtime_registerWeakPointer": naiveReturn(0, 0),
		"weak.runtime_makeStrongFromWeak":  naiveReturn(0, 0),

		"runtime.KeepAlive":           naiveNothing,
		"reflect.TypeOf":              naiveNothing,
		"internal/reflectlite.TypeOf": naiveNothing,

		"runtime.SetFinalizer": func(n *naive, i ssa.CallInstruction, f *ssa.Function, args []ssa.Value) {
			n.callBack(i, args[1], args[0])
		},
		"runtime.AddCleanup": func(n *naive, i ssa.CallInstruction, f *ssa.Function, args []ssa.Value) {
			n.callBack(i, args[1], args[2])
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

// model does what f does, which has no body that is analysed: what the table
// says, or nothing in the runtime system and in reflection, or it calls the
// functions that it gets and returns new memory.
func (n *naive) model(i ssa.CallInstruction, f *ssa.Function, args []ssa.Value) {
	if m := n.models[canonicalName(f)]; m != nil {
		m(n, i, f, args)
		return
	}
	if reflection(packagePath(f)) {
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
			if b, ok := n.cast(a, t.Elem()); ok {
				n.add(to, b)
			}
		}
	case *types.Basic:
		if t.Kind() != types.UnsafePointer {
			return
		}
		if from := addressOrigin(i.X, 0); from != nil {
			n.assign(to, from, 0, from.Type())
		}
	}
}

// cast uses the memory at a as a t: the part of that type at the same address,
// else the part at a as it is, but not if a t could only begin with such a part.
func (n *naive) cast(a address, t types.Type) (address, bool) {
	if a.site == nil {
		return a, true
	}
	l := n.layout(a.site)
	for _, cell := range sameAddress(l, a.cell) {
		if l.types[cell] != nil && types.Identical(l.types[cell], t) {
			return address{site: a.site, cell: cell}, true
		}
	}
	from := l.types[a.cell]
	if from == nil || slices.Equal(n.layouts.value(from).slots, n.layouts.value(t).slots) {
		return address{site: a.site, cell: a.cell}, true
	}
	whole := n.layouts.value(t)
	begins := slices.ContainsFunc(sameAddress(whole, 0), func(cell int32) bool {
		return whole.types[cell] != nil && types.Identical(whole.types[cell], from)
	})
	return address{site: a.site, cell: a.cell}, !begins
}

// sameAddress lists the cell, what it is the first part of, inside out, and its
// first parts, outside in.
func sameAddress(l *layout, cell int32) []int32 {
	cells := []int32{cell}
	for up := cell - 1; up >= 0 && l.aggregate(up); up-- {
		cells = append(cells, up)
	}
	for ; l.aggregate(cell); cell++ {
		cells = append(cells, cell+1)
	}
	return cells
}
