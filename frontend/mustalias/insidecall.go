package mustalias

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// One of two looks may be in a helper and the other one not: get(k), which takes the
// lock, and then m[k] under the lock. They are compared by what the helper returns,
// with the arguments of the call in the place of its parameters.

// insideCall is the helper that a matcher has looked into: the call of it, which is on
// the side of the first look or of the second.
type insideCall struct {
	call    *ssa.Call
	isFirst bool
}

// equalInside compares two values of which one is the result of a helper, or both are of
// different ones; ok is false if neither is, or both are of the same.
func (m *Matcher) equalInside(first, second ssa.Value) (same, ok bool) {
	a, i := m.lookCall(first)
	b, j := m.lookCall(second)
	switch {
	case a != nil && b != nil && a.Call.StaticCallee() == b.Call.StaticCallee():
		return false, false
	case a != nil && b != nil:
		return m.sameForwarded(a, i, b, j) && !m.Loose, true
	case a != nil:
		return m.compareInside(insideCall{a, true}, returned(a, i), second) && !m.Loose, true
	case b != nil:
		at := m.At[b]
		if at != m.Q && !m.StrictlyDominates(m.Q, at) {
			return false, true
		}
		return m.compareInside(insideCall{b, false}, returned(b, j), first) && !m.Loose, true
	}
	return false, false
}

// lookCall returns the call of a helper that a value is a result of, and which result;
// nil if it is none.
func (m *Matcher) lookCall(v ssa.Value) (*ssa.Call, int) {
	result := 0
	if extract, ok := v.(*ssa.Extract); ok {
		v, result = extract.Tuple, extract.Index
	}
	call, ok := v.(*ssa.Call)
	if !ok || !m.IsLook(call) || call.Call.StaticCallee() == nil || ssaflow.IsAtomicLoad(call) {
		return nil, 0
	}
	return call, result
}

// returned returns what a function returns, if it does so in one place, else nil.
func returned(call *ssa.Call, result int) ssa.Value {
	var found ssa.Value
	fn := call.Call.StaticCallee()
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || b == fn.Recover {
			continue
		}
		if found != nil || result >= len(ret.Results) {
			return nil
		}
		found = ret.Results[result]
	}
	if found == nil {
		return nil
	}
	return resultStored(found)
}

// resultStored returns the value of a result that is kept in a variable while deferred calls run;
// nil if the variable gets several.
func resultStored(result ssa.Value) ssa.Value {
	load, ok := result.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return result
	}
	variable, ok := load.X.(*ssa.Alloc)
	if !ok {
		return result
	}
	store := ssaflow.OnlyStore(variable)
	if store == nil {
		return nil
	}
	return store.Val
}

// compareInside compares what a helper returns with a value outside of it.
func (m *Matcher) compareInside(in insideCall, inner, outer ssa.Value) bool {
	if inner == nil || m.helper != nil {
		return false
	}
	m.helper = &in
	defer func() { m.helper = nil }()
	if in.isFirst {
		return m.equal(inner, outer)
	}
	return m.equal(outer, inner)
}

// equalToInner is equal where the values on one side are of a helper.
func (m *Matcher) equalToInner(first, second ssa.Value) bool {
	in := *m.helper
	inner, outer := first, second
	if !in.isFirst {
		inner, outer = second, first
	}
	if parameter, ok := inner.(*ssa.Parameter); ok {
		return m.equalArgument(in, parameter, outer)
	}
	if m.areSettled(in, inner, outer) {
		return m.sameOperands(first.(ssa.Instruction), second.(ssa.Instruction))
	}
	if instr, ok := inner.(ssa.Instruction); ok && (modref.IsRead(instr) || ssaflow.IsAtomicLoad(instr)) {
		return m.equalRead(in, inner, outer) && m.sameOperands(first.(ssa.Instruction), second.(ssa.Instruction))
	}
	switch inner.(type) {
	case ssa.Instruction, *ssa.Const, *ssa.Builtin:
		return m.sameOperation(first, second)
	}
	return inner == outer // a package variable or function
}

// areSettled tells whether a value in the helper and one outside are loads, the one outside
// of a field of an object of the checked type that nobody writes any more when others can
// reach the object, nor the unit itself between the looks. From the same address, they load
// the same value.
func (m *Matcher) areSettled(in insideCall, inner, outer ssa.Value) bool {
	a, ok := inner.(*ssa.UnOp)
	b, also := outer.(*ssa.UnOp)
	if !ok || !also || a.Op != token.MUL || b.Op != token.MUL || m.IsLook(b) {
		return false
	}
	cells := m.L.Graph.PointsTo(m.Node, b.X).Cells()
	if !m.isSettled(cells) {
		return false
	}
	if in.isFirst {
		return !m.isChanged(in.call, b, cells)
	}
	return !m.isChanged(b, in.call, cells)
}

// equalArgument compares an argument of the helper with a value outside of it.
func (m *Matcher) equalArgument(in insideCall, parameter *ssa.Parameter, outer ssa.Value) bool {
	for i, p := range parameter.Parent().Params {
		if p != parameter || i >= len(in.call.Call.Args) {
			continue
		}
		m.helper = nil
		defer func() { m.helper = &in }()
		if in.isFirst {
			return m.equal(in.call.Call.Args[i], outer)
		}
		return m.equal(outer, in.call.Call.Args[i])
	}
	return false
}

// equalRead tells whether a read in the helper and one outside are of one kind, both
// looks; which of the two looks is the one in question is noted.
func (m *Matcher) equalRead(in insideCall, inner, outer ssa.Value) bool {
	if !m.IsLook(outer) {
		return false
	}
	switch a := inner.(type) {
	case *ssa.UnOp:
		b, ok := outer.(*ssa.UnOp)
		if !ok || a.Op != b.Op {
			return false
		}
	case *ssa.Lookup:
		b, ok := outer.(*ssa.Lookup)
		if !ok || a.CommaOk != b.CommaOk {
			return false
		}
	case *ssa.Call:
		b, ok := outer.(*ssa.Call)
		if !ok || !sameCallee(a, b) {
			return false
		}
	default:
		return false
	}
	at := m.At[outer.(ssa.Instruction)]
	if in.isFirst {
		if at != m.Q && !m.StrictlyDominates(m.Q, at) {
			return false
		}
		if ssa.Value(in.call) == m.Read {
			m.Paired, m.AtQ = true, m.AtQ || at == m.Q
		}
	} else if outer == m.Read {
		m.Paired, m.AtQ = true, m.AtQ || m.At[in.call] == m.Q
	}
	return true
}

// sameCallee tells whether two calls are of the same built-in or known function.
func sameCallee(a, b *ssa.Call) bool {
	x, isBuiltin := a.Call.Value.(*ssa.Builtin)
	y, alsoBuiltin := b.Call.Value.(*ssa.Builtin)
	if isBuiltin || alsoBuiltin {
		return isBuiltin && alsoBuiltin && x.Name() == y.Name()
	}
	return a.Call.StaticCallee() != nil && a.Call.StaticCallee() == b.Call.StaticCallee()
}

// LooksInside tells whether a look is one of those that a helper makes, which was
// called for the first look.
func (m *Matcher) LooksInside(first, look ssa.Value) bool {
	call, _ := m.lookCall(first)
	if call == nil {
		return false
	}
	for _, b := range call.Call.StaticCallee().Blocks {
		for _, instr := range b.Instrs {
			if v, ok := instr.(ssa.Value); ok && modref.IsRead(instr) && m.compareInside(insideCall{call, true}, v, look) {
				return true
			}
		}
	}
	return false
}
