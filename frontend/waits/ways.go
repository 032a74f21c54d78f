package waits

import (
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// walk goes through a node on all ways that differ in what is held, and returns its balance.
func (s *settler) walk(n *pointsto.Node) balance {
	even := balance{}
	if len(n.Func.Blocks) == 0 || isPrimitive(n.Func) || s.originOf(n.Func) != Own || !s.mayTake(n) {
		return even
	}
	endless := s.endless(n)
	at := map[*ssa.BasicBlock][]way{}
	type visit struct {
		block *ssa.BasicBlock
		way   way
	}
	var queue []visit
	add := func(b *ssa.BasicBlock, w way) {
		switch {
		case slices.ContainsFunc(at[b], w.equal):
			return
		case len(at[b]) >= maxWays:
			s.doubtWay(n, w, "there are more ways in "+short(s.name(n.Func))+" than are looked at")
			return
		}
		at[b] = append(at[b], w)
		queue = append(queue, visit{b, w})
	}
	add(n.Func.Blocks[0], newWay())
	if n.Func.Recover != nil {
		add(n.Func.Recover, newWay())
	}
	var ends []balance
	for ; len(queue) > 0; queue = queue[1:] {
		b, now := queue[0].block, queue[0].way.clone()
		if what := endless[b]; what != "" {
			s.note(now.held, Event{What: what, Function: s.name(n.Func)})
		}
		goesOn := true
		for _, instr := range b.Instrs {
			if v, ok := instr.(ssa.Value); ok {
				s.forget(now, v)
			}
			if goesOn = s.step(n, instr, &now); !goesOn {
				break
			}
			if _, ok := instr.(*ssa.Return); ok {
				ends = append(ends, balance{now.held, now.released})
			}
		}
		if goesOn {
			for _, next := range b.Succs {
				add(next, now)
			}
		}
	}
	return s.merged(n, ends)
}

// merged returns what all ends of a node have in common, if they do.
func (s *settler) merged(n *pointsto.Node, ends []balance) balance {
	for _, e := range ends {
		if !e.equal(ends[0]) {
			for _, e := range ends {
				s.doubtAll(e, short(s.name(n.Func))+" returns with it held on some ways only")
			}
			return balance{}
		}
	}
	if len(ends) == 0 {
		return balance{}
	}
	return ends[0]
}

// mayTake tells whether a node operates on locks, or a callee leaves it some.
func (s *settler) mayTake(n *pointsto.Node) bool {
	for _, e := range s.graph.Calls(n) {
		if _, ok := knowledge.LockOperation(e.Callee.Func); ok || knowledge.IsOnce(e.Callee.Func) ||
			!s.balances[e.Callee].isEven() {
			return true
		}
	}
	return false
}

// forget puts the locks in doubt that are known by a register which gets another value.
func (s *settler) forget(now way, v ssa.Value) {
	for _, some := range []map[address]grip{now.held, now.released} {
		for at, g := range some {
			if at.root == v {
				s.doubtGrip(g, "it is not known which one is held in "+short(v.Parent().String()))
				delete(some, at)
			}
		}
	}
}

// doubtWay puts all in doubt that is held on a way, and what its deferred calls operate on.
func (s *settler) doubtWay(n *pointsto.Node, w way, why string) {
	s.doubtHeld(w.held, why)
	s.doubtHeld(w.released, why)
	for _, d := range w.defers {
		for _, op := range s.operationsAt(n, d) {
			s.doubtGrip(gripOf(op.locks, false), why)
		}
		for _, callee := range s.graph.Callees(n, d) {
			s.doubtAll(s.balances[callee], why)
		}
	}
}

// step does what an instruction does; it returns false where the way ends.
func (s *settler) step(n *pointsto.Node, instr ssa.Instruction, now *way) bool {
	switch x := instr.(type) {
	case *ssa.Go:
	case *ssa.Defer:
		if len(now.defers) >= maxDefers {
			s.doubtWay(n, *now, "more calls are deferred in "+short(s.name(n.Func))+" than are followed")
			return true
		}
		now.defers = append(now.defers, x)
	case *ssa.RunDefers:
		for len(now.defers) > 0 {
			d := now.defers[len(now.defers)-1]
			now.defers = now.defers[:len(now.defers)-1]
			s.call(n, d, now)
		}
	case *ssa.Panic:
		s.unwind(n, *now, false)
	case ssa.CallInstruction:
		return s.call(n, x, now)
	default:
		if len(now.held) > 0 {
			for _, event := range s.waitsAt(n, instr) {
				s.note(now.held, event)
			}
		}
	}
	return true
}

// unwind notes the locks that stay held when a panic, or the end of the goroutine, runs the deferred calls.
func (s *settler) unwind(n *pointsto.Node, now way, ends bool) {
	if !s.notes {
		return
	}
	now = now.clone()
	for len(now.defers) > 0 {
		d := now.defers[len(now.defers)-1]
		now.defers = now.defers[:len(now.defers)-1]
		s.call(n, d, &now)
	}
	for _, g := range now.held {
		for name := range g.each() {
			s.left[name] = s.name(n.Func)
		}
		if ends {
			s.doubtGrip(g, "the goroutine may end with it held in "+short(s.name(n.Func)))
		}
	}
}

// call does what a call does; it returns false if the call does not return.
func (s *settler) call(n *pointsto.Node, site ssa.CallInstruction, now *way) bool {
	if _, ok := site.Common().Value.(*ssa.Builtin); ok {
		return true
	}
	for _, e := range s.waitsAt(n, site) {
		if e.unlessHeld == "" || !s.releasesOnly(site, now.held, e.unlessHeld) {
			s.note(now.held, e)
		}
	}
	callees := s.graph.Callees(n, site)
	if ops := s.operationsAt(n, site); len(ops) > 0 {
		s.operate(n, site, ops, len(callees), now)
	}
	held := now.held
	if once := s.onceNames(n, site); len(once) > 0 {
		for _, name := range once {
			s.lock(name, site)
		}
		held = maps.Clone(held)
		held[address{root: site.Common().Args[0], path: "once"}] = gripOf(once, false)
	}
	for _, callee := range callees {
		if len(held) == 0 || !s.isFollowed(site, callee) {
			continue
		}
		r := s.withinReached(callee)
		for _, e := range r.events {
			s.note(held, e)
		}
		if r.panics {
			s.unwind(n, *now, false)
		}
		if r.leaves {
			s.unwind(n, *now, true)
		}
	}
	s.leave(n, site, callees, now)
	if fn := site.Common().StaticCallee(); fn != nil {
		if knowledge.EndsGoroutine(fn) {
			s.unwind(n, *now, true)
			return false
		}
		return !knowledge.EndsProgram(fn)
	}
	return true
}

// releasesOnly tells whether a wait for a signal releases all that is held: one lock of the name that the condition
// variable has, of the object that has them both.
func (s *settler) releasesOnly(site ssa.CallInstruction, held map[address]grip, name string) bool {
	if len(held) == 0 {
		return true
	}
	if len(held) > 1 || s.otherLocks {
		return false
	}
	cond, ok := s.of(site.Common().Args[0]).owner()
	for at, g := range held {
		owner, known := at.owner()
		return ok && known && owner == cond && g.names == name && !g.shared
	}
	return false
}

// operate is an operation on a lock.
func (s *settler) operate(n *pointsto.Node, site ssa.CallInstruction, ops []operation, callees int, now *way) {
	operand := site.Common().Value
	if !site.Common().IsInvoke() {
		operand = site.Common().Args[0]
	}
	var names []string
	for _, op := range ops {
		names = append(names, op.locks...)
	}
	at, g := s.of(operand), gripOf(names, ops[0].isShared())
	if ops[0].op.IsTaking() {
		for _, name := range names {
			s.lock(name, site)
		}
	}
	isOne := callees == len(ops) && !slices.ContainsFunc(ops, func(op operation) bool { return op.op != ops[0].op })
	switch op := ops[0].op; {
	case len(names) == 0:
		if s.notes {
			s.unknown = s.name(n.Func)
		}
	case !isOne:
		s.doubtGrip(g, "it is not known what a call in "+short(s.name(n.Func))+" does to it")
	case op.IsTaking() && op != knowledge.Lock && op != knowledge.RLock:
		s.doubtGrip(g, "it is taken in "+short(s.name(n.Func))+" only if nobody holds it")
	case op.IsTaking():
		s.take(at, g, now)
	default:
		s.release(at, g, now)
	}
}

func (s *settler) take(at address, g grip, now *way) {
	if _, ok := now.released[at]; ok { // for a while: whether the caller holds it is not looked at
		s.doubtGrip(g, "it is released and taken again by a function that has not taken it")
		delete(now.released, at)
		return
	}
	if _, again := now.held[at]; again {
		s.doubtGrip(g, "it is taken while it is held")
	}
	now.held[at] = g
}

func (s *settler) release(at address, g grip, now *way) {
	before, ok := now.held[at]
	switch {
	case ok && before != g:
		s.doubtGrip(g, "it is taken and released in different ways")
		s.doubtGrip(before, "it is taken and released in different ways")
		fallthrough
	case ok:
		delete(now.held, at)
	default:
		if _, again := now.released[at]; again {
			s.doubtGrip(g, "it is released twice")
		}
		now.released[at] = g
	}
}

// leave does to what is held what callees leave.
func (s *settler) leave(n *pointsto.Node, site ssa.CallInstruction, callees []*pointsto.Node, now *way) {
	if len(callees) == 0 {
		return
	}
	for _, callee := range callees {
		if left := s.balances[callee]; !left.equalIn(s.balances[callees[0]], callee, callees[0]) {
			for _, c := range callees {
				s.doubtAll(s.balances[c], "functions that "+short(s.name(n.Func))+" may call leave it in different ways")
			}
			return
		}
	}
	left := s.balances[callees[0]]
	for at, g := range left.releases {
		if own, ok := s.inCaller(at, callees[0].Func, site); ok {
			s.release(own, g, now)
		} else {
			s.doubtGrip(g, "it is not known which one "+short(s.name(callees[0].Func))+" releases")
		}
	}
	for at, g := range left.takes {
		if own, ok := s.inCaller(at, callees[0].Func, site); ok {
			s.take(own, g, now)
		} else {
			s.doubtGrip(g, "it is not known which one "+short(s.name(callees[0].Func))+" takes")
		}
	}
}

// equalIn tells whether two functions leave the same: nodes of one function, or nothing at all.
func (b balance) equalIn(c balance, of, other *pointsto.Node) bool {
	return b.isEven() && c.isEven() || of.Func == other.Func && b.equal(c)
}
