package blocking

import (
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/knowledge"
)

// contextCall is the effect of a function of package context that makes one.
func (l *lowerer) contextCall(s *state, site ssa.CallInstruction, name string, c callee,
	result ssa.Value) (effect, bool) {
	name = strings.TrimPrefix(name, "context.")
	switch name {
	case "Background", "TODO":
		o := l.object("context background", "context")
		o.isOver = true
		return plain(s, result, pointer{o, "context"}), true
	case "WithValue", "WithoutCancel":
		if len(c.args) > 0 && name == "WithValue" {
			return plain(s, result, c.args[0]), true
		}
		o := l.object("context background", "context")
		o.isOver = true
		return plain(s, result, pointer{o, "context"}), true
	case "WithCancel", "WithTimeout", "WithDeadline", "WithCancelCause", "WithTimeoutCause", "WithDeadlineCause":
		o := l.makeAt(s, site, "ctx")
		o.isTimed = name != "WithCancel" && name != "WithCancelCause"
		if parent, ok := c.args[0].(pointer); ok && parent.path == "context" {
			o.parents = []*object{parent.to}
		} else {
			o.isTimed = true
			l.guess(site, "when the context that is handed over ends")
		}
		return plain(s, result, several{pointer{o, "context"}, native{"cancel", o}}), true
	}
	return effect{}, false
}

// lineage returns a context and those with which it ends.
func (l *lowerer) lineage(o *object) (all []*object) {
	for o != nil && !o.isOver {
		all = append(all, o)
		if len(o.parents) == 0 {
			break
		}
		o = o.parents[0]
	}
	return all
}

// callNative is the effect of a function that the model makes, and of the methods of a context.
func (l *lowerer) callNative(s *state, site ssa.CallInstruction, c callee, result ssa.Value) effect {
	o, at := c.native.on, l.position(site)
	switch c.native.name {
	case "cancel":
		v := l.newVariable(cell{o, "done"}, 2)
		return effect{outcomes: []outcome{{stmts: []esl.Stmt{{Op: esl.Assign, Arg: v, Value: 1, Pos: at}}, state: s}}}
	case "context.Done":
		if o.isOver {
			return plain(s, result, nothing{})
		}
		return plain(s, result, pointer{o, "done"})
	case "context.Err":
		all := l.lineage(o)
		if len(all) == 0 {
			return plain(s, result, nothing{})
		}
		if x, _ := s.get(seen(cell{o, "over"})); x != nil { // it has been waited for that: it is so for ever
			return plain(s, result, pointer{o, "err"})
		}
		if len(all) > 1 || all[0].isTimed {
			return plain(s, result, nil)
		}
		v := l.newVariable(cell{o, "done"}, 2)
		open, done := s.clone(), s
		open.set(result, nothing{})
		done.set(result, pointer{o, "err"})
		return effect{branching: waiting, outcomes: []outcome{
			{stmts: []esl.Stmt{{Op: esl.Test, Arg: v, Count: 0, Pos: at}}, state: open},
			{stmts: []esl.Stmt{{Op: esl.Test, Arg: v, Count: 1, Pos: at}}, state: done}}}
	}
	return plain(s, result, nil)
}

// atomic is an operation of package sync/atomic: on a variable of the model, if others see it.
func (l *lowerer) atomic(s *state, site ssa.CallInstruction, op knowledge.AtomicOp, c callee, result ssa.Value) effect {
	p, ok := c.args[0].(pointer)
	t := atomicType(c.fn, result)
	if !ok && op != knowledge.AtomicLoad && t != nil {
		at := site.Common().Args[0]
		some := l.quiet.prints.within(nil, l.quiet.prints.ownerOf(at), at.Type().Underlying().(*types.Pointer).Elem())
		l.writesAnywhere(s, site, some, t, c.args[len(c.args)-1])
	}
	if ok && op != knowledge.AtomicLoad {
		l.spoilMany(p.to)
	}
	if !ok || p.to.isMany {
		return plain(s, result, nil)
	}
	if t == nil {
		l.spoil(s, p)
		return plain(s, result, nil)
	}
	at := cell{p.to, p.path}
	l.known.zeros[at] = zero(t)
	if l.known.shared[at] == nil || l.isAlone(s) || isSpoilt(s, at) {
		return l.atomicAlone(s, op, c, at, zero(t), result)
	}
	wants := result != nil && l.matters(result)
	if op == knowledge.AtomicLoad {
		return l.loadInto(s, p, t, result)
	}
	if op == knowledge.AtomicStore {
		return l.store(s, p, t, c.args[1], false)
	}
	l.note(s, at, true)
	if wants {
		l.load(s.clone(), at, t, zero(t), true) // it matters what is in there
	}
	v := l.known.shared[at]
	if len(v.values) == 0 {
		l.known.add(v, zero(t))
	}
	if !l.known.matters[at] {
		return plain(s, result, nil)
	}
	index := l.variableIndex(at)
	e := effect{branching: waiting}
	for i, old := range v.values {
		next, r := changed(op, old, c.args[1:])
		k := l.known.add(v, next)
		if k == 0 && i > 0 {
			l.restores(at)
		}
		t := s.clone()
		t.set(result, r)
		e.outcomes = append(e.outcomes, outcome{stmts: []esl.Stmt{{Op: esl.Swap, Arg: index, Count: i, Value: k,
			Pos: l.position(site)}}, state: t})
	}
	return e
}

// atomicAlone is an atomic operation on memory that one goroutine uses.
func (l *lowerer) atomicAlone(s *state, op knowledge.AtomicOp, c callee, at cell, zero value, result ssa.Value) effect {
	l.note(s, at, op != knowledge.AtomicLoad)
	old, ok := s.get(at)
	if !ok {
		old = zero
	}
	if result != nil && l.matters(result) && !l.known.matters[at] {
		l.known.matters[at] = true
	}
	if op == knowledge.AtomicLoad {
		return plain(s, result, old)
	}
	next, r := changed(op, old, c.args[1:])
	s.put(at, next)
	return plain(s, result, r)
}

// changed returns what an atomic operation makes of a value, and what it returns.
func changed(op knowledge.AtomicOp, old value, args []value) (next, result value) {
	switch op {
	case knowledge.AtomicStore:
		return args[0], nil
	case knowledge.AtomicSwap:
		return args[0], old
	case knowledge.AtomicAdd:
		m, ok1 := old.(number)
		n, ok2 := args[0].(number)
		if ok1 && ok2 && m.Kind() == constant.Int && n.Kind() == constant.Int {
			sum := number{constant.BinaryOp(m.Value, token.ADD, n.Value)}
			return sum, sum
		}
	case knowledge.AtomicCompareAndSwap:
		is, ok := asBool(compared(token.EQL, old, args[0]))
		switch {
		case ok && is:
			return args[1], truth(true)
		case ok:
			return old, truth(false)
		}
	}
	return nil, nil
}
