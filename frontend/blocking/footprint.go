package blocking

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// memory is a kind of memory: what it is a part of, and the type of what is in it. Memory of different types, or of
// different fields of a type, is different memory; a pointer that was not made at hand may lead to any memory of its
// type of which somebody takes the address. Memory is used as its types say, also by unsafe code.
type memory struct{ of, holds int }

// What memory may be a part of, besides fields and package variables, which have numbers from firstOwner on.
const (
	anything = iota
	local
	elements
	entries // of a map
	firstOwner
)

// footprint is the memory that a function itself reads and writes, and what it reads and depends on. Objects that it
// makes are left out of what it writes.
type footprint struct {
	reads, needs, writes []memory
	hard                 []memory // of what is written: what leads to synchronisation
}

// accessed is a set of memory.
type accessed struct {
	prints *footprints
	all    map[memory]bool
	led    map[int]bool // types of memory of the set to which a pointer may lead
}

func (f *footprints) newAccessed() accessed { return accessed{f, map[memory]bool{}, map[int]bool{}} }

func (a *accessed) addAll(some []memory) {
	for _, m := range some {
		a.all[m] = true
		if a.prints.isLedTo(m) {
			a.led[m.holds] = true
		}
	}
}

// meets tells whether some memory may be of the set.
func (a *accessed) meets(some []memory) bool {
	for _, m := range some {
		if a.all[m] || m.of == anything && a.led[m.holds] || a.all[memory{anything, m.holds}] && a.prints.isLedTo(m) {
			return true
		}
	}
	return false
}

// isLedTo tells whether a pointer that was not made at hand may lead to some memory.
func (f *footprints) isLedTo(m memory) bool { return m.of == anything || f.taken[m] }

// take notes of which memory an instruction takes the address: it does something with it but for loading and storing
// what is there, and going on to a part of it.
func (f *footprints) take(instr ssa.Instruction) {
	var room [10]*ssa.Value
	for i, operand := range instr.Operands(room[:0]) {
		switch (*operand).(type) {
		case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Alloc, *ssa.Global:
		default:
			continue
		}
		switch x := instr.(type) {
		case *ssa.DebugRef, *ssa.FieldAddr, *ssa.IndexAddr:
			continue
		case *ssa.UnOp:
			if x.Op == token.MUL {
				continue
			}
		case *ssa.Store:
			if i == 0 { // the address
				continue
			}
		}
		t := (*operand).Type().Underlying().(*types.Pointer).Elem()
		f.taken[memory{f.ownerOf(*operand), f.number(t)}] = true
	}
}

// footprints finds them.
type footprints struct {
	types   typeutil.Map // numbers, from 1
	typeOf  map[int]types.Type
	plain   map[int]bool // types of numbers and texts
	owners  map[any]int
	leading typeutil.Map    // whether values lead to synchronisation
	handed  typeutil.Map    // what can be come to from a value
	taken   map[memory]bool // of which the address is taken
}

// part is a field of a struct type: that of types with other names is the same, as pointers can be converted.
type part struct{ of, field int }

func newFootprints() *footprints {
	return &footprints{owners: map[any]int{}, taken: map[memory]bool{}, plain: map[int]bool{},
		typeOf: map[int]types.Type{}}
}

func (f *footprints) number(t types.Type) int {
	named := t
	t = t.Underlying()
	if n, ok := f.types.At(t).(int); ok {
		return n
	}
	n := f.types.Len() + 1
	f.types.Set(t, n)
	f.typeOf[n] = named
	f.plain[n] = isPlain(t)
	return n
}

// isPlain tells whether values of a type are numbers and texts.
func isPlain(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() != types.UnsafePointer
	case *types.Array:
		return isPlain(u.Elem())
	case *types.Struct:
		for field := range u.Fields() {
			if !isPlain(field.Type()) {
				return false
			}
		}
		return !isPrimitive(t)
	}
	return false
}

func (f *footprints) owner(of any) int {
	n, ok := f.owners[of]
	if !ok {
		n = firstOwner + len(f.owners)
		f.owners[of] = n
	}
	return n
}

// add adds what an instruction does.
func (f *footprints) add(to *footprint, instr ssa.Instruction, matters func(ssa.Value) bool) {
	read := func(v ssa.Value, of int, t types.Type) {
		all := f.within(nil, of, t)
		to.reads = append(to.reads, all...)
		if matters(v) {
			to.needs = append(to.needs, all...)
		}
	}
	switch x := instr.(type) {
	case *ssa.UnOp:
		if x.Op == token.MUL {
			read(x, f.ownerOf(x.X), x.Type())
		}
	case *ssa.Lookup:
		if m, ok := x.X.Type().Underlying().(*types.Map); ok {
			read(x, entries, m.Elem())
		}
	case *ssa.Next:
		if r, ok := x.Iter.(*ssa.Range); ok {
			if m, ok := r.X.Type().Underlying().(*types.Map); ok {
				read(x, entries, m.Elem())
			}
		}
	case *ssa.Store:
		if !isMadeHere(x.Addr) {
			f.write(to, f.ownerOf(x.Addr), x.Val.Type())
		}
	case *ssa.MapUpdate:
		if !isMadeHere(x.Map) {
			f.write(to, entries, x.Value.Type())
		}
	case ssa.CallInstruction:
		if fn := x.Common().StaticCallee(); fn != nil && knowledge.IsAtomic(fn) && len(x.Common().Args) > 0 {
			if p, ok := x.Common().Args[0].Type().Underlying().(*types.Pointer); ok {
				all := f.within(nil, f.ownerOf(x.Common().Args[0]), p.Elem())
				to.reads, to.needs = append(to.reads, all...), append(to.needs, all...)
			}
		}
		if b, ok := x.Common().Value.(*ssa.Builtin); ok {
			f.addBuiltin(to, b.Name(), x.Common().Args)
		}
	}
}

// write adds that memory of a type is written.
func (f *footprints) write(to *footprint, of int, t types.Type) {
	all := f.within(nil, of, t)
	to.writes = append(to.writes, all...)
	if f.leads(t) {
		to.hard = append(to.hard, all...)
	}
}

// addBuiltin adds what a call of a built-in function does.
func (f *footprints) addBuiltin(to *footprint, name string, args []ssa.Value) {
	switch name {
	case "append", "copy", "clear", "delete":
	default:
		return
	}
	if isMadeHere(args[0]) {
		return
	}
	switch t := args[0].Type().Underlying().(type) {
	case *types.Slice:
		f.write(to, elements, t.Elem())
	case *types.Map:
		f.write(to, entries, t.Elem())
	}
}

// ownerOf returns what an address is in.
func (f *footprints) ownerOf(address ssa.Value) int {
	switch x := address.(type) {
	case *ssa.FieldAddr:
		t := x.X.Type().Underlying().(*types.Pointer).Elem()
		return f.owner(part{f.number(t), x.Field})
	case *ssa.IndexAddr:
		return elements
	case *ssa.Global:
		return f.owner(x)
	case *ssa.Alloc:
		return local
	}
	return anything
}

// isMadeHere tells whether what an address is in, or a map, was made by the function itself.
func isMadeHere(v ssa.Value) bool {
	switch base := ssaflow.BaseOf(v).(type) {
	case *ssa.Alloc, *ssa.MakeSlice, *ssa.MakeMap:
		return true
	case *ssa.Const:
		return base.IsNil()
	}
	return false
}

// within adds memory of a type, and the parts of it.
func (f *footprints) within(all []memory, of int, t types.Type) []memory {
	all = append(all, memory{of, f.number(t)})
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for i := range u.NumFields() {
			all = f.within(all, f.owner(part{f.number(u), i}), u.Field(i).Type())
		}
	case *types.Array:
		all = f.within(all, elements, u.Elem())
	}
	return all
}

// addHanded adds that something which is not followed writes all that a value leads to.
func (f *footprints) addHanded(to *footprint, v ssa.Value) {
	if p, ok := v.Type().Underlying().(*types.Pointer); ok && isMadeHere(v) {
		if _, hasFields := p.Elem().Underlying().(*types.Struct); !hasFields || isStandard(p.Elem()) {
			return // a buffer of its own, or a variable
		}
	}
	all, ok := f.handed.At(v.Type()).([]memory)
	if !ok {
		var seen typeutil.Map
		all = f.reachable(nil, v.Type(), &seen)
		f.handed.Set(v.Type(), all)
	}
	to.writes = append(to.writes, all...)
	if f.leads(v.Type()) {
		to.hard = append(to.hard, all...)
	}
}

// reachable adds the memory that values of a type lead to.
func (f *footprints) reachable(all []memory, t types.Type, seen *typeutil.Map) []memory {
	if seen.At(t) != nil {
		return all
	}
	seen.Set(t, true)
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return f.reachable(f.within(all, anything, u.Elem()), u.Elem(), seen)
	case *types.Slice:
		return f.reachable(f.within(all, elements, u.Elem()), u.Elem(), seen)
	case *types.Map:
		return f.reachable(f.within(all, entries, u.Elem()), u.Elem(), seen)
	case *types.Array:
		return f.reachable(all, u.Elem(), seen)
	case *types.Struct:
		for field := range u.Fields() {
			all = f.reachable(all, field.Type(), seen)
		}
	}
	return all
}

// leads tells whether values of a type may lead to synchronisation, or to what may be called.
func (f *footprints) leads(t types.Type) bool {
	is, ok := f.leading.At(t).(bool)
	if !ok {
		var seen typeutil.Map
		is = doesLead(t, &seen)
		f.leading.Set(t, is)
	}
	return is
}

func doesLead(t types.Type, seen *typeutil.Map) bool {
	if seen.At(t) != nil {
		return false
	}
	seen.Set(t, true)
	if named, ok := types.Unalias(t).(*types.Named); ok && named.Obj().Pkg() != nil {
		switch named.Obj().Pkg().Path() {
		case "sync", "sync/atomic", "context":
			return true
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Chan, *types.Signature:
		return true
	case *types.Interface:
		return !types.Identical(t, types.Universe.Lookup("error").Type()) && !knowledge.IsReflectType(t)
	case *types.Pointer:
		return doesLead(u.Elem(), seen)
	case *types.Slice:
		return doesLead(u.Elem(), seen)
	case *types.Array:
		return doesLead(u.Elem(), seen)
	case *types.Map:
		return doesLead(u.Elem(), seen)
	case *types.Struct:
		for field := range u.Fields() {
			// What the standard library has for itself is not followed.
			if (field.Exported() || !isStandard(t)) && doesLead(field.Type(), seen) {
				return true
			}
		}
	}
	return false
}

// isStandard tells whether a type is one of the standard library.
func isStandard(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && knowledge.IsStandardPath(named.Obj().Pkg().Path())
}
