package ssaflow

import (
	"go/types"
	"slices"
	"sync"

	"golang.org/x/tools/go/ssa"
)

// Dispatch tells what calls of methods of interfaces may call in a program: the methods of all types that have the
// interface and are put into one. It is found out when it is asked for, and once for all that ask
// about the program.
type Dispatch struct {
	prog *ssa.Program

	mu           sync.Mutex
	byMethod     map[string][]types.Type // types that are put into interfaces, by the Id of each of their methods
	implementers map[types.Type][]types.Type
	methods      map[implemented][]*ssa.Function
}

// implemented is a method of an interface.
type implemented struct {
	method *types.Func
	of     types.Type
}

// NewDispatch returns the table of a program to which no more code is added.
func NewDispatch(prog *ssa.Program) *Dispatch {
	return &Dispatch{prog: prog, implementers: map[types.Type][]types.Type{}, methods: map[implemented][]*ssa.Function{}}
}

// MethodsOf returns what a method of an interface is of each type that has the interface and is put into one; nil where
// there is no function for it.
func (d *Dispatch) MethodsOf(method *types.Func, of types.Type) []*ssa.Function {
	m := implemented{method, of}
	d.mu.Lock()
	defer d.mu.Unlock()
	return Remember(d.methods, m, func() (all []*ssa.Function) {
		for _, t := range d.implementersOf(m.of) {
			all = append(all, d.prog.LookupMethod(t, m.method.Pkg(), m.method.Name()))
		}
		return all
	})
}

// implementersOf returns the types that have an interface: of those with the rarest of its methods.
func (d *Dispatch) implementersOf(of types.Type) []types.Type {
	return Remember(d.implementers, of, func() []types.Type {
		i, ok := of.Underlying().(*types.Interface)
		if !ok || i.NumMethods() == 0 {
			return nil
		}
		d.sort()
		some := d.byMethod[i.Method(0).Id()]
		for method := range i.Methods() {
			if others := d.byMethod[method.Id()]; len(others) < len(some) {
				some = others
			}
		}
		return slices.DeleteFunc(slices.Clone(some), func(t types.Type) bool { return !types.Implements(t, i) })
	})
}

// sort sorts the types by their methods.
func (d *Dispatch) sort() {
	if d.byMethod != nil {
		return
	}
	d.byMethod = map[string][]types.Type{}
	for _, t := range d.prog.RuntimeTypes() {
		if types.IsInterface(t) {
			continue
		}
		for sel := range d.prog.MethodSets.MethodSet(t).Methods() {
			id := sel.Obj().Id()
			d.byMethod[id] = append(d.byMethod[id], t)
		}
	}
}
