package pointsto

import (
	"go/constant"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A reflect.Value holds, in place of its two pointers, methods and what an interface
// with the value would hold. Of a function, or the methods of a value, calls are known.

// passReflected lets the values that a function of package reflect returns lead to all that
// the values do which it is handed: a field, an element, what a pointer points to. It is put
// beside the methods, where it counts for what may be read and assigned, and not as what the
// value is: that is not known of a part.
func (s *solver) passReflected(site *callSite, f *ssa.Function, args []uint32) {
	if site.result == 0 {
		return
	}
	results := f.Signature.Results()
	for i := range results.Len() {
		slot := site.result
		if results.Len() > 1 {
			slot += s.layouts.slot(results, i)
		}
		switch t := results.At(i).Type().Underlying().(type) {
		case *types.Struct:
			if isValue(results.At(i).Type()) {
				s.addEdgesFrom(s.reflectedIn(site, f, args), slot)
			}
		case *types.Slice:
			if call, ok := site.instr.(*ssa.Call); ok && results.Len() == 1 && isValue(t.Elem()) {
				o := s.arrayObject(site.caller, call, t)
				s.addLabel(slot, o.base)
				s.keepReflected(site, f, args, o.base+1)
			}
		case *types.Pointer:
			if call, ok := site.instr.(*ssa.Call); ok && results.Len() == 1 && isIterator(t.Elem()) {
				o := s.object(call, site.caller.Context, t.Elem(), memory, func() *layout { return s.layouts.value(t.Elem()) })
				s.addLabel(slot, o.base)
				off, _ := s.fieldNamed(t.Elem(), "m")
				s.keepReflected(site, f, args, o.base+uint32(off))
			}
		}
	}
}

// keepReflected stores what a function of package reflect is handed in the value at a cell.
func (s *solver) keepReflected(site *callSite, f *ssa.Function, args []uint32, cell uint32) {
	s.addEdgesFrom(s.reflectedIn(site, f, args), s.content(cell+1))
}

func (s *solver) addEdgesFrom(nodes []uint32, to uint32) {
	for _, node := range nodes {
		s.addEdge(node, to)
	}
}

// reflectedIn returns the nodes of what is in the values, and in the interfaces, that a
// function of package reflect is handed.
func (s *solver) reflectedIn(site *callSite, f *ssa.Function, args []uint32) (nodes []uint32) {
	for i, p := range f.Params {
		if i >= len(args) || args[i] == 0 {
			continue
		}
		switch t := p.Type().Underlying().(type) {
		case *types.Interface:
			nodes = append(nodes, args[i])
		case *types.Struct:
			if isValue(p.Type()) {
				nodes = append(nodes, args[i], args[i]+1)
			}
		case *types.Slice:
			if isValue(t.Elem()) {
				held := s.newNodes(site.caller, 2)
				s.load(held, elements(args[i]), t.Elem())
				nodes = append(nodes, held, held+1)
			}
		case *types.Pointer:
			if isIterator(t.Elem()) {
				held := s.newNodes(site.caller, 2)
				off, of := s.fieldNamed(t.Elem(), "m")
				s.load(held, behind(args[i], off), of)
				nodes = append(nodes, held, held+1)
			}
		}
	}
	return nodes
}

func isValue(t types.Type) bool    { return isOfReflect(t, "Value") }
func isIterator(t types.Type) bool { return isOfReflect(t, "MapIter") }

func isOfReflect(t types.Type, name string) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Name() == name && named.Obj().Pkg() != nil && reflection(named.Obj().Pkg().Path())
}

// methodValues returns the methods of a value: those of the name, if it is constant,
// otherwise all that are exported.
func methodValues(s *solver, site *callSite, callee *Node, args []uint32) {
	if args[0] != 0 && site.result != 0 {
		s.constrain(args[0]+1, constraint{kind: methodsOf, node: site.result, site: site.index})
	}
}

// addMethods adds the methods of the value with the label to a reflect.Value. It reports whether it is a value, which
// is to be added as well.
func (s *solver) addMethods(label uint32, site *callSite, to uint32) bool {
	t := s.dynamicType(label)
	if t == 0 {
		return false
	}
	name := ""
	if common := site.instr.Common(); !common.IsInvoke() && len(common.Args) == 2 {
		if c, ok := common.Args[1].(*ssa.Const); ok && c.Value != nil && c.Value.Kind() == constant.String {
			name = constant.StringVal(c.Value)
		}
	}
	if name == "" {
		s.askForAny(site, to, t)
	} else {
		s.addMethodsOf(t, name, site, to)
	}
	return true
}

// addMethodsOf adds the exported methods of values of type t: that with the name, or all
// if it is empty.
func (s *solver) addMethodsOf(t typeID, name string, site *callSite, to uint32) {
	methods := s.config.Program.MethodSets.MethodSet(s.dynamic.types[t])
	for i := range methods.Len() {
		m := methods.At(i).Obj().(*types.Func)
		if m.Exported() && (name == "" || m.Name() == name) {
			if f := s.method(t, m); f != nil {
				s.addEdge(s.functionValue(site.caller, f), to)
			}
		}
	}
}

// maxMethodTypes bounds the types of which a call by a name that is not constant is taken
// to reach every method: where templates print all of a server, it says nothing.
const maxMethodTypes = 32

// An anyMethod is a call that asks for a method by a name that is not constant.
type anyMethod struct {
	site  *callSite
	to    uint32   // node of the methods
	types []typeID // of the values whose methods they may be
	known int      // of how many of the types they are there
}

// askForAny notes that any method of the type may be asked for.
func (s *solver) askForAny(site *callSite, to uint32, t typeID) {
	i := slices.IndexFunc(s.anyMethods, func(a *anyMethod) bool { return a.site == site })
	if i < 0 {
		i = len(s.anyMethods)
		s.anyMethods = append(s.anyMethods, &anyMethod{site: site, to: to})
	}
	if a := s.anyMethods[i]; !slices.Contains(a.types, t) {
		a.types = append(a.types, t)
	}
}

// assumeMethods adds the methods where any of a few types may be asked for; many are a
// hole. It waits until all else is solved, so that it does not depend on the order in
// which types are found which are the few. It reports whether there is work.
func (s *solver) assumeMethods() bool {
	for _, a := range s.anyMethods {
		more := a.types[a.known:]
		a.known = len(a.types)
		switch {
		case len(more) == 0:
		case len(a.types) > maxMethodTypes:
			f := a.site.caller.Func
			s.hole(Reflect, f, a.site.instr.Pos(), "MethodByName", "methods by name of values of many types are not followed")
		default:
			for _, t := range more {
				s.addMethodsOf(t, "", a.site, a.to)
			}
		}
	}
	return s.hasWork()
}

// callValue calls the function in args[0], or the methods there on what is there, with
// those of the values in the slice args[1] that have the types of the parameters.
func callValue(s *solver, site *callSite, callee *Node, args []uint32) {
	value := callee.Func.Params[0].Type()
	back := s.newSite(callee, site.instr)
	back.passed = s.newNodes(callee, 2)
	back.value = args[0]
	s.load(back.passed, elements(args[1]), value)
	if v, ok := site.instr.(*ssa.Call); ok && site.result != 0 {
		o := s.arrayObject(site.caller, v, types.NewSlice(value))
		s.addLabel(site.result, o.base)
		back.result = s.content(o.base + 1 + uint32(s.layouts.value(value).slots[1]))
	}
	if args[0] != 0 {
		s.constrain(args[0], constraint{kind: callFunction, site: back.index})
		s.constrain(args[0]+1, constraint{kind: callFunction, site: back.index})
	}
}

// passedAs returns the node of those of the values that a call by reflection passes
// that are of the type: one for all that it calls.
func (s *solver) passedAs(site *callSite, t types.Type) uint32 {
	key := passedKey{site.passed, s.typeID(t)}
	as, known := s.passed[key]
	if !known {
		as = s.newNodes(site.caller, s.layouts.slots(t))
		s.passed[key] = as
		s.assert(site.passed+1, t, as)
	}
	return as
}

// passValues lets the arguments of a call by reflection flow to the parameters behind
// the first ones, and the results back. A method gets what it is called on.
func (s *solver) passValues(site *callSite, callee *Node, first int) {
	f := callee.Func
	for i, p := range f.Params[first:] {
		to := s.value(callee, p)
		if to == 0 {
			continue
		}
		if first+i == 0 && f.Signature.Recv() != nil {
			s.assert(site.value+1, p.Type(), to)
			continue
		}
		s.addEdges(s.passedAs(site, p.Type()), to, s.layouts.slots(p.Type()))
		if slice, ok := p.Type().Underlying().(*types.Slice); ok && f.Signature.Variadic() && p == f.Params[len(f.Params)-1] {
			o := s.arrayObject(callee, p, slice)
			s.addLabel(to, o.base)
			if l := s.layouts.value(slice.Elem()); len(l.slots) > 0 {
				s.storeAt(o.base+1, s.passedAs(site, slice.Elem()), l)
			}
		}
	}
	if site.result == 0 {
		return
	}
	results := f.Signature.Results()
	for i := range results.Len() {
		switch t := results.At(i).Type(); {
		case types.IsInterface(t):
			s.addEdge(s.result(callee)+s.layouts.slot(results, i), site.result)
		case pointerlike(t):
			s.constrain(s.result(callee)+s.layouts.slot(results, i),
				constraint{kind: toInterface, typ: s.typeID(t), node: site.result})
		}
	}
}
