package atomicity

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// class is memory that is told apart by its declaration: a field in all structs of its type, or a
// package variable; or what the maps and slices have in them that it holds.
type class struct {
	of       rune // 0: no such memory
	contents bool
}

// access is what an instruction does to memory.
type access struct {
	at      ssa.Instruction
	place   place // of contents: of the variable that holds the map or slice
	class   class
	pointer ssa.Value // through which it is made
	writes  bool
	atomic  bool
}

// leaves calls f for each field of a struct, and its structs; for a type that is none, for itself.
func (n *numbers) leaves(p place, t types.Type, f func(place)) {
	s, ok := t.Underlying().(*types.Struct)
	if !ok || isAtomicType(t) || isSyncType(t) {
		f(p)
		return
	}
	for i := range s.NumFields() {
		field := s.Field(i)
		n.leaves(place{p.root, p.path + path(n.number(field))}, field.Type(), f)
	}
}

// packageOf is the path of the package that declares a type.
func packageOf(t types.Type) string {
	if named, ok := types.Unalias(t).(*types.Named); ok && named.Obj().Pkg() != nil {
		return named.Obj().Pkg().Path()
	}
	return ""
}

func isAtomicType(t types.Type) bool { return packageOf(t) == "sync/atomic" }

func isSyncType(t types.Type) bool { return packageOf(t) == "sync" }

// elem is the type of what a pointer points to, nil if it is none.
func elem(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return nil
}

// holder returns the address of the variable that a map or slice is loaded from, nil if it is not.
func holder(v ssa.Value) ssa.Value {
	if load, ok := v.(*ssa.UnOp); ok && load.Op == token.MUL && ssaflow.IsMapOrSlice(v) {
		return load.X
	}
	return nil
}

// accesses returns what an instruction itself does to memory. ok is false if that is not known, or
// more than is told; memory of class 0 is of no variable that is told apart.
func (n *numbers) accesses(instr ssa.Instruction) (all []access, ok bool) {
	add := func(address ssa.Value, t types.Type, writes, atomic bool) {
		n.leaves(n.place(address), t, func(p place) {
			all = append(all, access{instr, p, class{of: n.last(p)}, address, writes, atomic})
		})
	}
	contents := func(v ssa.Value, writes bool) bool {
		from := holder(v)
		if from == nil {
			all = append(all, access{at: instr, pointer: v, writes: writes})
			return true
		}
		p := n.place(from)
		all = append(all, access{instr, p, class{n.last(p), true}, v, writes, false})
		return true
	}
	cell := func(address ssa.Value, writes bool) bool {
		if index, isIndex := address.(*ssa.IndexAddr); isIndex {
			return contents(index.X, writes)
		}
		add(address, elem(address.Type()), writes, false)
		return true
	}
	switch v := instr.(type) {
	case *ssa.UnOp:
		switch v.Op {
		case token.MUL:
			return all, cell(v.X, false) || true
		case token.ARROW:
			return nil, false
		}
	case *ssa.Store:
		cell(v.Addr, true)
	case *ssa.Lookup:
		if _, isMap := v.X.Type().Underlying().(*types.Map); isMap {
			contents(v.X, false)
		}
	case *ssa.MapUpdate:
		contents(v.Map, true)
	case *ssa.Range:
		if _, isMap := v.X.Type().Underlying().(*types.Map); isMap {
			contents(v.X, false)
		}
	case *ssa.Next:
		if over, isRange := v.Iter.(*ssa.Range); isRange && !v.IsString {
			contents(over.X, false)
		}
	case *ssa.Send, *ssa.Select, *ssa.Go:
		return nil, false
	case *ssa.Call:
		return all, n.called(v.Common(), add, contents)
	}
	return all, true
}

// called adds the accesses of a call that are made in no body. It tells whether there are no others
// but those of the functions that are called.
func (n *numbers) called(call *ssa.CallCommon, add func(ssa.Value, types.Type, bool, bool),
	contents func(ssa.Value, bool) bool) bool {
	if builtin, ok := call.Value.(*ssa.Builtin); ok {
		switch builtin.Name() {
		case "len":
			if _, isMap := call.Args[0].Type().Underlying().(*types.Map); isMap {
				contents(call.Args[0], false)
			}
			return true
		case "delete", "clear":
			return contents(call.Args[0], true)
		case "append":
			contents(call.Args[0], true)
			if len(call.Args) == 2 && !ssaflow.IsArgumentList(call.Args[1]) && !isString(call.Args[1].Type()) {
				contents(call.Args[1], false)
			}
			return true
		case "copy":
			contents(call.Args[0], true)
			if !isString(call.Args[1].Type()) {
				contents(call.Args[1], false)
			}
			return true
		case "cap", "min", "max", "real", "imag", "complex", "ssa:wrapnilchk", "panic":
			return true
		}
		return false
	}
	if fn := call.StaticCallee(); fn != nil {
		if e, ok := knowledge.Accesses(fn); ok && knowledge.IsAtomic(fn) && len(call.Args) > 0 {
			if t := elem(call.Args[0].Type()); t != nil {
				add(call.Args[0], t, e.Writes, true)
				return true
			}
		}
	}
	return true
}

func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}
