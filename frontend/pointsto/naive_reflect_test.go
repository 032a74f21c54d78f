package pointsto

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// The slots of a reflect.Value: methods that it stands for, and what is in it.
const (
	methodSlot = iota
	valueSlot
)

// reflected returns what a slot of the reflect.Value holds.
func (n *naive) reflected(v ssa.Value, slot int) []address {
	return n.get(v, n.layouts.value(v.Type()).slots[slot])
}

// reflectedIn returns what is in the values and interfaces that a function of package
// reflect is handed.
func (n *naive) reflectedIn(f *ssa.Function, args []ssa.Value) (all []address) {
	for k, p := range f.Params {
		if k >= len(args) {
			continue
		}
		both := func(at place, slots []int32) {
			for _, slot := range slots[:2] {
				all = append(all, n.read(place{at.of, at.mem, at.cell + slot})...)
			}
		}
		switch t := p.Type().Underlying().(type) {
		case *types.Interface:
			all = append(all, n.get(args[k], 0)...)
		case *types.Struct:
			if isValue(p.Type()) {
				all = append(append(all, n.reflected(args[k], methodSlot)...), n.reflected(args[k], valueSlot)...)
			}
		case *types.Slice:
			if isValue(t.Elem()) {
				for _, array := range n.get(args[k], 0) {
					both(n.cellsAt(n.element(array), 0, t.Elem())[0], n.layouts.value(t.Elem()).slots)
				}
			}
		case *types.Pointer:
			if isIterator(t.Elem()) {
				for _, a := range n.get(args[k], 0) {
					m := t.Elem().Underlying().(*types.Struct)
					both(n.cellsAt(a, n.layouts.field(m, 0), m.Field(0).Type())[0], n.layouts.value(m.Field(0).Type()).slots)
				}
			}
		}
	}
	return all
}

// passReflected lets what a function of package reflect returns lead to what it is handed.
func (n *naive) passReflected(i ssa.CallInstruction, f *ssa.Function, args []ssa.Value) {
	v, ok := i.(*ssa.Call)
	if !ok {
		return
	}
	results := f.Signature.Results()
	for k := range results.Len() {
		to, t := place{of: v}, results.At(k).Type()
		switch u := t.Underlying().(type) {
		case *types.Struct:
			to.cell = n.component(results, k)
		case *types.Slice:
			if t = u.Elem(); results.Len() > 1 || !isValue(t) {
				continue
			}
			n.add(to, address{site: v})
			to = place{v, true, 1}
		case *types.Pointer:
			m, ok := u.Elem().Underlying().(*types.Struct)
			if results.Len() > 1 || !isIterator(u.Elem()) || !ok {
				continue
			}
			n.add(to, address{site: v})
			t, to = m.Field(0).Type(), place{v, true, n.layouts.field(m, 0)}
		}
		if !isValue(t) {
			continue
		}
		to.cell += n.layouts.value(t).slots[methodSlot]
		for _, a := range n.reflectedIn(f, args) {
			n.add(to, a)
		}
	}
}

func naiveTypeAssert(n *naive, i ssa.CallInstruction, f *ssa.Function, args []ssa.Value) {
	if i.Value() == nil {
		return
	}
	for _, a := range n.reflected(args[0], valueSlot) {
		n.assertTo(place{of: i.Value()}, a, f.Signature.Results().At(0).Type())
	}
	if !inLibrary(f.Prog, i.Parent()) {
		for a := range n.parts(n.reflected(args[0], methodSlot), true) {
			n.assertTo(place{of: i.Value()}, a, f.Signature.Results().At(0).Type())
		}
	}
}

func naiveMethods(n *naive, i ssa.CallInstruction, f *ssa.Function, args []ssa.Value) {
	v := i.Value()
	if v == nil {
		return
	}
	slots := n.layouts.value(v.Type()).slots
	for _, a := range n.reflected(args[0], valueSlot) {
		if a.typ == nil {
			continue
		}
		n.add(place{of: v, cell: slots[valueSlot]}, a)
		wanted, constant := args[len(args)-1].(*ssa.Const)
		isAny := !constant || !types.Identical(wanted.Type().Underlying(), types.Typ[types.String])
		if isAny && !n.mayAskFor(i, a.typ) {
			continue
		}
		methods := n.program.MethodSets.MethodSet(a.typ)
		for k := range methods.Len() {
			name := methods.At(k).Obj().Name()
			if isAny || strings.Trim(wanted.Value.ExactString(), `"`) == name {
				if method := n.program.MethodValue(methods.At(k)); method != nil && methods.At(k).Obj().Exported() {
					n.add(place{of: v, cell: slots[methodSlot]}, address{site: method})
				}
			}
		}
	}
}

// mayAskFor reports whether a call may ask for any method of the type, as far as is
// assumed until now.
func (n *naive) mayAskFor(i ssa.CallInstruction, t types.Type) bool {
	if n.asked[i] == nil {
		n.asked[i] = map[types.Type]bool{}
	}
	may := n.asked[i][t]
	n.asked[i][t] = may // false if it is new
	return may
}

// assumeMethods lets calls ask for any method of what they were made on, if that is of
// few types.
func (n *naive) assumeMethods() {
	for i, types := range n.asked {
		if len(types) > maxMethodTypes {
			continue
		}
		for t, assumed := range types {
			if !assumed {
				types[t] = true
				n.again(i)
			}
		}
	}
}

// naiveCallValue calls the functions and methods in a reflect.Value.
func naiveCallValue(n *naive, i ssa.CallInstruction, _ *ssa.Function, args []ssa.Value) {
	slots := n.layouts.value(args[0].Type()).slots
	var passed []address
	for _, array := range n.get(args[1], 0) {
		for _, at := range n.cellsAt(n.element(array), slots[valueSlot], types.Typ[types.UnsafePointer]) {
			passed = append(passed, n.read(at)...)
		}
	}
	v, isCall := i.(*ssa.Call)
	if isCall {
		n.add(place{of: v}, address{site: v})
	}
	for slot := range slots[:2] {
		for _, a := range n.reflected(args[0], slot) {
			f, isFunction := a.site.(*ssa.Function)
			if c, ok := a.site.(*ssa.MakeClosure); ok {
				f = c.Fn.(*ssa.Function)
				at := int32(1)
				for _, w := range f.FreeVars {
					n.load(place{of: w}, []address{{site: c}}, at, w.Type())
					at += n.layouts.value(w.Type()).size()
				}
			} else if !isFunction {
				continue
			}
			n.reach(f)
			if n.modelled(f) {
				continue
			}
			n.pass(f, n.reflected(args[0], valueSlot), passed)
			if isCall {
				n.returnValues(place{v, true, 1 + slots[valueSlot]}, f)
			}
		}
	}
}

// pass lets the arguments of a call by reflection flow to the parameters of f.
func (n *naive) pass(f *ssa.Function, receivers, passed []address) {
	for k, p := range f.Params {
		values := passed
		if k == 0 && f.Signature.Recv() != nil {
			values = receivers
		}
		variadic := f.Signature.Variadic() && k == len(f.Params)-1
		if variadic {
			n.add(place{of: p}, address{site: p})
		}
		for _, a := range values {
			n.assertTo(place{of: p}, a, p.Type())
			if variadic {
				n.assertTo(place{p, true, 1}, a, p.Type().Underlying().(*types.Slice).Elem())
			}
		}
	}
}

// returnValues stores the results of f, as values of interfaces.
func (n *naive) returnValues(to place, f *ssa.Function) {
	results := f.Signature.Results()
	for k := range results.Len() {
		t := results.At(k).Type()
		if !pointerlike(t) {
			continue
		}
		for _, a := range n.read(place{of: f, cell: n.component(results, k)}) {
			if !types.IsInterface(t) {
				a.typ = n.unique(t)
			}
			n.add(to, a)
		}
	}
}

// visit hands the parts of what a visitor is handed to the functions that call their
// methods: parts of parts, too, but not of what pointers in parts point to, unless it
// goes deep.
func (n *naive) visit(f *ssa.Function) {
	to, deep := visitorOf(f)
	if len(to) == 0 {
		return
	}
	slot := int32(0)
	if p := f.Params[1]; !types.IsInterface(p.Type()) {
		slot = n.layouts.value(p.Type()).slots[valueSlot]
	}
	seen := n.parts(n.get(f.Params[1], slot), deep)
	for _, g := range to {
		n.reach(g)
		for a := range seen {
			p := reflectedParameter(g)
			n.add(place{of: p, cell: n.layouts.value(p.Type()).slots[valueSlot]}, a)
		}
	}
}

// parts returns the parts of the values, and of what they point to; of what pointers in parts
// point to only if deep.
func (n *naive) parts(values []address, deep bool) map[address]bool {
	seen := map[address]bool{}
	var part func(a address, pointers bool)
	part = func(a address, pointers bool) {
		if a.typ == nil || a.site == nil || a.use != asItIs || !a.box && !hasParts(a.typ, pointers) {
			return
		}
		l := n.layout(a.site)
		for at := a.cell; at < n.end(a); at++ {
			if p := partWithMethods(l, at); p != nil {
				b := address{site: a.site, cell: at, typ: n.unique(p)}
				if !seen[b] {
					seen[b] = true
					part(b, deep)
				}
			}
		}
		for _, at := range l.slots {
			if at < a.cell || at >= n.end(a) || !isVisible(l.paths[at], l.types[at]) {
				continue
			}
			for _, b := range n.read(place{a.site, true, at}) {
				if !types.IsInterface(l.types[at]) {
					b.typ = n.unique(l.types[at])
				}
				if !seen[b] {
					seen[b] = true
					part(b, deep)
				}
			}
		}
	}
	for _, a := range values {
		part(a, true)
	}
	return seen
}

// naiveInterface returns what is in the value, and the parts that it can be.
func naiveInterface(n *naive, i ssa.CallInstruction, f *ssa.Function, args []ssa.Value) {
	naiveReturn(1, 0)(n, i, f, args)
	if v := i.Value(); v != nil && !inLibrary(f.Prog, i.Parent()) {
		for a := range n.parts(n.reflected(args[0], methodSlot), true) {
			n.add(place{of: v}, a)
		}
	}
}

// naiveAddress returns the addresses of all parts.
func naiveAddress(n *naive, i ssa.CallInstruction, f *ssa.Function, args []ssa.Value) {
	n.passReflected(i, f, args)
	v := i.Value()
	if v == nil || inLibrary(f.Prog, i.Parent()) {
		return
	}
	handed := n.reflected(args[0], methodSlot)
	all := n.parts(handed, true)
	for _, a := range handed {
		all[a] = true
	}
	for a := range all {
		if a.typ == nil || a.site == nil || a.use != asItIs || a.box || !hasParts(a.typ, true) {
			continue
		}
		if _, isMap := a.typ.Underlying().(*types.Map); isMap {
			continue
		}
		l := n.layout(a.site)
		for at := a.cell; at < n.end(a); at++ {
			if at == a.cell || isVisible(l.paths[at], l.types[at]) {
				b := address{site: a.site, cell: at, typ: n.unique(types.NewPointer(l.types[at]))}
				n.add(place{of: v, cell: n.layouts.value(v.Type()).slots[valueSlot]}, b)
			}
		}
	}
}
