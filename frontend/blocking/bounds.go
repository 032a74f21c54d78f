package blocking

import (
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// A branch tells something of a number that is not known: that it is at least one, or at most so many. What is done so
// often is done then, as the start of workers of which a client says how many they are to be. These are the bounds of
// an interval (Cousot and Cousot, POPL 1977); those of the length of a slice or a text are bounds of that.
//
// Who leaves a loop that counts up to a number knows that number: so other loops that count up to it run as often, as
// where one goroutine is started for each element of a list, and then one value is received for each. That is told
// apart for small numbers, and where loops that count up to them do something that the model has; else all that matters
// is whether they run. Nothing is known of the length of another list, nor of one that has become longer: that is
// another value.

// bounded is a number that is not known, or a slice or text that is not known, with the bounds of the number, or of the
// length. Where they are the same, it is a slice or a text.
type bounded struct{ low, high int }

// unbounded is the upper bound where there is none. Lower bounds are told apart up to maxBound.
const (
	unbounded = math.MaxInt
	maxBound  = 3
)

// notEmpty is the length of a slice that has at least one element.
const notEmpty = -2

// atLeastOne is the functions of the standard library that return a number which is at least one.
var atLeastOne = map[string]bool{"runtime.NumCPU": true, "runtime.GOMAXPROCS": true, "runtime.NumGoroutine": true}

// mirrored is what is to be asked when the operands are exchanged, negated what holds if an answer is no.
var (
	mirrored = map[token.Token]token.Token{token.EQL: token.EQL, token.NEQ: token.NEQ, token.LSS: token.GTR,
		token.LEQ: token.GEQ, token.GTR: token.LSS, token.GEQ: token.LEQ}
	negated = map[token.Token]token.Token{token.EQL: token.NEQ, token.NEQ: token.EQL, token.LSS: token.GEQ,
		token.LEQ: token.GTR, token.GTR: token.LEQ, token.GEQ: token.LSS}
)

// isPositive tells whether a value is at least one, or a slice or text that is not empty.
func isPositive(v value) bool {
	switch v := v.(type) {
	case bounded:
		return v.low > 0
	case number:
		if text, ok := stringOf(v); ok {
			return text != ""
		}
		return v.Kind() == constant.Int && constant.Sign(v.Value) > 0
	}
	return false
}

// small is what is told apart of bounds; ok is false if that is nothing.
func (b bounded) small() (is bounded, ok bool) {
	if b.low = min(b.low, maxBound); b.high > maxBound {
		b.high = unbounded
	}
	return b, b.low > 0 || b.high != unbounded
}

// plus is the sum of two lengths.
func (b bounded) plus(c bounded) bounded {
	if b.high == unbounded || c.high == unbounded {
		return bounded{b.low + c.low, unbounded}
	}
	return bounded{b.low + c.low, b.high + c.high}
}

// lengthOf returns what is known of the length of a slice.
func lengthOf(v value) bounded {
	switch v := v.(type) {
	case nothing:
		return bounded{0, 0}
	case bounded:
		return bounded{max(0, v.low), v.high}
	case slice:
		switch {
		case v.len >= 0:
			return bounded{v.len, v.len}
		case v.len == notEmpty:
			return bounded{1, unbounded}
		}
	}
	return bounded{0, unbounded}
}

// compared compares it with a number, or a text with one.
func (b bounded) compared(op token.Token, n number) value {
	k, ok := asInt(n)
	if text, isText := stringOf(n); isText { // how they compare is known of lengths for the empty one only
		k, ok = 0, text == ""
	}
	if !ok {
		return nil
	}
	always := func(is, isNot bool) value {
		if is || isNot {
			return truth(is)
		}
		return nil
	}
	switch op {
	case token.LSS:
		return always(b.high < k, b.low >= k)
	case token.LEQ:
		return always(b.high <= k, b.low > k)
	case token.GTR:
		return always(b.low > k, b.high <= k)
	case token.GEQ:
		return always(b.low >= k, b.high < k)
	case token.EQL:
		return always(b.low == k && b.high == k, b.low > k || b.high < k)
	case token.NEQ:
		return always(b.low > k || b.high < k, b.low == k && b.high == k)
	}
	return nil
}

// learnFrom notes what a branch tells of the operands of its comparison. The state is where it branches.
func (l *lowerer) learnFrom(s *state, x *ssa.If, is bool) {
	c, ok := x.Cond.(*ssa.BinOp)
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
	if ssaflow.IsError(c.X.Type()) {
		l.keepLoaded(s, x, c)
	}
}

// keepLoaded notes what is known of an error that has just been loaded in the memory that it is from, if nobody else
// uses that: literals that are called later see it there.
func (l *lowerer) keepLoaded(s *state, x *ssa.If, c *ssa.BinOp) {
	a := s.top()
	load, ok := c.X.(*ssa.UnOp)
	if !ok || load.Op != token.MUL || a.regs[load] == nil || load.Block() != x.Block() {
		return
	}
	instrs := x.Block().Instrs
	if n := len(instrs); n < 3 || instrs[n-2] != ssa.Instruction(c) || instrs[n-3] != ssa.Instruction(load) {
		return
	}
	p, ok := l.valueOf(a, load.X).(pointer)
	if at := (cell{p.to, p.path}); ok && !p.to.isMany && l.known.shared[at] == nil && !l.known.sharedObjects[p.to] {
		s.put(at, a.regs[load])
	}
}

// someError is an error of which nothing is known but that it is one.
func (l *lowerer) someError() value {
	o := l.object("some error", "error")
	o.isMany = true
	return pointer{o, "error"}
}

// learnOperand notes what it tells of a number, or an error, that is not known how it compares with another one.
func (l *lowerer) learnOperand(s *state, r ssa.Value, v value, op token.Token, w value) {
	if _, isNil := w.(nothing); isNil && v == nil && op == token.NEQ && ssaflow.IsError(r.Type()) {
		s.top().regs[r] = l.someError()
		return
	}
	t, ok := r.Type().Underlying().(*types.Basic)
	was, isBounded := v.(bounded)
	if v != nil && !isBounded || !ok || t.Info()&types.IsInteger == 0 {
		return
	}
	if v == nil {
		was = bounded{math.MinInt, unbounded}
		if t.Info()&types.IsUnsigned != 0 || isLength(r) {
			was.low = 0
		}
	}
	least, most := math.MinInt, unbounded // of the other one
	if k, isKnown := asInt(w); isKnown {
		least, most = k, k
	} else if b, ok := w.(bounded); ok {
		least, most = b.low, b.high
	}
	is := was
	switch op {
	case token.GTR:
		is.low = max(is.low, least+1)
	case token.GEQ:
		is.low = max(is.low, least)
	case token.LSS:
		is.high = min(is.high, most-1)
	case token.LEQ:
		is.high = min(is.high, most)
	case token.EQL:
		is.low, is.high = max(is.low, least), min(is.high, most)
	case token.NEQ:
		if least == most && is.low == least {
			is.low++
		}
	}
	if !l.isCountedTo(r) {
		is.low, is.high = min(is.low, 1), unbounded
	}
	if is != was {
		l.learnBounds(s, r, is)
	}
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

// learnBounds notes the bounds of a value; they are those of what it is the length of, if that does not change, and of
// memory that it has been loaded from. Small bounds are told apart.
func (l *lowerer) learnBounds(s *state, r ssa.Value, is bounded) {
	a := s.top()
	is, ok := is.small()
	if !ok {
		return
	}
	isExact := is.low == is.high
	if _, isNumber := r.Type().Underlying().(*types.Basic); isExact && isNumber && !isText(r.Type()) {
		a.regs[r] = integer(is.low)
	} else {
		a.regs[r] = is
	}
	switch x := r.(type) {
	case *ssa.UnOp:
		if x.Op == token.MUL {
			l.learnStored(s, x, a.regs[r])
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
		case nil, bounded:
			l.learnBounds(s, of, is)
		case slice:
			if v.len >= 0 {
				return
			}
			a.regs[of] = slice{v.pointer, v.from, notEmpty}
			if isExact {
				a.regs[of] = slice{v.pointer, v.from, is.low}
			}
			if load, ok := of.(*ssa.UnOp); ok && load.Op == token.MUL {
				l.learnStored(s, load, a.regs[of])
			}
		}
	}
}

func isText(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// learnStored notes that memory of which less was known holds a value: that which was loaded, if nothing can have
// changed it since.
func (l *lowerer) learnStored(s *state, load *ssa.UnOp, is value) {
	a := s.top()
	if l.isChosen(load) || l.quiet.readsForgotten(load) {
		return
	}
	if !ssaflow.IsAssignedOnce(load.X) {
		if load.Block() != a.block {
			return
		}
		isAfter := false
		for _, instr := range a.block.Instrs {
			if isAfter && mayChange(instr) {
				return
			}
			isAfter = isAfter || instr == load
		}
	}
	p, ok := l.addressOf(a, load.X).(pointer)
	c := cell{p.to, p.path}
	if !ok || p.to.isMany || p.to.isForeign || l.known.shared[c] != nil && !l.isAlone(s) {
		return
	}
	v, isStored := s.get(c)
	switch v.(type) {
	case bounded, slice:
		s.put(c, is)
	case nil:
		if isStored || isSpoilt(s, c) {
			s.put(c, is)
		}
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

// isCountedTo tells whether loops count up to a value that do something which the model has, or to the length of the
// same list.
func (l *lowerer) isCountedTo(r ssa.Value) bool {
	of, ok := r.(ssa.Instruction)
	var fn *ssa.Function
	if ok {
		fn = of.Parent()
	} else if p, ok := r.(*ssa.Parameter); ok {
		fn = p.Parent()
	} else {
		return false
	}
	all := ssaflow.Remember(l.counts, fn, func() []ssa.Value { return l.boundsOf(fn) })
	return slices.ContainsFunc(all, func(v ssa.Value) bool { return v == r || isSameLength(v, r) })
}

// boundsOf returns what counters are compared with at the ends of such loops of a function.
func (l *lowerer) boundsOf(fn *ssa.Function) (all []ssa.Value) {
	for _, loop := range ssaflow.NaturalLoops(fn) {
		if !l.acts(loop) {
			continue
		}
		for b := range loop {
			branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
			if !ok || loop[b.Succs[0]] && loop[b.Succs[1]] {
				continue
			}
			if c, ok := branch.Cond.(*ssa.BinOp); ok {
				all = append(all, c.X, c.Y)
			}
		}
	}
	return slices.DeleteFunc(all, func(v ssa.Value) bool {
		_, isCounter := v.(*ssa.Phi)
		return isCounter
	})
}

// acts tells whether something in a loop is what the model has, or calls that.
func (l *lowerer) acts(loop map[*ssa.BasicBlock]bool) bool {
	for b := range loop {
		for _, instr := range b.Instrs {
			switch x := instr.(type) {
			case *ssa.Send, *ssa.Select, *ssa.Go:
				return true
			case *ssa.UnOp:
				if x.Op == token.ARROW {
					return true
				}
			case *ssa.Call:
				if l.quiet.isActing(&x.Call) {
					return true
				}
			}
		}
	}
	return false
}

// isActing tells whether a call may do something that the model has.
func (q *quiet) isActing(call *ssa.CallCommon) bool {
	if b, ok := call.Value.(*ssa.Builtin); ok {
		return b.Name() == "close"
	}
	fn := call.StaticCallee()
	if fn == nil {
		return !q.callsLeftOut(call)
	}
	t := q.functions[fn]
	return isSynchronisation(fn) || t != nil && t.acts
}

// isSameLength tells whether two values are lengths of one list: of one value, or of what is in a variable that is
// assigned once.
func isSameLength(v, w ssa.Value) bool {
	x, y := ssaflow.LengthOf(v), ssaflow.LengthOf(w)
	return x != nil && y != nil && ssaflow.IsSamePointer(x, y)
}
