package pointsto

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"
)

// naive is the same analysis without contexts, node numbers, differences or
// cycles: sets in maps, and an instruction again in full whenever one of the
// sets that it read has grown. It knows what memory looks like (layout), and
// shares nothing else with the solver.
type naive struct {
	program   *ssa.Program
	layouts   *layouts
	ofSite    map[any]*layout
	types     typeutil.Map // to types of interface values
	sets      map[place]map[address]bool
	readers   map[place]map[ssa.Instruction]bool
	reachable map[*ssa.Function]bool
	models    map[string]naiveModel

	wrapped map[*ssa.MakeInterface]bool // pointers and the like
	// by calls for a method by a name that is not constant: the types, and whether it is assumed
	asked map[ssa.CallInstruction]map[types.Type]bool

	current ssa.Instruction
	work    []ssa.Instruction
	waiting map[ssa.Instruction]bool
}

// A place is a cell of a variable or of memory, or of the results of a function.
type place struct {
	of   any // ssa.Value; *ssa.Function with memory == false: its results
	mem  bool
	cell int32
}

// An address is a label; typ is its dynamic type if it is in an interface.
type address struct {
	site any // ssa.Value; boxOf; nil for a nil pointer in an interface
	cell int32
	typ  types.Type // unique up to identity
	box  bool
	use  usage // of all memory there, as of another type
}

// boxOf is the site of the one box for values of a type without pointers.
type boxOf struct{ typ types.Type }

func naiveAnalyze(p *ssa.Program, roots []*ssa.Function) *naive {
	n := &naive{
		program: p, layouts: newLayouts(), ofSite: map[any]*layout{},
		sets: map[place]map[address]bool{}, readers: map[place]map[ssa.Instruction]bool{},
		reachable: map[*ssa.Function]bool{}, waiting: map[ssa.Instruction]bool{}, models: naiveModels(),
		wrapped: map[*ssa.MakeInterface]bool{},
		asked:   map[ssa.CallInstruction]map[types.Type]bool{},
	}
	for _, r := range roots {
		n.reach(r)
	}
	for len(n.work) > 0 {
		n.current, n.work = n.work[0], n.work[1:]
		delete(n.waiting, n.current)
		n.instruction(n.current.Parent(), n.current)
		if len(n.work) == 0 {
			n.assumeMethods()
		}
		if len(n.work) == 0 {
			n.assumeNil()
		}
	}
	return n
}

// assumeNil makes values of interfaces nil that are not made from anything else.
func (n *naive) assumeNil() {
	var empty []*ssa.MakeInterface
	for v := range n.wrapped {
		if len(n.get(v.X, 0)) == 0 {
			empty = append(empty, v)
		}
	}
	for _, v := range empty {
		n.add(place{of: v}, address{typ: n.unique(v.X.Type())})
	}
}

// reach analyses the body of f.
func (n *naive) reach(f *ssa.Function) {
	if n.reachable[f] {
		return
	}
	n.reachable[f] = true
	if n.modelled(f) {
		return
	}
	for _, b := range f.Blocks {
		for _, i := range b.Instrs {
			n.again(i)
		}
	}
}

func (n *naive) again(i ssa.Instruction) {
	if !n.waiting[i] {
		n.waiting[i] = true
		n.work = append(n.work, i)
	}
}

func (n *naive) add(to place, a address) {
	if n.sets[to] == nil {
		n.sets[to] = map[address]bool{}
	}
	if !n.sets[to][a] {
		n.sets[to][a] = true
		for i := range n.readers[to] {
			n.again(i)
		}
	}
}

// read returns what a place holds; the current instruction depends on it.
func (n *naive) read(p place) []address {
	if n.readers[p] == nil {
		n.readers[p] = map[ssa.Instruction]bool{}
	}
	n.readers[p][n.current] = true
	all := make([]address, 0, len(n.sets[p]))
	for a := range n.sets[p] {
		all = append(all, a)
	}
	return all
}

// get returns what the cell of v holds.
func (n *naive) get(v ssa.Value, cell int32) []address {
	switch v := v.(type) {
	case *ssa.Const:
		return nil
	case *ssa.Global, *ssa.Function:
		return []address{{site: v}}
	}
	return n.read(place{of: v, cell: cell})
}

// unique returns the representative of the types identical to t.
func (n *naive) unique(t types.Type) types.Type {
	if u := n.types.At(t); u != nil {
		return u.(types.Type)
	}
	n.types.Set(t, t)
	return t
}

// layout returns what the memory that a site allocates looks like.
func (n *naive) layout(site any) *layout {
	l := n.ofSite[site]
	if l == nil {
		l = n.newLayout(site)
		n.ofSite[site] = l
	}
	return l
}

func (n *naive) newLayout(site any) *layout {
	switch v := site.(type) {
	case boxOf:
		return n.layouts.value(v.typ)
	case *ssa.MakeInterface:
		return n.layouts.value(v.X.Type())
	case *ssa.MakeMap, *ssa.MakeChan:
		return n.layouts.object(v.(ssa.Value).Type())
	case *ssa.MakeClosure:
		l := scalar(v.Type())
		for _, captured := range v.Fn.(*ssa.Function).FreeVars {
			l.append(captured.Name(), n.layouts.value(captured.Type()))
		}
		return l
	case *ssa.Function:
		return scalar(v.Type())
	}
	switch t := site.(ssa.Value).Type().Underlying().(type) {
	case *types.Pointer:
		return n.layouts.value(t.Elem())
	case *types.Slice:
		return n.layouts.value(types.NewArray(t.Elem(), -1))
	}
	panic("no memory")
}

// shift returns the address some cells further in the same memory.
func (n *naive) shift(a address, by int32) (address, bool) {
	if a.use != asItIs {
		return address{site: a.site, cell: a.cell, use: a.use}, true
	}
	cell := a.cell + by
	return address{site: a.site, cell: cell}, a.site != nil && cell < n.layout(a.site).size()
}

// element returns the address of the elements of the array at a; a variable that
// is no array is used as one of one element.
func (n *naive) element(a address) address {
	if a.site != nil && a.use == asItIs && n.layout(a.site).array(a.cell) {
		a.cell++
	}
	return address{site: a.site, cell: a.cell, use: a.use}
}

// assign copies the cells of v that hold a t to the place.
func (n *naive) assign(to place, v ssa.Value, from int32, t types.Type) {
	for _, slot := range n.layouts.value(t).slots {
		for _, a := range n.get(v, from+slot) {
			n.add(place{to.of, to.mem, to.cell + slot}, a)
		}
	}
}

// load copies a t from off cells behind the addresses.
func (n *naive) load(to place, addresses []address, off int32, t types.Type) {
	for _, a := range addresses {
		for _, slot := range n.layouts.value(t).slots {
			for _, from := range n.cellsAt(a, off+slot, n.layouts.value(t).types[slot]) {
				for _, b := range n.read(from) {
					n.add(place{to.of, to.mem, to.cell + slot}, b)
				}
			}
		}
	}
}

// store copies v, of type t, to off cells behind the addresses.
func (n *naive) store(addresses []address, off int32, v ssa.Value, t types.Type) {
	for _, a := range addresses {
		for _, slot := range n.layouts.value(t).slots {
			for _, to := range n.cellsAt(a, off+slot, n.layouts.value(t).types[slot]) {
				for _, b := range n.get(v, slot) {
					n.add(to, b)
				}
			}
		}
	}
}

// move copies a t from one address to another.
func (n *naive) move(to, from address, t types.Type) {
	for _, slot := range n.layouts.value(t).slots {
		for _, f := range n.cellsAt(from, slot, n.layouts.value(t).types[slot]) {
			for _, b := range n.read(f) {
				for _, to := range n.cellsAt(to, slot, n.layouts.value(t).types[slot]) {
					n.add(to, b)
				}
			}
		}
	}
}

// cellsAt returns the memory that a pointer of type t some cells behind the address
// lies in: if that is foreign, all pointers there of the type, or that may be of any.
func (n *naive) cellsAt(a address, by int32, t types.Type) []place {
	b, ok := n.shift(a, by)
	if !ok || a.use == foreign {
		return nil
	}
	if a.use == asItIs {
		return []place{{b.site, true, b.cell}}
	}
	var all []place
	isUnsafe := func(t types.Type) bool { return t.Underlying() == types.Typ[types.UnsafePointer] }
	for _, slot := range n.layout(a.site).slots {
		u := n.layout(a.site).types[slot]
		if a.cell <= slot && slot < n.end(a) && (isUnsafe(t) || isUnsafe(u) || types.Identical(t, u)) {
			all = append(all, place{a.site, true, slot})
		}
	}
	return all
}

// component returns the cell of component i of a tuple.
func (n *naive) component(t types.Type, i int) int32 {
	cell := int32(0)
	for k := range i {
		cell += n.layouts.value(t.(*types.Tuple).At(k).Type()).size()
	}
	return cell
}

func (n *naive) instruction(f *ssa.Function, i ssa.Instruction) {
	v, _ := i.(ssa.Value)
	to := place{of: v}
	if i == f.Blocks[0].Instrs[0] {
		n.visit(f)
	}
	switch i := i.(type) {
	case *ssa.Alloc, *ssa.MakeSlice, *ssa.MakeMap, *ssa.MakeChan:
		n.add(to, address{site: v})
	case *ssa.MakeClosure:
		n.add(to, address{site: v})
		at := int32(1)
		for _, b := range i.Bindings {
			n.assign(place{v, true, at}, b, 0, b.Type())
			at += n.layouts.value(b.Type()).size()
		}
	case *ssa.Store:
		n.store(n.get(i.Addr, 0), 0, i.Val, i.Val.Type())
	case *ssa.UnOp:
		switch i.Op {
		case token.MUL:
			n.load(to, n.get(i.X, 0), 0, i.Type())
		case token.ARROW:
			n.load(to, n.get(i.X, 0), 1, channelElement(i.X))
		}
	case *ssa.Send:
		n.store(n.get(i.Chan, 0), 1, i.X, i.X.Type())
	case *ssa.Select:
		received := 2
		for _, s := range i.States {
			if s.Dir == types.SendOnly {
				n.store(n.get(s.Chan, 0), 1, s.Send, s.Send.Type())
			} else {
				n.load(place{of: v, cell: n.component(i.Type(), received)}, n.get(s.Chan, 0), 1, channelElement(s.Chan))
				received++
			}
		}
	case *ssa.FieldAddr:
		structure := i.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct)
		for _, a := range n.get(i.X, 0) {
			if part, ok := n.shift(a, n.layouts.field(structure, i.Field)); ok {
				n.add(to, part)
			}
		}
	case *ssa.IndexAddr:
		for _, a := range n.get(i.X, 0) {
			n.add(to, n.element(a))
		}
	case *ssa.Field:
		n.assign(to, i.X, n.layouts.field(i.X.Type().Underlying().(*types.Struct), i.Field), i.Type())
	case *ssa.Index:
		if _, array := i.X.Type().Underlying().(*types.Array); array {
			n.assign(to, i.X, 1, i.Type())
		}
	case *ssa.Extract:
		n.assign(to, i.Tuple, n.component(i.Tuple.Type(), i.Index), i.Type())
	case *ssa.Phi:
		for _, e := range i.Edges {
			n.assign(to, e, 0, i.Type())
		}
	case *ssa.ChangeType:
		n.assign(to, i.X, 0, i.Type())
	case *ssa.ChangeInterface:
		n.assign(to, i.X, 0, i.Type())
	case *ssa.Slice:
		n.assign(to, i.X, 0, i.Type())
	case *ssa.SliceToArrayPointer:
		n.assign(to, i.X, 0, i.Type())
	case *ssa.MultiConvert:
		n.assign(to, i.X, 0, i.Type())
	case *ssa.Convert:
		n.convert(i)
	case *ssa.MakeInterface:
		n.makeInterface(i)
	case *ssa.TypeAssert:
		n.typeAssert(i)
	case *ssa.MapUpdate:
		t := i.Map.Type().Underlying().(*types.Map)
		n.store(n.get(i.Map, 0), 1, i.Key, t.Key())
		n.store(n.get(i.Map, 0), 1+n.layouts.value(t.Key()).size(), i.Value, t.Elem())
	case *ssa.Lookup:
		if m, ok := i.X.Type().Underlying().(*types.Map); ok {
			n.load(to, n.get(i.X, 0), 1+n.layouts.value(m.Key()).size(), m.Elem())
		}
	case *ssa.Range:
		if m, ok := i.X.Type().Underlying().(*types.Map); ok {
			n.assign(to, i.X, 0, m)
		}
	case *ssa.Next:
		if !i.IsString {
			m := i.Iter.(*ssa.Range).X.Type().Underlying().(*types.Map)
			if i.Type().(*types.Tuple).At(1).Type() != types.Typ[types.Invalid] {
				n.load(place{of: v, cell: n.component(i.Type(), 1)}, n.get(i.Iter, 0), 1, m.Key())
			}
			if i.Type().(*types.Tuple).At(2).Type() != types.Typ[types.Invalid] {
				n.load(place{of: v, cell: n.component(i.Type(), 2)}, n.get(i.Iter, 0), 1+n.layouts.value(m.Key()).size(), m.Elem())
			}
		}
	case *ssa.Return:
		for k, r := range i.Results {
			n.assign(place{of: f, cell: n.component(f.Signature.Results(), k)}, r, 0, r.Type())
		}
	case *ssa.Panic:
		n.assign(place{of: "panic"}, i.X, 0, i.X.Type())
	case ssa.CallInstruction:
		n.call(i)
	}
}

func (n *naive) makeInterface(i *ssa.MakeInterface) {
	t := n.unique(i.X.Type())
	to := place{of: i}
	switch {
	case len(n.layouts.value(t).slots) == 0:
		n.add(to, address{site: boxOf{t}, typ: t, box: true})
	case !pointerlike(t):
		n.add(to, address{site: i, typ: t, box: true})
		n.assign(place{i, true, 0}, i.X, 0, t)
	default:
		n.wrapped[i] = true
		for _, a := range n.get(i.X, 0) {
			n.add(to, address{site: a.site, cell: a.cell, typ: t, use: a.use})
		}
	}
}

func (n *naive) typeAssert(i *ssa.TypeAssert) {
	for _, a := range n.get(i.X, 0) {
		n.assertTo(place{of: i}, a, i.AssertedType)
	}
}

// assertTo stores the value in an interface if it is of type t.
func (n *naive) assertTo(to place, a address, t types.Type) {
	iface, _ := t.Underlying().(*types.Interface)
	switch {
	case a.typ == nil: // no value of an interface, but memory used as one
	case iface != nil:
		if types.Implements(a.typ, iface) {
			n.add(to, a)
		}
	case !types.Identical(a.typ, t):
	case a.box:
		n.load(to, []address{a}, 0, a.typ)
	case a.site != nil:
		n.add(to, address{site: a.site, cell: a.cell, use: a.use})
	}
}
