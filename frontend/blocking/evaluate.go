package blocking

import (
	"go/constant"
	"go/token"
	"go/types"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
)

// outcome is a way on from an instruction: what the model does, and the state after it. The value is that of the
// instruction.
type outcome struct {
	stmts []esl.Stmt
	state *state
	value value
}

// branching is how outcomes are chosen.
type branching uint8

const (
	one     branching = iota // there is one, or the first statements of all exclude each other
	guessed                  // any of them
	waiting                  // one whose first statement can be executed
	passing                  // the same, or the last one
	never                    // none: the goroutine goes no further
)

// effect is what an instruction does.
type effect struct {
	branching branching
	outcomes  []outcome
}

// plain is the effect that sets the register of the instruction.
func plain(s *state, r ssa.Value, v value) effect {
	s.set(r, v)
	return effect{outcomes: []outcome{{state: s}}}
}

// valueOf returns what is known of an operand.
func (l *lowerer) valueOf(a *activation, v ssa.Value) value {
	switch v := v.(type) {
	case *ssa.Const:
		if v.Value == nil {
			return zero(v.Type())
		}
		return number{normal(v.Value, v.Type())}
	case *ssa.Global:
		return pointer{l.global(v), ""}
	case *ssa.Function:
		return closure{fn: v}
	case *ssa.Builtin:
		return nil
	}
	return a.regs[v]
}

// normal is a constant as a value of a type.
func normal(c constant.Value, t types.Type) constant.Value {
	if b, ok := t.Underlying().(*types.Basic); ok && b.Info()&types.IsInteger != 0 {
		if i := constant.ToInt(c); i.Kind() == constant.Int {
			return i
		}
	}
	return c
}

// evaluate executes the instruction at which a state is, and steps behind it.
func (l *lowerer) evaluate(s *state) effect {
	a := s.top()
	instr := a.block.Instrs[a.at]
	get := func(v ssa.Value) value { return l.valueOf(a, v) }
	switch x := instr.(type) {
	case *ssa.If:
		return l.branch(s, x)
	case *ssa.Jump:
		l.enter(s, a.block.Succs[0])
		return effect{outcomes: []outcome{{state: s}}}
	case *ssa.Return:
		return l.returns(s, x)
	case *ssa.Panic:
		s.ended = true
		return effect{outcomes: []outcome{{stmts: []esl.Stmt{{Op: esl.Exit, Pos: l.position(x)}}, state: s}}}
	case *ssa.RunDefers:
		if n := len(a.defers); n > 0 {
			d := a.defers[n-1]
			a.defers = a.defers[:n-1]
			return l.call(s, d.at, d.fn, d.args, nil)
		}
		a.at++
		return effect{outcomes: []outcome{{state: s}}}
	}
	if l.isNilUsed(a, instr) {
		s.ended = true
		return effect{outcomes: []outcome{{stmts: []esl.Stmt{{Op: esl.Exit, Pos: l.position(instr)}}, state: s}}}
	}
	a.at++
	switch x := instr.(type) {
	case *ssa.Alloc:
		o := l.make(s, x, allocName(x))
		l.clearObject(s, o)
		return plain(s, x, pointer{o, ""})
	case *ssa.BinOp:
		return plain(s, x, l.binary(x, get(x.X), get(x.Y)))
	case *ssa.UnOp:
		return l.unary(s, x, get(x.X))
	case *ssa.ChangeType:
		return plain(s, x, get(x.X))
	case *ssa.ChangeInterface:
		return plain(s, x, get(x.X))
	case *ssa.Convert:
		return plain(s, x, converted(get(x.X), x.Type()))
	case *ssa.MakeInterface:
		return plain(s, x, boxed{x.X.Type(), get(x.X)})
	case *ssa.TypeAssert:
		return l.assert(s, x, get(x.X))
	case *ssa.MakeClosure:
		c := closure{fn: x.Fn.(*ssa.Function)}
		for _, b := range x.Bindings {
			c.bindings = append(c.bindings, get(b))
		}
		return plain(s, x, c)
	case *ssa.MakeChan:
		o := l.make(s, x, nameFor(x))
		if n, ok := asInt(get(x.Size)); ok {
			o.capacity = n
		} else {
			o.capacity = -1
		}
		return plain(s, x, pointer{o, ""})
	case *ssa.MakeMap:
		o := l.make(s, x, "map")
		l.clearObject(s, o)
		return plain(s, x, pointer{o, ""})
	case *ssa.MakeSlice:
		o := l.make(s, x, "slice")
		l.clearObject(s, o)
		n, ok := asInt(get(x.Len))
		if !ok {
			n = -1
		}
		return plain(s, x, slice{pointer{o, ""}, 0, n})
	case *ssa.FieldAddr:
		if p, ok := get(x.X).(pointer); ok {
			return plain(s, x, pointer{p.to, join(p.path, fieldName(x.X.Type(), x.Field))})
		}
	case *ssa.Field:
		if fields, ok := get(x.X).(several); ok && x.Field < len(fields) {
			return plain(s, x, fields[x.Field])
		}
	case *ssa.Extract:
		if all, ok := get(x.Tuple).(several); ok && x.Index < len(all) {
			return plain(s, x, all[x.Index])
		}
	case *ssa.IndexAddr:
		return plain(s, x, element(get(x.X), get(x.Index)))
	case *ssa.Slice:
		return plain(s, x, l.sliced(x, get))
	case *ssa.Lookup:
		return l.lookup(s, x, get(x.X), get(x.Index))
	case *ssa.MapUpdate:
		if p, ok := get(x.Map).(pointer); ok {
			if k := get(x.Key); k != nil {
				return l.store(s, pointer{p.to, join(p.path, "["+keyOf(k)+"]")}, x.Value.Type(), get(x.Value))
			}
			l.spoil(s, p)
		}
		return effect{outcomes: []outcome{{state: s}}}
	case *ssa.Store:
		if p, ok := get(x.Addr).(pointer); ok {
			return l.store(s, p, x.Val.Type(), get(x.Val))
		}
		l.guess(x, "which memory is written")
		return effect{outcomes: []outcome{{state: s}}}
	case *ssa.Call:
		return l.call(s, x, get(x.Call.Value), l.arguments(a, x), x)
	case *ssa.Defer:
		a.defers = append(a.defers, deferred{x, get(x.Call.Value), l.arguments(a, x)})
		return effect{outcomes: []outcome{{state: s}}}
	case *ssa.Go:
		return l.goes(s, x, get(x.Call.Value), l.arguments(a, x))
	case *ssa.Send:
		return l.send(s, x, get(x.Chan), get(x.X))
	case *ssa.Select:
		return l.selects(s, x)
	}
	if v, ok := instr.(ssa.Value); ok {
		return plain(s, v, nil)
	}
	return effect{outcomes: []outcome{{state: s}}}
}

// isNilUsed tells whether an instruction panics as what it uses is nil.
func (l *lowerer) isNilUsed(a *activation, instr ssa.Instruction) bool {
	var used ssa.Value
	switch x := instr.(type) {
	case *ssa.FieldAddr:
		used = x.X
	case *ssa.Store:
		used = x.Addr
	case *ssa.MapUpdate:
		used = x.Map
	case *ssa.UnOp:
		if x.Op != token.MUL {
			return false
		}
		used = x.X
	case *ssa.Call:
		if !x.Call.IsInvoke() {
			return false
		}
		used = x.Call.Value
	default:
		return false
	}
	_, isNil := l.valueOf(a, used).(nothing)
	return isNil
}

// enter goes to a block, and gives its phis their values.
func (l *lowerer) enter(s *state, to *ssa.BasicBlock) {
	a := s.top()
	k := 0
	for to.Preds[k] != a.block {
		k++
	}
	values := map[ssa.Value]value{}
	n := firstAfterPhis(to)
	for _, instr := range to.Instrs[:n] {
		phi := instr.(*ssa.Phi)
		values[phi] = l.valueOf(a, phi.Edges[k])
	}
	for phi, v := range values {
		a.regs[phi] = v
	}
	a.block, a.at = to, n
}

// branch goes to one of two blocks. What was compared is known then.
func (l *lowerer) branch(s *state, x *ssa.If) effect {
	a := s.top()
	if is, ok := asBool(l.valueOf(a, x.Cond)); ok {
		l.enter(s, a.block.Succs[map[bool]int{true: 0, false: 1}[is]])
		return effect{outcomes: []outcome{{state: s}}}
	}
	l.guesses[Guess{Pos: l.positionOf(x), What: "which way the branch goes", IsBranch: true}] = true
	e := effect{branching: guessed}
	for i, to := range a.block.Succs {
		t := s.clone()
		b := t.top()
		b.guessed = true
		b.regs[x.Cond] = truth(i == 0)
		if c, ok := x.Cond.(*ssa.BinOp); ok && (c.Op == token.EQL) == (i == 0) && (c.Op == token.EQL || c.Op == token.NEQ) {
			if k, ok := c.Y.(*ssa.Const); ok && b.regs[c.X] == nil {
				b.regs[c.X] = l.valueOf(b, k)
			}
		}
		l.enter(t, to)
		e.outcomes = append(e.outcomes, outcome{state: t})
	}
	return e
}

// returns ends an activation.
func (l *lowerer) returns(s *state, x *ssa.Return) effect {
	a := s.top()
	var v value
	switch len(x.Results) {
	case 0:
	case 1:
		v = l.valueOf(a, x.Results[0])
	default:
		all := several{}
		for _, r := range x.Results {
			all = append(all, l.valueOf(a, r))
		}
		v = all
	}
	s.stack = s.stack[:len(s.stack)-1]
	if len(s.stack) > 0 {
		s.set(a.result, v)
	}
	return effect{outcomes: []outcome{{stmts: a.after, state: s}}}
}

func (l *lowerer) unary(s *state, x *ssa.UnOp, v value) effect {
	switch x.Op {
	case token.MUL:
		if l.isChosen(x) { // it may take any time
			s.set(x, nil)
			return effect{outcomes: []outcome{{stmts: []esl.Stmt{{Op: esl.Skip}}, state: s}}}
		}
		p, ok := v.(pointer)
		if !ok {
			return plain(s, x, nil)
		}
		return l.loadInto(s, p, x.Type(), x)
	case token.ARROW:
		return l.receive(s, x, v)
	case token.NOT:
		if is, ok := asBool(v); ok {
			return plain(s, x, truth(!is))
		}
	case token.SUB, token.XOR:
		if n, ok := v.(number); ok && n.Kind() == constant.Int {
			return plain(s, x, wrapped(constant.UnaryOp(x.Op, n.Value, 0), x.Type()))
		}
	}
	return plain(s, x, nil)
}

// isChosen tells whether an instruction asks what a client does next: a variable of which the value may be anything, on
// which a branch depends.
func (l *lowerer) isChosen(x *ssa.UnOp) bool {
	g, ok := x.X.(*ssa.Global)
	return ok && l.c.IsUnknown != nil && l.c.IsUnknown(g) && l.matters(x) && l.c.IsClient(x.Parent())
}

// binary computes an operation on what is known.
func (l *lowerer) binary(x *ssa.BinOp, v, w value) value {
	m, ok1 := v.(number)
	n, ok2 := w.(number)
	if !ok1 || !ok2 {
		return compared(x.Op, v, w)
	}
	if m.Kind() == constant.Unknown || n.Kind() == constant.Unknown {
		return nil
	}
	switch x.Op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		if (m.Kind() == constant.Bool) != (n.Kind() == constant.Bool) ||
			(m.Kind() == constant.String) != (n.Kind() == constant.String) {
			return nil
		}
		return truth(constant.Compare(m.Value, x.Op, n.Value))
	case token.SHL, token.SHR:
		k, ok := constant.Uint64Val(n.Value)
		if !ok || k > 64 || m.Kind() != constant.Int {
			return nil
		}
		return wrapped(constant.Shift(m.Value, x.Op, uint(k)), x.Type())
	case token.QUO, token.REM:
		if n.Kind() != constant.Int || m.Kind() != constant.Int || constant.Sign(n.Value) == 0 {
			return nil
		}
		op := x.Op
		if op == token.QUO {
			op = token.QUO_ASSIGN // of integers
		}
		return wrapped(constant.BinaryOp(m.Value, op, n.Value), x.Type())
	}
	if m.Kind() == constant.String && n.Kind() == constant.String {
		if x.Op == token.ADD && len(constant.StringVal(m.Value))+len(constant.StringVal(n.Value)) < 200 {
			return number{constant.BinaryOp(m.Value, x.Op, n.Value)}
		}
		return nil
	}
	if m.Kind() == constant.Int && n.Kind() == constant.Int {
		return wrapped(constant.BinaryOp(m.Value, x.Op, n.Value), x.Type())
	}
	return nil
}

// wrapped is a number that fits its type, else nothing is known.
func wrapped(c constant.Value, t types.Type) value {
	b, ok := t.Underlying().(*types.Basic)
	if !ok || b.Info()&types.IsInteger == 0 || c.Kind() != constant.Int {
		return nil
	}
	if n, ok := constant.Int64Val(c); !ok || n > 1<<30 || n < -1<<30 || b.Info()&types.IsUnsigned != 0 && n < 0 ||
		(b.Kind() == types.Int8 || b.Kind() == types.Uint8) && (n > 127 || n < -128) {
		return nil
	}
	return number{c}
}

// compared compares what is no number.
func compared(op token.Token, v, w value) value {
	if op != token.EQL && op != token.NEQ || v == nil || w == nil {
		return nil
	}
	_, none1 := v.(nothing)
	_, none2 := w.(nothing)
	p, ok1 := v.(pointer)
	q, ok2 := w.(pointer)
	switch {
	case none1 && none2:
		return truth(op == token.EQL)
	case none1 || none2:
		return truth(op == token.NEQ)
	case ok1 && ok2 && !p.to.isMany && !q.to.isMany:
		return truth((p.to == q.to && p.path == q.path) == (op == token.EQL))
	}
	b, ok1 := v.(boxed)
	c, ok2 := w.(boxed)
	if ok1 && ok2 && types.Identical(b.dynamic, c.dynamic) {
		return compared(op, b.value, c.value)
	}
	if m, ok := v.(number); ok {
		if n, ok := w.(number); ok && m.Kind() == n.Kind() {
			return truth(constant.Compare(m.Value, op, n.Value))
		}
	}
	return nil
}

// converted converts a number to a type.
func converted(v value, t types.Type) value {
	n, ok := v.(number)
	if !ok {
		if _, isNil := v.(nothing); isNil {
			return v
		}
		return nil
	}
	b, isBasic := t.Underlying().(*types.Basic)
	switch {
	case !isBasic:
		return nil
	case b.Info()&types.IsInteger != 0 && n.Kind() == constant.Int:
		return wrapped(n.Value, t)
	case b.Info()&types.IsString != 0 && n.Kind() == constant.String:
		return n
	case b.Info()&types.IsFloat != 0 && n.Kind() == constant.Int:
		return number{constant.ToFloat(n.Value)}
	}
	return nil
}

// assert is a type assertion.
func (l *lowerer) assert(s *state, x *ssa.TypeAssert, v value) effect {
	var result value
	ok, known := false, true
	switch b := v.(type) {
	case boxed:
		if types.IsInterface(x.AssertedType) {
			ok = types.AssertableTo(x.AssertedType.Underlying().(*types.Interface), b.dynamic) &&
				types.Implements(b.dynamic, x.AssertedType.Underlying().(*types.Interface))
			result = b
		} else {
			ok = types.Identical(b.dynamic, x.AssertedType)
			result = b.value
		}
	case nothing:
	default:
		known = false
	}
	if !x.CommaOk {
		return plain(s, x, result)
	}
	switch {
	case !known:
		return plain(s, x, several{nil, nil})
	case !ok:
		result = zero(x.AssertedType)
	}
	return plain(s, x, several{result, truth(ok)})
}

// element is the address of an element.
func element(v, index value) value {
	i, ok := asInt(index)
	if !ok {
		return nil
	}
	switch v := v.(type) {
	case slice:
		if v.len >= 0 && i >= v.len {
			return nil
		}
		return pointer{v.to, join(v.path, "["+strconv.Itoa(v.from+i)+"]")}
	case pointer:
		return pointer{v.to, join(v.path, "["+strconv.Itoa(i)+"]")}
	}
	return nil
}

// sliced is a slice of an array or of a slice.
func (l *lowerer) sliced(x *ssa.Slice, get func(ssa.Value) value) value {
	low, ok := 0, true
	if x.Low != nil {
		low, ok = asInt(get(x.Low))
	}
	if !ok {
		return nil
	}
	var all slice
	switch v := get(x.X).(type) {
	case slice:
		all = v
	case pointer:
		all = slice{v, 0, -1}
		if p, ok := x.X.Type().Underlying().(*types.Pointer); ok {
			if a, ok := p.Elem().Underlying().(*types.Array); ok {
				all.len = int(a.Len())
			}
		}
	default:
		return nil
	}
	high := all.len
	if x.High != nil {
		if high, ok = asInt(get(x.High)); !ok {
			high = -1
		}
	}
	all.from += low
	if all.len = high - low; high < 0 {
		all.len = -1
	}
	return all
}

// lookup looks a key up in a map.
func (l *lowerer) lookup(s *state, x *ssa.Lookup, m, key value) effect {
	p, ok := m.(pointer)
	none := func() effect {
		if x.CommaOk {
			return plain(s, x, several{nil, nil})
		}
		return plain(s, x, nil)
	}
	if !ok || key == nil {
		return none()
	}
	c := cell{p.to, join(p.path, "["+keyOf(key)+"]")}
	if l.known.shared[c.key()] != nil || l.known.shared[cell{p.to, "spoilt"}.key()] != nil {
		l.note(s, c, false)
		return none()
	}
	l.note(s, c, false)
	v, found := s.store[c]
	if _, spoilt := s.store[cell{p.to, "spoilt"}]; spoilt && !found {
		return none()
	}
	t := x.Type()
	if x.CommaOk {
		t = t.(*types.Tuple).At(0).Type()
	}
	if !found {
		v = zero(t)
	}
	if x.CommaOk {
		return plain(s, x, several{v, truth(found)})
	}
	return plain(s, x, v)
}
