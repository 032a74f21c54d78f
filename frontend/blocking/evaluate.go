package blocking

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/ssaflow"
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
	pos       esl.Pos // of a guess
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
		l.usesVariable(v)
		return pointer{l.global(v), ""}
	case *ssa.Function:
		return l.closureOf(v, nil)
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
	if used, isNil := l.nilUsed(a, instr); isNil {
		s.ended = true
		pos := l.position(instr)
		if used.received {
			l.closedUses[pos] = true
		} else {
			l.nilUses[pos] = true
		}
		return effect{outcomes: []outcome{{stmts: []esl.Stmt{{Op: esl.Exit, Pos: pos}}, state: s}}}
	}
	a.at++
	if v, ok := instr.(ssa.Value); ok && l.quiet.readsForgotten(instr) {
		if call, ok := instr.(*ssa.Call); ok { // an atomic operation
			return l.forgetAt(s, get(call.Call.Args[0]), v)
		}
		return plain(s, v, nil)
	}
	switch x := instr.(type) {
	case *ssa.Alloc:
		o := l.make(s, x, allocName(x))
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
		return plain(s, x, l.box(x.X.Type(), get(x.X)))
	case *ssa.TypeAssert:
		return l.assert(s, x, get(x.X))
	case *ssa.MakeClosure:
		var bindings []value
		for _, b := range x.Bindings {
			bindings = append(bindings, get(b))
		}
		return plain(s, x, l.closureOf(x.Fn.(*ssa.Function), bindings))
	case *ssa.MakeChan:
		return l.makeChannel(s, x, get(x.Size))
	case *ssa.MakeMap:
		o := l.make(s, x, "map")
		return plain(s, x, pointer{o, ""})
	case *ssa.MakeSlice:
		o := l.make(s, x, "slice")
		n, ok := asInt(get(x.Len))
		if !ok {
			n = -1
			if isPositive(get(x.Len)) {
				n = notEmpty
			}
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
		return l.update(s, x, get(x.Map), get(x.Key), get(x.Value))
	case *ssa.Range:
		if _, isMap := x.X.Type().Underlying().(*types.Map); isMap {
			return plain(s, x, l.iterate(s, get(x.X)))
		}
	case *ssa.Next:
		return l.next(s, x, get(x.Iter))
	case *ssa.Store:
		if l.quiet.isForNobody(x) {
			return effect{outcomes: []outcome{{state: s}}}
		}
		if p, ok := get(x.Addr).(pointer); ok {
			return l.store(s, p, x.Val.Type(), get(x.Val), l.isFresh(x))
		}
		l.storesAnywhere(s, x, get(x.Val))
		return effect{outcomes: []outcome{{state: s}}}
	case *ssa.Call:
		return l.call(s, x, get(x.Call.Value), l.arguments(a, x), x)
	case *ssa.Defer:
		if c, ok := l.calleeOf(x, get(x.Call.Value), l.arguments(a, x)); ok && c.fn != nil && ssaflow.CallsRecover(c.fn) {
			l.guess(x, "what is left behind by a panic that is recovered here")
		}
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

// nilUsed returns the nil with which an instruction panics, if what it uses is nil.
func (l *lowerer) nilUsed(a *activation, instr ssa.Instruction) (used nothing, isNil bool) {
	used, isNil = l.valueOf(a, usedBy(instr)).(nothing)
	return used, isNil
}

// usedBy returns what an instruction uses that must not be nil; nil if there is nothing.
func usedBy(instr ssa.Instruction) ssa.Value {
	switch x := instr.(type) {
	case *ssa.FieldAddr:
		return x.X
	case *ssa.Store:
		return x.Addr
	case *ssa.MapUpdate:
		return x.Map
	case *ssa.UnOp:
		if x.Op == token.MUL {
			return x.X
		}
	case *ssa.Call: // of a method of an interface, of a function, or of one that operates on a lock and the like
		if callee := x.Call.StaticCallee(); callee != nil && knowledge.IsOperation(callee) {
			return x.Call.Args[0]
		}
		return x.Call.Value
	}
	return nil
}

// enter goes to a block, and gives its phis their values.
func (l *lowerer) enter(s *state, to *ssa.BasicBlock) {
	a := s.top()
	k := 0
	for to.Preds[k] != a.block {
		k++
	}
	values := map[ssa.Value]value{}
	n := ssaflow.FirstAfterPhis(to)
	for _, instr := range to.Instrs[:n] {
		phi := instr.(*ssa.Phi)
		values[phi] = l.valueOf(a, phi.Edges[k])
	}
	for phi, v := range values {
		a.regs[phi] = v
	}
	a.isAgain = to.Dominates(a.block)
	if a.assumed != nil && (a.assumed == to || !a.assumed.Dominates(to)) {
		a.assumed = nil
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
	e := effect{branching: guessed, pos: l.positionOf(x)}
	l.guesses[Guess{Pos: e.pos, What: "which way the branch goes", IsBranch: true}] = true
	if !slices.Contains(l.branches[e.pos], x) {
		l.branches[e.pos] = append(l.branches[e.pos], x)
	}
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
		l.learnFrom(t, x, i == 0)
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
		l.expose(s, a.fn, v)
		s.set(a.result, v)
	}
	return effect{outcomes: []outcome{{stmts: slices.Clone(a.after), state: s}}} // each return has a place of its own
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
