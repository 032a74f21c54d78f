package blocking

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A branch tells something of a number that is not known: that it is at least one. What is done so often is done then,
// as the start of workers of which a client says how many they are to be. That is the sign of a number, as in any sign
// analysis (Cousot and Cousot, POPL 1977): that a slice or a text is not empty is the sign of its length.

// positive is a number that is at least one, or a slice or text that is not empty. It is not known which.
type positive struct{}

// notEmpty is the length of a slice that has at least one element.
const notEmpty = -2

// mirrored is what is to be asked when the operands are exchanged, negated what holds if an answer is no.
var (
	mirrored = map[token.Token]token.Token{token.EQL: token.EQL, token.NEQ: token.NEQ, token.LSS: token.GTR,
		token.LEQ: token.GEQ, token.GTR: token.LSS, token.GEQ: token.LEQ}
	negated = map[token.Token]token.Token{token.EQL: token.NEQ, token.NEQ: token.EQL, token.LSS: token.GEQ,
		token.LEQ: token.GTR, token.GTR: token.LEQ, token.GEQ: token.LSS}
)

// isPositive tells whether a value is at least one, or a text that is not empty.
func isPositive(v value) bool {
	switch v := v.(type) {
	case positive:
		return true
	case number:
		if text, ok := stringOf(v); ok {
			return text != ""
		}
		return v.Kind() == constant.Int && constant.Sign(v.Value) > 0
	}
	return false
}

// comparedPositive compares something positive with a number, or with a text.
func comparedPositive(op token.Token, n number) value {
	k, ok := asInt(n)
	if text, isText := stringOf(n); isText {
		k, ok = 0, text == ""
	}
	switch {
	case !ok:
	case k <= 0 && (op == token.GTR || op == token.GEQ || op == token.NEQ), k == 1 && op == token.GEQ:
		return truth(true)
	case k <= 0 && (op == token.LSS || op == token.LEQ || op == token.EQL), k == 1 && op == token.LSS:
		return truth(false)
	}
	return nil
}

// learnFrom notes what a branch tells of the operands of its comparison. The state is where it branches.
func (l *lowerer) learnFrom(s *state, condition ssa.Value, is bool) {
	c, ok := condition.(*ssa.BinOp)
	if !ok {
		return
	}
	op := c.Op
	if !is {
		op = negated[op]
	}
	a := s.top()
	v, w := l.valueOf(a, c.X), l.valueOf(a, c.Y)
	l.learnOperand(s, c.X, v, op, w)
	l.learnOperand(s, c.Y, w, mirrored[op], v)
}

// learnOperand notes what it tells of a number that is not known how it compares with another one.
func (l *lowerer) learnOperand(s *state, r ssa.Value, v value, op token.Token, w value) {
	b, ok := r.Type().Underlying().(*types.Basic)
	if v != nil || !ok || b.Info()&types.IsInteger == 0 {
		return
	}
	k, isKnown := asInt(w)
	switch {
	case isPositive(w) && (op == token.GTR || op == token.GEQ || op == token.EQL):
	case isKnown && k == 0 && (op == token.GTR || op == token.NEQ && (b.Info()&types.IsUnsigned != 0 || isLength(r))):
	default:
		return
	}
	l.learnPositive(s, r)
}

// isLength tells whether a value is a length or a capacity.
func isLength(r ssa.Value) bool {
	call, ok := r.(*ssa.Call)
	if !ok {
		return false
	}
	b, ok := call.Call.Value.(*ssa.Builtin)
	return ok && (b.Name() == "len" || b.Name() == "cap")
}

// learnPositive notes that a value of which nothing was known is positive; so is what it is the length of, if that does
// not change, and memory that it has just been loaded from.
func (l *lowerer) learnPositive(s *state, r ssa.Value) {
	a := s.top()
	a.regs[r] = positive{}
	switch x := r.(type) {
	case *ssa.UnOp:
		if x.Op == token.MUL {
			l.learnStored(s, x)
		}
	case *ssa.Call:
		if b, ok := x.Call.Value.(*ssa.Builtin); !ok || b.Name() != "len" {
			return
		}
		of := x.Call.Args[0]
		switch of.Type().Underlying().(type) {
		case *types.Slice, *types.Basic:
		default:
			return
		}
		switch v := l.valueOf(a, of).(type) {
		case nil:
			l.learnPositive(s, of)
		case slice:
			if v.len == -1 {
				a.regs[of] = slice{v.pointer, v.from, notEmpty}
			}
		}
	}
}

// learnStored notes that memory of which nothing was known holds something positive: what was loaded, if nothing can
// have changed it since.
func (l *lowerer) learnStored(s *state, load *ssa.UnOp) {
	a := s.top()
	if load.Block() != a.block || l.isChosen(load) || l.quiet.readsForgotten(load) {
		return
	}
	isAfter := false
	for _, instr := range a.block.Instrs {
		if isAfter && mayChange(instr) {
			return
		}
		isAfter = isAfter || instr == load
	}
	p, ok := l.addressOf(a, load.X).(pointer)
	c := cell{p.to, p.path}
	if !ok || p.to.isMany || p.to.isForeign || l.known.shared[c] != nil && !l.isAlone(s) {
		return
	}
	if v, isStored := s.get(c); isStored && v == nil || !isStored && isSpoilt(s, c) {
		s.put(c, positive{})
	}
}

// mayChange tells whether an instruction may change memory, or let others do so.
func mayChange(instr ssa.Instruction) bool {
	switch x := instr.(type) {
	case *ssa.UnOp:
		return x.Op == token.ARROW
	case *ssa.Call:
		return !isLength(x)
	case *ssa.BinOp, *ssa.FieldAddr, *ssa.Field, *ssa.Extract, *ssa.Convert, *ssa.ChangeType, *ssa.DebugRef, *ssa.If:
		return false
	}
	return true
}

// addressOf computes an address of a field anew, if it is needed no more and has been dropped.
func (l *lowerer) addressOf(a *activation, v ssa.Value) value {
	if f, ok := v.(*ssa.FieldAddr); ok {
		if p, ok := l.addressOf(a, f.X).(pointer); ok {
			return pointer{p.to, join(p.path, fieldName(f.X.Type(), f.Field))}
		}
		return nil
	}
	return l.valueOf(a, v)
}
