package blocking

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/polling"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// A loop that only looks, see package polling, goes round until somebody else changes what it looks at: it waits for
// that, and the model has an operation that waits. What comes round to the same state is left out; what leads on is
// waited for. If nobody ever brings that about, the goroutine makes no progress (definition 7 of the classification).
//
// Looks that follow each other, as in for !a.Load() && !b.Load(), are waited for by no one operation and stay what they
// are; so are those under a lock of which it is not known that nobody waits for it for ever: see rounds.

// spin is a loop that only looks, in an activation of a stack: the outermost one of a state.
type spin struct {
	depth int
	loop  map[*ssa.BasicBlock]bool
}

// spinOf returns the loop that a state is in; nil: it is in none that only looks and can be left.
func (l *lowerer) spinOf(s *state) *spin {
	for depth, a := range s.stack {
		if l.c.IsClient != nil && l.c.IsClient(a.fn) { // what it does next is for it to choose
			continue
		}
		for _, loop := range l.c.polling.Of(a.fn) {
			if loop[a.block] {
				return &spin{depth, loop}
			}
		}
	}
	return nil
}

// has tells whether a state is in the loop still.
func (sp *spin) has(s *state) bool {
	return sp == nil || len(s.stack) > sp.depth && sp.loop[s.stack[sp.depth].block]
}

// isSame tells whether two are the same loop of one activation, where both are in one run of it.
func (sp *spin) isSame(other *spin) bool {
	return sp != nil && other != nil && sp.depth == other.depth && ssaflow.SameLoop(sp.loop, other.loop)
}

// waitAtLooks makes operations that wait of the looks of goroutines that come round.
func (l *lowerer) waitAtLooks() {
	tried := l.triedOperations()
	for _, p := range l.processes {
		for n, at := range p.nodes {
			comesBack := func(a arc) bool { return a.isLook() && p.comesBack(n, at.spin, a, map[int]bool{}) }
			around := slices.IndexFunc(at.arcs, comesBack)
			if at.spin == nil || around < 0 || at.branching == guessed || at.mayMissEachOther(tried) {
				continue
			}
			back := at.arcs[around]
			at.arcs, at.branching = slices.DeleteFunc(at.arcs, comesBack), waiting
			if len(at.arcs) == 0 { // whatever is there leads round
				at.arcs, at.branching = []arc{{outcome: outcome{stmts: []esl.Stmt{l.neverChanges(back, at.spin)}}, to: -1}}, never
			}
			for _, a := range at.arcs {
				l.looks[a.stmts[0].Pos] = l.linesOf(at.spin.loop)
			}
		}
	}
}

// tried is an operation on a channel that somebody does only if it need not wait.
type tried struct {
	op      esl.Op
	channel int
}

func (l *lowerer) triedOperations() map[tried]bool {
	all := map[tried]bool{}
	for _, p := range l.processes {
		for _, at := range p.nodes {
			for _, a := range at.arcs {
				if at.branching == passing && len(a.stmts) > 0 {
					all[tried{a.stmts[0].Op, a.stmts[0].Arg}] = true
				}
			}
		}
	}
	return all
}

// mayMissEachOther tells whether a node tries an operation on a channel without waiting, and somebody else tries the
// other one: these two never meet, so that it is not the same to wait.
func (at *node) mayMissEachOther(all map[tried]bool) bool {
	return at.branching == passing && slices.ContainsFunc(at.arcs, func(a arc) bool {
		if len(a.stmts) == 0 {
			return false
		}
		switch s := a.stmts[0]; s.Op {
		case esl.Send:
			return all[tried{esl.Receive, s.Arg}]
		case esl.Receive:
			return all[tried{esl.Send, s.Arg}]
		}
		return false
	})
}

// linesOf returns the lines that a loop has in its function.
func (l *lowerer) linesOf(loop map[*ssa.BasicBlock]bool) (all Lines) {
	for b := range loop {
		for _, instr := range b.Instrs {
			at := l.position(instr)
			if !instr.Pos().IsValid() || at.Line == 0 {
				continue
			}
			if all.File = at.File; all.First == 0 || at.Line < all.First {
				all.First = at.Line
			}
			all.Last = max(all.Last, at.Line)
		}
	}
	return all
}

// neverChanges is a statement that waits for a value that what is looked at never has.
func (l *lowerer) neverChanges(around arc, sp *spin) esl.Stmt {
	for _, s := range around.stmts {
		if s.Op == esl.Test {
			n := l.valueCount(s.Arg)
			l.values[s.Arg] = n + 1
			return esl.Stmt{Op: esl.Test, Arg: s.Arg, Count: n, Pos: s.Pos}
		}
	}
	v := l.newVariable(cell{of: &object{name: "something"}}, 2)
	return esl.Stmt{Op: esl.Test, Arg: v, Count: 1, Pos: l.exitOf(sp.loop)}
}

// exitOf returns where a loop can be left.
func (l *lowerer) exitOf(loop map[*ssa.BasicBlock]bool) esl.Pos {
	exit := polling.Exit(loop)
	last := exit.Instrs[len(exit.Instrs)-1]
	if branch, ok := last.(*ssa.If); ok && !last.Pos().IsValid() {
		return l.positionOf(branch)
	}
	return l.position(last)
}

// isLook tells whether the model has nothing on the way but a look.
func (a arc) isLook() bool {
	return !slices.ContainsFunc(a.stmts, func(s esl.Stmt) bool { return s.Op != esl.Test && s.Op != esl.Skip })
}

// comesBack tells whether a way on from a node of a loop leads back there, whatever is chosen, with nothing between
// that the model has, and without leaving the loop.
func (p *process) comesBack(node int, sp *spin, a arc, seen map[int]bool) bool {
	if a.to < 0 || !a.stays {
		return false
	}
	if a.to == node || seen[a.to] {
		return true
	}
	seen[a.to] = true
	at := p.nodes[a.to]
	if !at.spin.isSame(sp) || len(at.arcs) == 0 || len(at.arcs) > 1 && at.branching != guessed ||
		at.branching == waiting || at.branching == never {
		return false
	}
	return !slices.ContainsFunc(at.arcs, func(next arc) bool {
		isSilent := !slices.ContainsFunc(next.stmts, func(s esl.Stmt) bool { return s.Op != esl.Skip })
		return !isSilent || !p.comesBack(node, sp, next, seen)
	})
}
