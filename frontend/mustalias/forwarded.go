package mustalias

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// Two looks may be in two helpers of which one does what the other one does, and goes on
// where that is in order:
//
//	func (q *Queue) Check(i int) error { return q.check(i) }
//
//	func (q *Queue) Get(i int) ([]byte, error) {
//		if err := q.check(i); err != nil {
//			return nil, err
//		}
//		return q.entries[i], nil
//	}
//
// A result of both is what check returns. They are compared by that, and Get decides on it
// before it looks at anything else.

// forwarded is a result of a call, with the arguments of that in the caller.
type forwarded struct {
	fn     *ssa.Function
	result int
	args   []ssa.Value
}

// maxForwarding bounds how many helpers are looked into, one in the other.
const maxForwarding = 8

// forwardedBy returns the innermost call whose result a result of the call always is, and
// before which nothing is looked at.
func (m *Matcher) forwardedBy(call *ssa.Call, result int) forwarded {
	all := forwarded{call.Call.StaticCallee(), result, call.Call.Args}
	for range maxForwarding {
		inner, at := m.forwards(all.fn, all.result)
		if inner == nil {
			break
		}
		var args []ssa.Value
		for _, arg := range inner.Call.Args {
			args = append(args, all.args[slices.Index(all.fn.Params, arg.(*ssa.Parameter))])
		}
		all = forwarded{inner.Call.StaticCallee(), at, args}
	}
	return all
}

// forwards returns the call in a function, with parameters of that as its arguments, of
// which the function returns a result as its own: nil if there is none.
func (m *Matcher) forwards(fn *ssa.Function, result int) (call *ssa.Call, at int) {
	var value ssa.Value
	var nils []*ssa.BasicBlock // that return nil
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		switch {
		case !ok, b == fn.Recover:
		case fn.Recover != nil && !onlyDefersLocks(fn) || result >= len(ret.Results):
			return nil, 0
		case ssaflow.IsNil(ret.Results[result]):
			nils = append(nils, b)
		case value != nil && resultStored(ret.Results[result]) != value:
			return nil, 0
		default:
			value = resultStored(ret.Results[result])
		}
	}
	made := value
	if extract, ok := value.(*ssa.Extract); ok {
		made, at = extract.Tuple, extract.Index
	}
	call, ok := made.(*ssa.Call)
	if !ok || call.Call.StaticCallee() == nil || call.Block() != fn.Blocks[0] ||
		slices.ContainsFunc(call.Call.Args, func(arg ssa.Value) bool {
			return !isParameterOf(arg, fn)
		}) {
		return nil, 0
	}
	before := call.Block().Instrs[:slices.Index(call.Block().Instrs, ssa.Instruction(call))]
	if slices.ContainsFunc(before, func(instr ssa.Instruction) bool {
		return !isOnLock(instr) && !isOfOwnVariable(instr) && (!modref.IsPlain(instr) || modref.IsRead(instr))
	}) {
		return nil, 0
	}
	for _, b := range nils {
		if !isWhereNil(b, value) {
			return nil, 0
		}
	}
	after := call.Block().Instrs[len(before)+1:]
	if !returnsAtOnce(call.Block(), value) && (branches(fn) || slices.ContainsFunc(after, looksOrYields)) {
		return nil, 0
	}
	return call, at
}

// looksOrYields tells whether the instruction may read memory, or do anything but compute, and
// take and release locks.
func looksOrYields(instr ssa.Instruction) bool {
	if _, runs := instr.(*ssa.RunDefers); runs && onlyDefersLocks(instr.Parent()) || isOnLock(instr) ||
		isOfOwnVariable(instr) {
		return false
	}
	return modref.IsRead(instr) || ssaflow.MayYield(instr)
}

// isOfOwnVariable tells whether the instruction makes a variable that only its function uses, or
// loads it or stores to it.
func isOfOwnVariable(instr ssa.Instruction) bool {
	switch v := instr.(type) {
	case *ssa.Alloc:
		return ssaflow.IsOwnVariable(v)
	case *ssa.UnOp:
		return v.Op == token.MUL && ssaflow.OwnVariableOf(v.X) != nil
	case *ssa.Store:
		return ssaflow.OwnVariableOf(v.Addr) != nil
	}
	return false
}

// branches tells whether a function has several blocks, but for that of a recovery.
func branches(fn *ssa.Function) bool {
	return slices.ContainsFunc(fn.Blocks[1:], func(b *ssa.BasicBlock) bool { return b != fn.Recover })
}

// isOnLock tells whether the instruction is an operation on a lock, or defers one. (A try, whose
// result is looked at, is none.)
func isOnLock(instr ssa.Instruction) bool {
	call, ok := instr.(ssa.CallInstruction)
	if !ok || call.Common().StaticCallee() == nil {
		return false
	}
	_, isGo := instr.(*ssa.Go)
	op, ok := knowledge.LockOperation(call.Common().StaticCallee())
	return ok && !isGo &&
		(op == knowledge.Lock || op == knowledge.RLock || op == knowledge.Unlock || op == knowledge.RUnlock)
}

// onlyDefersLocks tells whether a function defers nothing but operations on locks, so that it
// recovers from nothing.
func onlyDefersLocks(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if d, ok := instr.(*ssa.Defer); ok && !isOnLock(d) {
				return false
			}
		}
	}
	return true
}

func isParameterOf(v ssa.Value, fn *ssa.Function) bool {
	p, ok := v.(*ssa.Parameter)
	return ok && slices.Contains(fn.Params, p)
}

// isWhereNil tells whether a block is executed only where the value was found to be nil.
func isWhereNil(b *ssa.BasicBlock, value ssa.Value) bool {
	for ; b != nil; b = b.Idom() {
		if outer := b.Idom(); outer != nil && len(b.Preds) == 1 && b.Preds[0] == outer &&
			ssaflow.WayIfNil(outer, value) == b {
			return true
		}
	}
	return false
}

// returnsAtOnce tells whether the block, after it has made the value, ends by asking whether
// that is nil, and the function returns at once if it is not.
func returnsAtOnce(b *ssa.BasicBlock, value ssa.Value) bool {
	way := ssaflow.WayIfNil(b, value)
	if way == nil || slices.ContainsFunc(b.Instrs[slices.Index(b.Instrs, ssaflow.MadeBy(value))+1:], looksOrYields) {
		return false
	}
	other := b.Succs[0]
	if other == way {
		other = b.Succs[1]
	}
	_, returns := other.Instrs[len(other.Instrs)-1].(*ssa.Return)
	return returns && !slices.ContainsFunc(other.Instrs, looksOrYields)
}

// sameForwarded compares a result of one helper with one of another, by what both forward.
func (m *Matcher) sameForwarded(a *ssa.Call, i int, b *ssa.Call, j int) bool {
	at := m.At[b]
	if at != m.Q && !m.StrictlyDominates(m.Q, at) {
		return false
	}
	first, second := m.forwardedBy(a, i), m.forwardedBy(b, j)
	if first.fn != second.fn || first.result != second.result || len(first.args) != len(second.args) {
		return false
	}
	for k := range first.args {
		if !m.equal(first.args[k], second.args[k]) {
			return false
		}
	}
	if ssa.Value(a) == m.Read {
		m.Paired, m.AtQ = true, m.AtQ || at == m.Q
	}
	m.decider = b
	return true
}

// DecidesInside returns the helper in which the second question is decided, before the helper looks
// at anything else; nil if there is none.
func (m *Matcher) DecidesInside(second Question) *ssa.Call {
	if m.decider == nil || second.Op != token.EQL || !ssaflow.IsNil(second.Y) {
		return nil
	}
	if call, _ := m.lookCall(second.X); call == m.decider {
		return call
	}
	return nil
}
