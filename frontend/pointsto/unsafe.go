package pointsto

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
)

// convert handles conversions between pointers of different types and strings.
func (s *solver) convert(n *Node, i *ssa.Convert) {
	to := s.value(n, i)
	if to == 0 {
		if isUnsafe(i.X.Type()) && s.layouts.slots(i.X.Type()) > 0 && isHandedOn(i, nil) {
			s.hole(Unsafe, n.Func, i.Pos(), describe(n.Func), fmt.Sprintf("%s hands on a pointer as a number", describe(n.Func)))
		}
		return
	}
	switch t := i.Type().Underlying().(type) {
	case *types.Slice: // of a string
		if o := s.arrayObject(n, i, t); o != nil {
			s.addLabel(to, o.base)
		}
	case *types.Basic: // unsafe.Pointer
		from, moved := addressOrigins(i.X)
		if len(from) == 0 {
			s.hole(Unsafe, n.Func, i.Pos(), describe(n.Func), fmt.Sprintf("%s turns a number into a pointer", describe(n.Func)))
		}
		for _, v := range from {
			if moved {
				s.constrain(s.value(n, v), constraint{kind: movedBy, node: to})
			} else {
				s.addEdge(s.value(n, v), to)
			}
		}
	case *types.Pointer:
		s.casts = append(s.casts, cast{instr: i, local: hasTypedOrigin(i.X)})
		s.constrain(s.value(n, i.X), constraint{kind: castTo, typ: s.typeID(t.Elem()), node: to,
			site: int32(len(s.casts) - 1)})
	default:
		s.addEdge(s.value(n, i.X), to)
	}
}

// isHandedOn reports whether a number that was a pointer gets out of the function, but by a
// call that is known to use numbers as pointers.
func isHandedOn(number ssa.Value, seen []ssa.Value) bool {
	if slices.Contains(seen, number) || number.Referrers() == nil {
		return false
	}
	seen = append(seen, number)
	return slices.ContainsFunc(*number.Referrers(), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.Store, *ssa.Return, *ssa.Send, *ssa.MapUpdate, *ssa.MakeClosure:
			return true
		case ssa.CallInstruction:
			callee := r.Common().StaticCallee()
			_, isBuiltin := r.Common().Value.(*ssa.Builtin)
			return !isBuiltin && (callee == nil || !knowledge.IsOpaque(callee))
		case *ssa.BinOp:
			switch r.Op {
			case token.ADD, token.SUB, token.OR, token.AND, token.XOR, token.AND_NOT:
				return isHandedOn(r, seen)
			}
		case *ssa.Phi:
			return isHandedOn(r, seen)
		case *ssa.ChangeType:
			return isHandedOn(r, seen)
		}
		return false
	})
}

// addressOrigins follows the arithmetic behind a uintptr to the pointers that it is
// computed from, in the same function, and reports whether it may lead to another
// address.
func addressOrigins(v ssa.Value) (from []ssa.Value, moved bool) {
	seen := map[ssa.Value]bool{}
	var follow func(ssa.Value)
	follow = func(v ssa.Value) {
		if seen[v] {
			return
		}
		seen[v] = true
		if pointerlike(v.Type()) {
			from = append(from, v)
			return
		}
		switch v := v.(type) {
		case *ssa.Convert:
			follow(v.X)
		case *ssa.ChangeType:
			follow(v.X)
		case *ssa.Phi:
			for _, e := range v.Edges {
				follow(e)
			}
		case *ssa.BinOp:
			before := len(from)
			if follow(v.X); v.Op == token.ADD {
				follow(v.Y)
			}
			moved = moved || len(from) > before && !isZero(v.Y)
		}
	}
	follow(v)
	return from, moved
}

// isZero reports whether v is the constant 0, which hides a pointer when it is added.
func isZero(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && c.Value.Kind() == constant.Int && constant.Sign(c.Value) == 0
}

// hasTypedOrigin reports whether the unsafe pointer was made from one of known type in
// the same function.
func hasTypedOrigin(v ssa.Value) bool {
	seen := map[ssa.Value]bool{}
	var typed func(ssa.Value) bool
	typed = func(v ssa.Value) bool {
		if !isUnsafe(v.Type()) || seen[v] {
			return true
		}
		seen[v] = true
		switch u := v.(type) {
		case *ssa.Call:
			b, ok := u.Call.Value.(*ssa.Builtin)
			return ok && b.Name() == "Add" && typed(u.Call.Args[0])
		case *ssa.Convert:
			from, _ := addressOrigins(u.X)
			return len(from) > 0 && !slices.ContainsFunc(from, func(v ssa.Value) bool { return !typed(v) })
		}
		return false
	}
	return typed(v)
}

func isUnsafe(t types.Type) bool {
	_, ok := t.Underlying().(*types.Basic)
	return ok
}
