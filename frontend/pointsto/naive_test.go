package pointsto

import (
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
)

// naive is the same analysis without contexts, node numbers, differences or
// cycles: sets in maps, and every instruction again until nothing changes.
type naive struct {
	program   *ssa.Program
	sets      map[place]map[address]bool
	reachable map[*ssa.Function]bool
	types     map[string]types.Type // by name
	changed   bool
}

// A place is a part of a variable or of memory, or the results of a function.
type place struct {
	of   any // ssa.Value; *ssa.Function with memory == false: its results
	mem  bool
	path string
}

// An address is a label; typ is its dynamic type if it is in an interface.
type address struct {
	site any // ssa.Value or string
	path string
	typ  string
	box  bool
}

func naiveAnalyze(p *ssa.Program, roots []*ssa.Function) *naive {
	n := &naive{program: p, sets: map[place]map[address]bool{}, reachable: map[*ssa.Function]bool{}, types: map[string]types.Type{}}
	for _, r := range roots {
		n.reachable[r] = true
	}
	for n.changed = true; n.changed; {
		n.changed = false
		for f := range maps.Clone(n.reachable) {
			for _, b := range f.Blocks {
				for _, i := range b.Instrs {
					n.instruction(f, i)
				}
			}
		}
	}
	return n
}

func (n *naive) add(to place, a address) {
	if n.sets[to] == nil {
		n.sets[to] = map[address]bool{}
	}
	if !n.sets[to][a] {
		n.sets[to][a] = true
		n.changed = true
	}
}

// get returns what the part of v holds.
func (n *naive) get(v ssa.Value, path string) []address {
	switch v := v.(type) {
	case *ssa.Const:
		return nil
	case *ssa.Global, *ssa.Function:
		return []address{{site: v}}
	}
	return slices.Collect(maps.Keys(n.sets[place{of: v, path: path}]))
}

func join(a, b string) string {
	if a == "" || b == "" || b[0] == '[' {
		return a + b
	}
	return a + "." + b
}

// leaves returns the paths of the pointers in a type.
func leaves(t types.Type) []string {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		var all []string
		for f := range u.Fields() {
			for _, l := range leaves(f.Type()) {
				all = append(all, join(f.Name(), l))
			}
		}
		return all
	case *types.Array:
		var all []string
		for _, l := range leaves(u.Elem()) {
			all = append(all, join("[]", l))
		}
		return all
	case *types.Basic:
		if u.Kind() == types.UnsafePointer {
			return []string{""}
		}
		return nil
	case *types.Tuple:
		panic("tuple")
	}
	return []string{""}
}

// assign copies the part from of a value, of type t, to the place.
func (n *naive) assign(to place, v ssa.Value, from string, t types.Type) {
	for _, l := range leaves(t) {
		for _, a := range n.get(v, join(from, l)) {
			n.add(place{to.of, to.mem, join(to.path, l)}, a)
		}
	}
}

func (n *naive) load(to place, addresses []address, path string, t types.Type) {
	for _, a := range addresses {
		for _, l := range leaves(t) {
			for b := range n.sets[place{a.site, true, join(join(a.path, path), l)}] {
				n.add(place{to.of, to.mem, join(to.path, l)}, b)
			}
		}
	}
}

func (n *naive) store(addresses []address, path string, v ssa.Value, t types.Type) {
	for _, a := range addresses {
		n.assign(place{a.site, true, join(a.path, path)}, v, "", t)
	}
}

func component(i int) string { return fmt.Sprintf("#%d", i) }

func (n *naive) instruction(f *ssa.Function, i ssa.Instruction) {
	v, _ := i.(ssa.Value)
	to := place{of: v}
	switch i := i.(type) {
	case *ssa.Alloc, *ssa.MakeSlice, *ssa.MakeMap, *ssa.MakeChan:
		n.add(to, address{site: v})
	case *ssa.MakeClosure:
		n.add(to, address{site: v})
		for k, b := range i.Bindings {
			captured := i.Fn.(*ssa.Function).FreeVars[k]
			n.assign(place{v, true, captured.Name()}, b, "", b.Type())
		}
	case *ssa.Store:
		n.store(n.get(i.Addr, ""), "", i.Val, i.Val.Type())
	case *ssa.UnOp:
		switch i.Op {
		case token.MUL:
			n.load(to, n.get(i.X, ""), "", i.Type())
		case token.ARROW:
			if i.CommaOk {
				to.path = component(0)
			}
			n.load(to, n.get(i.X, ""), "[]", channelElement(i.X))
		}
	case *ssa.Send:
		n.store(n.get(i.Chan, ""), "[]", i.X, i.X.Type())
	case *ssa.Select:
		received := 2
		for _, s := range i.States {
			if s.Dir == types.SendOnly {
				n.store(n.get(s.Chan, ""), "[]", s.Send, s.Send.Type())
			} else {
				n.load(place{of: v, path: component(received)}, n.get(s.Chan, ""), "[]", channelElement(s.Chan))
				received++
			}
		}
	case *ssa.FieldAddr:
		name := i.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct).Field(i.Field).Name()
		for _, a := range n.get(i.X, "") {
			n.add(to, address{site: a.site, path: join(a.path, name)})
		}
	case *ssa.IndexAddr:
		for _, a := range n.get(i.X, "") {
			n.add(to, address{site: a.site, path: join(a.path, "[]")})
		}
	case *ssa.Field:
		n.assign(to, i.X, i.X.Type().Underlying().(*types.Struct).Field(i.Field).Name(), i.Type())
	case *ssa.Index:
		if _, array := i.X.Type().Underlying().(*types.Array); array {
			n.assign(to, i.X, "[]", i.Type())
		}
	case *ssa.Extract:
		n.assign(to, i.Tuple, component(i.Index), i.Type())
	case *ssa.Phi:
		for _, e := range i.Edges {
			n.assign(to, e, "", i.Type())
		}
	case *ssa.ChangeType:
		n.assign(to, i.X, "", i.Type())
	case *ssa.ChangeInterface:
		n.assign(to, i.X, "", i.Type())
	case *ssa.Slice:
		n.assign(to, i.X, "", i.Type())
	case *ssa.SliceToArrayPointer:
		n.assign(to, i.X, "", i.Type())
	case *ssa.Convert:
		if len(leaves(i.Type())) > 0 {
			n.add(to, address{site: v})
		}
	case *ssa.MakeInterface:
		n.makeInterface(i)
	case *ssa.TypeAssert:
		n.typeAssert(i)
	case *ssa.MapUpdate:
		n.store(n.get(i.Map, ""), "[key]", i.Key, i.Key.Type())
		n.store(n.get(i.Map, ""), "[]", i.Value, i.Value.Type())
	case *ssa.Lookup:
		if m, ok := i.X.Type().Underlying().(*types.Map); ok {
			if i.CommaOk {
				to.path = component(0)
			}
			n.load(to, n.get(i.X, ""), "[]", m.Elem())
		}
	case *ssa.Range:
		if m, ok := i.X.Type().Underlying().(*types.Map); ok {
			n.assign(to, i.X, "", m)
		}
	case *ssa.Next:
		if !i.IsString {
			m := i.Iter.(*ssa.Range).X.Type().Underlying().(*types.Map)
			n.load(place{of: v, path: component(1)}, n.get(i.Iter, ""), "[key]", m.Key())
			n.load(place{of: v, path: component(2)}, n.get(i.Iter, ""), "[]", m.Elem())
		}
	case *ssa.Return:
		for k, r := range i.Results {
			n.assign(place{of: f, path: component(k)}, r, "", r.Type())
		}
	case *ssa.Panic:
		n.assign(place{of: "panic"}, i.X, "", i.X.Type())
	case ssa.CallInstruction:
		n.call(i)
	}
}

func (n *naive) makeInterface(i *ssa.MakeInterface) {
	t := i.X.Type()
	name := types.TypeString(t, nil)
	to := place{of: i}
	switch {
	case len(leaves(t)) == 0:
		n.add(to, address{site: "box:" + name, typ: name, box: true})
	case !pointerlike(t):
		n.add(to, address{site: i, typ: name, box: true})
		n.assign(place{i, true, ""}, i.X, "", t)
	default:
		for _, a := range n.get(i.X, "") {
			n.add(to, address{site: a.site, path: a.path, typ: name})
		}
	}
	n.types[name] = t
}

func (n *naive) typeAssert(i *ssa.TypeAssert) {
	to := place{of: i}
	if i.CommaOk {
		to.path = component(0)
	}
	iface, _ := i.AssertedType.Underlying().(*types.Interface)
	for _, a := range n.get(i.X, "") {
		t := n.types[a.typ]
		switch {
		case iface != nil:
			if types.Implements(t, iface) {
				n.add(to, a)
			}
		case !types.Identical(t, i.AssertedType):
		case a.box:
			n.load(to, []address{a}, "", t)
		default:
			n.add(to, address{site: a.site, path: a.path})
		}
	}
}

func (n *naive) call(i ssa.CallInstruction) {
	c := i.Common()
	if b, ok := c.Value.(*ssa.Builtin); ok {
		n.builtin(i, b.Name())
		return
	}
	if c.IsInvoke() {
		for _, a := range n.get(c.Value, "") {
			sel := n.program.MethodSets.MethodSet(n.types[a.typ]).Lookup(c.Method.Pkg(), c.Method.Name())
			f := n.program.MethodValue(sel)
			receiver := place{of: f.Params[0]}
			if a.box {
				n.load(receiver, []address{a}, "", f.Params[0].Type())
			} else {
				n.add(receiver, address{site: a.site, path: a.path})
			}
			n.connect(i, f, 1)
		}
		return
	}
	for _, a := range n.get(c.Value, "") {
		switch f := a.site.(type) {
		case *ssa.Function:
			n.connect(i, f, 0)
		case *ssa.MakeClosure:
			body := f.Fn.(*ssa.Function)
			for _, v := range body.FreeVars {
				n.load(place{of: v}, []address{a}, v.Name(), v.Type())
			}
			n.connect(i, body, 0)
		}
	}
}

func (n *naive) connect(i ssa.CallInstruction, f *ssa.Function, skip int) {
	if !n.reachable[f] {
		n.reachable[f] = true
		n.changed = true
	}
	for k, a := range i.Common().Args {
		n.assign(place{of: f.Params[k+skip]}, a, "", a.Type())
	}
	v := i.Value()
	if v == nil {
		return
	}
	results := f.Signature.Results()
	for k := range results.Len() {
		to := place{of: v}
		if results.Len() > 1 {
			to.path = component(k)
		}
		for _, l := range leaves(results.At(k).Type()) {
			for a := range n.sets[place{of: f, path: join(component(k), l)}] {
				n.add(place{of: v, path: join(to.path, l)}, a)
			}
		}
	}
}

func (n *naive) builtin(i ssa.CallInstruction, name string) {
	args := i.Common().Args
	elements := func(to, from []address, t types.Type) {
		for _, a := range to {
			n.load(place{a.site, true, join(a.path, "[]")}, from, "[]", t)
		}
	}
	switch name {
	case "append":
		t := i.Value().Type().Underlying().(*types.Slice).Elem()
		n.assign(place{of: i.Value()}, args[0], "", args[0].Type())
		n.add(place{of: i.Value()}, address{site: i.Value()})
		elements(n.get(i.Value(), ""), n.get(args[0], ""), t)
		elements(n.get(i.Value(), ""), n.get(args[1], ""), t)
	case "copy":
		elements(n.get(args[0], ""), n.get(args[1], ""), args[0].Type().Underlying().(*types.Slice).Elem())
	case "recover":
		if i.Value() != nil {
			for a := range n.sets[place{of: "panic"}] {
				n.add(place{of: i.Value()}, a)
			}
		}
	case "ssa:wrapnilchk":
		n.assign(place{of: i.Value()}, args[0], "", args[0].Type())
	}
}

// cells lists what a value points to.
func (n *naive) cells(v ssa.Value) map[string]bool {
	all := map[string]bool{}
	if tuple, ok := v.Type().(*types.Tuple); ok {
		for k := range tuple.Len() {
			for _, l := range leaves(tuple.At(k).Type()) {
				for _, a := range n.get(v, join(component(k), l)) {
					all[fmt.Sprint(siteName(a.site), a.path)] = true
				}
			}
		}
		return all
	}
	for _, l := range leaves(v.Type()) {
		for _, a := range n.get(v, l) {
			all[fmt.Sprint(siteName(a.site), a.path)] = true
		}
	}
	return all
}

func siteName(site any) string {
	if v, ok := site.(ssa.Value); ok {
		return fmt.Sprintf("%s(%p) ", v.Name(), v)
	}
	return fmt.Sprint(site, " ")
}

// solved lists, for each value of each function, what it points to in any context.
func solved(r *Result) map[ssa.Value]map[string]bool {
	all := map[ssa.Value]map[string]bool{}
	for _, n := range r.Nodes() {
		for _, v := range valuesOf(n.Func) {
			if all[v] == nil {
				all[v] = map[string]bool{}
			}
			for _, c := range r.PointsTo(n, v).Cells() {
				name := "box:" + types.TypeString(c.Object.Type, nil) + " "
				if c.Object.Site != nil {
					name = siteName(c.Object.Site)
				}
				all[v][name+c.Path] = true
			}
		}
	}
	return all
}

func valuesOf(f *ssa.Function) []ssa.Value {
	var all []ssa.Value
	for _, p := range f.Params {
		all = append(all, p)
	}
	for _, v := range f.FreeVars {
		all = append(all, v)
	}
	for _, b := range f.Blocks {
		for _, i := range b.Instrs {
			if v, ok := i.(ssa.Value); ok {
				if _, iterator := v.(*ssa.Range); !iterator {
					all = append(all, v)
				}
			}
		}
	}
	return all
}

// TestNaive compares both analyses on the programs that import nothing: without
// contexts they are equal. With contexts, on all programs, nothing is added.
func TestNaive(t *testing.T) {
	forAll(t, func(t *testing.T, p *program) {
		insensitive := solved(p.analyze(t, true))
		for v, cells := range solved(p.analyze(t, false)) {
			for c := range cells {
				if !insensitive[v][c] {
					t.Errorf("%s: %s = %s points to %s only with contexts", v.Parent(), v.Name(), v, c)
				}
			}
		}
		if len(p.pkg.Pkg.Imports()) > 0 {
			return
		}
		n := naiveAnalyze(p.pkg.Prog, p.config().Roots)
		functions := map[*ssa.Function]bool{}
		for v, cells := range insensitive {
			functions[v.Parent()] = true
			if want := n.cells(v); !maps.Equal(cells, want) {
				t.Errorf("%s: %s = %s points to\n%s, naively to\n%s", v.Parent(), v.Name(), v, list(cells), list(want))
			}
		}
		for f := range n.reachable {
			if len(valuesOf(f)) > 0 && !functions[f] {
				t.Errorf("%s is not reached", f)
			}
		}
	})
}

func list(cells map[string]bool) string {
	return strings.Join(slices.Sorted(maps.Keys(cells)), ", ")
}
