package blocking

import (
	"go/constant"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/knowledge"
)

func stringOf(n number) (string, bool) {
	if n.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(n.Value), true
}

// isModelled tells whether the model has what a function does.
func isModelled(fn *ssa.Function) bool {
	row := knowledge.Of(fn)
	name := knowledge.Name(fn)
	return row.Lock != knowledge.NoLock || row.Cond != knowledge.NoCond || row.Once || isGroupOperation(fn) ||
		makesOnce(fn) || isOnce(fn) ||
		row.Atomic != knowledge.NoAtomic || row.Ends != knowledge.EndsNothing || row.Makes == knowledge.NewCond ||
		strings.HasPrefix(name, "time.") || strings.HasPrefix(name, "(*time.Timer)") ||
		row.Makes == knowledge.NewError || row.Makes == knowledge.ReadLocker || strings.HasPrefix(name, "(*sync.rlocker)") ||
		strings.HasPrefix(name, "(*time.Ticker)") || strings.HasPrefix(name, "context.")
}

// isGroupOperation tells whether a function is one of sync.WaitGroup; groups of other packages are followed.
func isGroupOperation(fn *ssa.Function) bool {
	return strings.HasPrefix(knowledge.Name(fn), "(*sync.WaitGroup).")
}

// isReadOnly tells whether a function does not change what it is handed.
func isReadOnly(fn *ssa.Function) bool {
	if effect, ok := knowledge.Accesses(fn); ok && effect.Writes {
		return false
	}
	name := knowledge.Name(fn)
	return strings.HasPrefix(name, "fmt.") || strings.HasPrefix(name, "(*log.") || strings.HasPrefix(name, "log.") ||
		strings.HasPrefix(name, "errors.") || strings.HasPrefix(name, "(*testing.")
}

// operation is the effect of a function that the model has.
func (l *lowerer) operation(s *state, site ssa.CallInstruction, c callee, result ssa.Value) (e effect, ok bool) {
	if e, ok := l.ofTest(s, site, c, result); ok {
		return e, true
	}
	row := knowledge.Of(c.fn)
	switch {
	case row.Lock != knowledge.NoLock && !strings.Contains(c.fn.String(), "spinlock"):
		return l.lock(s, site, row, c, result), true
	case row.Makes == knowledge.NewCond:
		o := l.makeAt(s, site, "cond")
		s.put(cell{o, "L"}, c.args[0])
		return plain(s, result, pointer{o, ""}), true
	case row.Cond != knowledge.NoCond:
		return l.condition(s, site, row.Cond, c), true
	case isGroupOperation(c.fn):
		return l.group(s, site, c, result), true
	case row.Once && c.fn.Name() == "Do":
		return l.once(s, site, c), true
	case makesOnce(c.fn):
		return l.makeOnce(s, site, c, result)
	case isOnce(c.fn):
		return l.once(s, site, callee{args: c.bindings}), true
	case row.Atomic != knowledge.NoAtomic:
		return l.atomic(s, site, row.Atomic, c, result), true
	case row.Ends == knowledge.GoroutineEnd:
		l.guess(site, "what is left behind by a goroutine that ends itself")
		l.doubtAll(site)
		l.doubts.isLeft = true
		s.ended = true
		return effect{outcomes: []outcome{{stmts: []esl.Stmt{{Op: esl.Exit, Pos: l.position(site)}}, state: s}}}, true
	case row.Ends == knowledge.ProgramEnd:
		s.ended = true
		return effect{outcomes: []outcome{{stmts: []esl.Stmt{{Op: esl.Exit, Pos: l.position(site)}}, state: s}}}, true
	}
	name := knowledge.Name(c.fn)
	switch {
	case row.Makes == knowledge.NewError:
		return plain(s, result, pointer{l.makeAt(s, site, "error"), "error"}), true
	case row.Makes == knowledge.ReadLocker:
		t := types.NewPointer(l.prog.ImportedPackage("sync").Type("rlocker").Type())
		return plain(s, result, l.box(t, c.args[0])), true
	case strings.HasPrefix(name, "(*sync.rlocker)."):
		return l.lock(s, site, row, c, result), true
	case strings.HasPrefix(name, "context."):
		return l.contextCall(s, site, name, c, result)
	case strings.HasPrefix(name, "time.") || strings.HasPrefix(name, "(*time.T"):
		return l.timeCall(s, site, name, c, result)
	}
	return e, false
}

// pointed returns where the receiver of an operation is, if it is known which object that is of; if not, who waits for
// what it does may go on.
func (l *lowerer) pointed(site ssa.CallInstruction, v value, does ...kind) (p pointer, ok bool) {
	if b, isBoxed := v.(boxed); isBoxed {
		v = b.value
	}
	p, ok = v.(pointer)
	if ok {
		l.operates(p.to)
	}
	if ok && l.known.spoilt[cell{p.to, p.path}] {
		l.guess(site, "what state a copy of a lock or wait group has")
		return p, false
	}
	if ok && !p.to.isMany {
		return p, true
	}
	l.guess(site, "which object the operation is on")
	if !ok {
		l.doubtKind(receiverOf(site), does...)
	}
	return p, false
}

// receiverOf returns what a method is called on.
func receiverOf(site ssa.CallInstruction) ssa.Value {
	if common := site.Common(); !common.IsInvoke() && len(common.Args) > 0 {
		return common.Args[0]
	}
	return site.Common().Value
}

// lock is an operation on a mutex.
func (l *lowerer) lock(s *state, site ssa.CallInstruction, row *knowledge.Function, c callee, result ssa.Value) effect {
	if s.atOnce() != nil && l.isPassing(site, row.Lock) {
		return plain(s, result, nil)
	}
	var does []kind
	if !row.Lock.IsTaking() { // nobody goes on by that
		does = append(does, aRelease)
	}
	p, ok := l.pointed(site, c.args[0], does...)
	if !ok {
		return plain(s, result, nil)
	}
	kind := esl.Mutex
	if strings.Contains(knowledge.Name(c.fn), "RWMutex") || row.Shared {
		kind = esl.RW
	}
	op := row.Lock
	if name := knowledge.Name(c.fn); strings.HasPrefix(name, "(*sync.rlocker)") {
		kind = esl.RW
		op = map[string]knowledge.LockOp{"Lock": knowledge.RLock, "Unlock": knowledge.RUnlock}[c.fn.Name()]
	}
	lock := l.lockIndex(cell{p.to, p.path}, kind)
	at := l.position(site)
	stmt := func(op esl.Op) esl.Stmt { return esl.Stmt{Op: op, Arg: lock, Pos: at} }
	do := func(stmts ...esl.Stmt) effect { return effect{outcomes: []outcome{{stmts: stmts, state: s}}} }
	switch op {
	case knowledge.Lock:
		if kind == esl.RW {
			return do(stmt(esl.Intend), stmt(esl.LockOp))
		}
		return do(stmt(esl.LockOp))
	case knowledge.Unlock:
		return do(stmt(esl.Unlock))
	case knowledge.RLock:
		return do(stmt(esl.RLock))
	case knowledge.RUnlock:
		return do(stmt(esl.RUnlock))
	case knowledge.TryLock, knowledge.TryRLock:
		take := esl.LockOp
		if op == knowledge.TryRLock {
			take = esl.RLock
		}
		taken, not := s.clone(), s
		taken.set(result, truth(true))
		not.set(result, truth(false))
		return effect{branching: passing, outcomes: []outcome{{stmts: []esl.Stmt{stmt(take)}, state: taken},
			{stmts: []esl.Stmt{{Op: esl.Skip, Pos: at}}, state: not}}}
	}
	l.guess(site, "what the operation on the lock does")
	return plain(s, result, nil)
}

// condition is an operation on a condition variable.
func (l *lowerer) condition(s *state, site ssa.CallInstruction, op knowledge.CondOp, c callee) effect {
	p, ok := l.pointed(site, c.args[0], aSignal)
	if !ok {
		return effect{outcomes: []outcome{{state: s}}}
	}
	at := l.position(site)
	index := l.conditionIndex(cell{p.to, p.path})
	stmt := func(op esl.Op) esl.Stmt { return esl.Stmt{Op: op, Arg: index, Pos: at} }
	switch op {
	case knowledge.Signal:
		return effect{outcomes: []outcome{{stmts: []esl.Stmt{stmt(esl.Signal)}, state: s}}}
	case knowledge.Broadcast:
		return effect{outcomes: []outcome{{stmts: []esl.Stmt{stmt(esl.Broadcast)}, state: s}}}
	}
	take, release, ok := l.lockerOf(s, site, cell{p.to, join(p.path, "L")})
	if !ok {
		l.guess(site, "which lock the condition variable has")
		l.doubtKind(receiverOf(site), aRelease)
	}
	stmts := append([]esl.Stmt{stmt(esl.Enlist)}, release...)
	stmts = append(stmts, stmt(esl.Awake))
	return effect{outcomes: []outcome{{stmts: append(stmts, take...), state: s}}}
}

// lockerOf returns how the lock in a cell, an interface, is taken and released.
func (l *lowerer) lockerOf(s *state, site ssa.CallInstruction, c cell) (take, release []esl.Stmt, ok bool) {
	v, known := s.get(c)
	if shared := l.known.shared[c]; !known && shared != nil && len(shared.values) > 0 {
		v = shared.values[len(shared.values)-1]
	}
	l.note(s, c, false)
	b, ok := v.(boxed)
	if !ok {
		return nil, nil, false
	}
	p, ok := b.value.(pointer)
	if ok {
		l.operates(p.to)
	}
	if !ok || l.known.spoilt[cell{p.to, p.path}] {
		return nil, nil, false
	}
	name, at := b.name, l.position(site)
	switch name {
	case "*sync.Mutex":
		lock := l.lockIndex(cell{p.to, p.path}, esl.Mutex)
		return []esl.Stmt{{Op: esl.LockOp, Arg: lock, Pos: at}}, []esl.Stmt{{Op: esl.Unlock, Arg: lock, Pos: at}}, true
	case "*sync.RWMutex":
		lock := l.lockIndex(cell{p.to, p.path}, esl.RW)
		return []esl.Stmt{{Op: esl.Intend, Arg: lock, Pos: at}, {Op: esl.LockOp, Arg: lock, Pos: at}},
			[]esl.Stmt{{Op: esl.Unlock, Arg: lock, Pos: at}}, true
	case "*sync.rlocker":
		lock := l.lockIndex(cell{p.to, p.path}, esl.RW)
		return []esl.Stmt{{Op: esl.RLock, Arg: lock, Pos: at}}, []esl.Stmt{{Op: esl.RUnlock, Arg: lock, Pos: at}}, true
	}
	return nil, nil, false
}

// group is an operation on a wait group.
func (l *lowerer) group(s *state, site ssa.CallInstruction, c callee, result ssa.Value) effect {
	p, ok := l.pointed(site, c.args[0], aCount)
	if !ok {
		return plain(s, result, nil)
	}
	at := l.position(site)
	index := l.groupIndex(cell{p.to, p.path})
	do := func(stmts ...esl.Stmt) effect { return effect{outcomes: []outcome{{stmts: stmts, state: s}}} }
	switch c.fn.Name() {
	case "Add":
		n, ok := asInt(c.args[1])
		if !ok {
			l.guess(site, "how much is added to the counter")
			l.doubtGroup(index)
			return plain(s, result, nil)
		}
		return do(esl.Stmt{Op: esl.Add, Arg: index, Count: n, Pos: at})
	case "Done":
		return do(esl.Stmt{Op: esl.Add, Arg: index, Count: -1, Pos: at})
	case "Wait":
		return do(esl.Stmt{Op: esl.WaitZero, Arg: index, Pos: at})
	case "Go":
		f, ok := c.args[1].(closure)
		if !ok {
			l.guess(site, "which function runs on the goroutine")
			l.doubtAll(site)
			return plain(s, result, nil)
		}
		done := esl.Stmt{Op: esl.Add, Arg: index, Count: -1, Pos: at}
		start := l.start(s, site, callee{fn: f.fn, bindings: f.bindings}, nil, []esl.Stmt{done})
		return do(append([]esl.Stmt{{Op: esl.Add, Arg: index, Count: 1, Pos: at}}, start...)...)
	}
	return plain(s, result, nil)
}

// makesOnce tells whether a function returns one that calls what it is handed once, as sync.OnceFunc does.
func makesOnce(fn *ssa.Function) bool {
	row := knowledge.Of(fn)
	return row.Makes == knowledge.NewOnce && row.Wraps
}

// isOnce tells whether a function is one that such a function returns.
func isOnce(fn *ssa.Function) bool { return fn.Parent() != nil && makesOnce(fn.Parent()) }

// makeOnce makes such a function: what is bound to it is the once, and what that calls.
func (l *lowerer) makeOnce(s *state, site ssa.CallInstruction, c callee, result ssa.Value) (e effect, ok bool) {
	f, isKnown := c.args[0].(closure)
	if !isKnown || len(c.fn.AnonFuncs) == 0 {
		return e, false
	}
	made := c.fn.AnonFuncs[0]
	once := pointer{l.makeAt(s, site, "once"), ""}
	return plain(s, result, closure{fn: made, name: l.nameOf(made), bindings: []value{once, f}}), true
}

// once is sync.Once.Do: who comes while the function runs waits for its end.
func (l *lowerer) once(s *state, site ssa.CallInstruction, c callee) effect {
	p, ok := l.pointed(site, c.args[0])
	f, isKnown := c.args[1].(closure)
	if !ok || !isKnown || !l.isCallable(f.fn) {
		if ok && !isKnown {
			l.guess(site, "what runs once")
			l.doubtAll(site)
		}
		return effect{outcomes: []outcome{{state: s}}}
	}
	at := l.position(site)
	v := l.newVariable(cell{p.to, join(p.path, "done")}, onceValues)
	again, first := s, s.clone()
	l.push(first, callee{fn: f.fn, bindings: f.bindings}, nil)
	first.top().after = []esl.Stmt{{Op: esl.Assign, Arg: v, Value: onceDone, Pos: at}}
	return effect{branching: waiting, outcomes: []outcome{
		{stmts: []esl.Stmt{{Op: esl.Swap, Arg: v, Count: 0, Value: onceRuns, Pos: at}}, state: first},
		{stmts: []esl.Stmt{{Op: esl.Test, Arg: v, Count: onceDone, Pos: at}}, state: again},
	}}
}

// The values of the variable that stands for a sync.Once.
const (
	onceRuns = 1 + iota
	onceDone
	onceValues
)
