package mustalias

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// Question is what a branch asks: whether X equals Y or is less, or, where Y is nil, whether X
// is true. Conditions that ask the same, or the opposite, are one question: a != b and a == b,
// a >= b and a < b, len(a) > 0 and len(a) == 0, ok == false and ok.
type Question struct {
	Op   token.Token // EQL, LSS, or LEQ of numbers that may be none; 0: of one value
	X, Y ssa.Value
	In   *ssa.Call // the helper that X and Y are values of; nil: they are of the function itself
}

// Ask returns what a condition asks, and whether it is true if the answer is no.
func Ask(cond ssa.Value) (q Question, negated bool) {
	if not, ok := cond.(*ssa.UnOp); ok && not.Op == token.NOT {
		q, negated = Ask(not.X)
		return q, !negated
	}
	if comparison, ok := cond.(*ssa.BinOp); ok {
		return compare(comparison.Op, comparison.X, comparison.Y)
	}
	return Question{X: cond}, false
}

func compare(op token.Token, x, y ssa.Value) (q Question, negated bool) {
	switch op {
	case token.NEQ:
		q, negated = compare(token.EQL, x, y)
		return q, !negated
	case token.GTR:
		return compare(token.LSS, y, x)
	case token.GEQ:
		return compare(token.LEQ, y, x)
	case token.LEQ:
		if isOrdered(x.Type()) {
			q, negated = compare(token.LSS, y, x)
			return q, !negated
		}
	case token.EQL:
		if _, ok := x.(*ssa.Const); ok {
			x, y = y, x
		}
		if ssaflow.IsTrue(y) || ssaflow.IsFalse(y) {
			q, negated = Ask(x)
			return q, negated != ssaflow.IsFalse(y)
		}
	case token.LSS:
		switch {
		case ssaflow.IsInt(x, 0) && isNeverNegative(y):
			return Question{Op: token.EQL, X: y, Y: x}, true
		case ssaflow.IsInt(y, 1) && isNeverNegative(x):
			zero := ssa.NewConst(constant.MakeInt64(0), y.Type())
			return Question{Op: token.EQL, X: x, Y: zero}, false
		}
	}
	return Question{Op: op, X: x, Y: y}, false
}

// isOrdered tells whether of two values of the type that are not equal one is less. (NaN is not.)
func isOrdered(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsInteger|types.IsString) != 0
}

// isNeverNegative tells whether the value is a length, or of a type without a sign.
func isNeverNegative(v ssa.Value) bool {
	if call, ok := v.(*ssa.Call); ok && (ssaflow.IsBuiltin(call, "len") || ssaflow.IsBuiltin(call, "cap")) {
		return true
	}
	b, ok := v.Type().Underlying().(*types.Basic)
	return ok && b.Info()&types.IsUnsigned != 0
}

// SameQuestion tells whether two questions ask the same, the second one of what was read
// again. Either may be asked in a helper.
func (m *Matcher) SameQuestion(first, second Question) bool {
	if first.Op != second.Op || (first.Y == nil) != (second.Y == nil) {
		return false
	}
	ok := m.sameValue(first, second, first.X, second.X)
	if ok && first.Y != nil {
		ok = m.sameValue(first, second, first.Y, second.Y)
	}
	if !ok && first.Op == token.EQL {
		ok = m.sameValue(first, second, first.X, second.Y) && m.sameValue(first, second, first.Y, second.X)
	}
	m.Strict = !m.Loose
	return ok && (m.Strict || first.In == nil && second.In == nil)
}

// sameValue compares a value of one question with one of the other.
func (m *Matcher) sameValue(first, second Question, x, y ssa.Value) bool {
	switch {
	case first.In == nil && second.In == nil:
		return m.equal(x, y)
	case first.In != nil && second.In != nil:
		return x == y && m.equal(first.In, second.In)
	case first.In != nil:
		return m.compareInside(insideCall{first.In, true}, x, y)
	}
	return m.isAgain(second.In) && m.compareInside(insideCall{second.In, false}, y, x)
}

// isAgain tells whether the instruction is executed at place q or after it.
func (m *Matcher) isAgain(instr ssa.Instruction) bool {
	at := m.At[instr]
	return at == m.Q || m.StrictlyDominates(m.Q, at)
}
