package lower

import (
	"fmt"
	"go/token"
	"slices"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/order"
)

// A goroutine may count for two wait groups: one tells that it is ready, the other that it
// is done. The model has one point at which a process is done. So if each goroutine of the
// groups is started once in a run at most, the model has flags for them: a Wait passes if
// a goroutine has not been started, or has called Done. Otherwise, of the groups of one
// statement the model has the one whose Done comes last.

// startedFlag returns the flag that says that a goroutine of the gate has been started.
func (l *lowerer) startedFlag(g *order.Gate, s order.StartSite) int {
	return l.flag(fmt.Sprintf("started_%s_%d", g.Name, slices.Index(g.Starts, s)))
}

// doneFlag returns the flag that says that it has called Done.
func (l *lowerer) doneFlag(g *order.Gate, s order.StartSite) int {
	return l.flag(fmt.Sprintf("ready_%s_%d", g.Name, slices.Index(g.Starts, s)))
}

// startsForGates returns what precedes the start of a goroutine that counts for gates.
func (l *lowerer) startsForGates(at order.StartSite, pos esl.Pos) (stmts []esl.Stmt) {
	for _, g := range l.happensBefore.Gates[at] {
		stmts = append(stmts, esl.Stmt{Op: esl.Set, Arg: l.startedFlag(g, at), Pos: pos})
	}
	return stmts
}

// waitAtGate returns the ways in which a Wait on the gate can pass.
func (l *lowerer) waitAtGate(s state, g *order.Gate, at token.Pos) []outcome {
	pos := l.Program.Position(at)
	all := one(nil, s)
	for _, start := range g.Starts {
		var next []outcome
		for _, o := range all {
			for _, st := range []esl.Stmt{
				{Op: esl.AwaitUnset, Arg: l.startedFlag(g, start), Pos: pos},
				{Op: esl.Await, Arg: l.doneFlag(g, start), Pos: pos},
			} {
				next = append(next, outcome{append(o.stmts[:len(o.stmts):len(o.stmts)], st), s})
			}
		}
		all = next
	}
	return all
}
