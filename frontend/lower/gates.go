package lower

import (
	"fmt"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/multiplicity"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// A goroutine may count for two wait groups: one tells that it is ready, the other that it
// is done. The model has one point at which a process is done. So if each goroutine of the
// groups is started once in a run at most, the model has flags for them: a Wait passes if
// a goroutine has not been started, or has called Done. Otherwise, of the groups of one
// statement the model has the one whose Done comes last.

// maxGate bounds the goroutines of a group that has flags: there are two ways for each to
// pass.
const maxGate = 3

// gate is a wait group that has flags.
type gate struct {
	name    string
	starts  []startSite
	entries map[*pointsto.Node]startSite // what its goroutines run: by which statement each is started
}

// countedGroup is a wait group with evident joins, and its operations.
type countedGroup struct {
	*groupUses
	starts []startSite
	gate   *gate
}

// settleGates returns the groups that are left when no process has more than one point at
// which it is done.
func settleGates(graph *pointsto.Result, often *multiplicity.Analysis, groups []*countedGroup) []*countedGroup {
	var sites []startSite
	at := map[startSite][]*countedGroup{}
	for _, g := range groups {
		for _, s := range g.starts {
			if at[s] == nil {
				sites = append(sites, s)
			}
			at[s] = append(at[s], g)
		}
	}
	dropped := map[*countedGroup]bool{}
	for _, s := range sites {
		of := slices.DeleteFunc(slices.Clone(at[s]), func(g *countedGroup) bool { return dropped[g] })
		if len(of) < 2 {
			continue
		}
		for _, g := range of {
			g.gate = g.asGate(graph, often)
		}
		for _, g := range of {
			if g.gate == nil && slices.ContainsFunc(of, func(other *countedGroup) bool {
				return other != g && other.gate == nil && !dropped[other] && !g.isDoneAfter(other)
			}) {
				dropped[g] = true
			}
		}
	}
	return slices.DeleteFunc(groups, func(g *countedGroup) bool { return dropped[g] })
}

// asGate returns the group as one with flags, nil if it cannot have them.
func (g *countedGroup) asGate(graph *pointsto.Result, often *multiplicity.Analysis) *gate {
	if g.gate != nil {
		return g.gate
	}
	if len(g.gos) > 0 || g.nested || len(g.starts) > maxGate {
		return nil
	}
	made := &gate{name: fmt.Sprintf("%s_%d.%s", variableName(g.cell.Object), g.cell.Object.ID, g.cell.Path), starts: g.starts, entries: map[*pointsto.Node]startSite{}}
	for _, s := range g.starts {
		if !often.OnceAt(s.node, s.site) {
			return nil
		}
	}
	for _, done := range g.dones {
		callers := graph.Callers(done.node)
		if len(callers) != 1 {
			return nil
		}
		made.entries[done.node] = startSite{callers[0].Caller, callers[0].Site}
	}
	return made
}

// isDoneAfter tells whether goroutines call Done of this group after that of the other.
func (g *countedGroup) isDoneAfter(other *countedGroup) bool {
	for _, mine := range g.acts {
		for _, theirs := range other.acts {
			if mine.node == theirs.node && (mine.site == theirs.site || !happensLater(mine.site, theirs.site)) {
				return false
			}
		}
	}
	return true
}

// happensLater tells whether the first of two last acts of a function is the last one:
// deferred calls run when it returns, in reverse order.
func happensLater(a, b ssa.CallInstruction) bool {
	_, isDeferred := a.(*ssa.Defer)
	if _, other := b.(*ssa.Defer); isDeferred != other {
		return isDeferred
	}
	if isDeferred {
		return ssaflow.Precedes(a, b)
	}
	return ssaflow.Precedes(b, a)
}

// startedFlag returns the flag that says that a goroutine of the gate has been started.
func (l *lowerer) startedFlag(g *gate, s startSite) int {
	return l.flag(fmt.Sprintf("started_%s_%d", g.name, slices.Index(g.starts, s)))
}

// doneFlag returns the flag that says that it has called Done.
func (l *lowerer) doneFlag(g *gate, s startSite) int {
	return l.flag(fmt.Sprintf("ready_%s_%d", g.name, slices.Index(g.starts, s)))
}

// startsForGates returns what precedes the start of a goroutine that counts for gates.
func (l *lowerer) startsForGates(at startSite, pos esl.Pos) (stmts []esl.Stmt) {
	for _, g := range l.joins.gates[at] {
		stmts = append(stmts, esl.Stmt{Op: esl.Set, Arg: l.startedFlag(g, at), Pos: pos})
	}
	return stmts
}

// waitAtGate returns the ways in which a Wait on the gate can pass.
func (l *lowerer) waitAtGate(s state, g *gate, at token.Pos) []outcome {
	pos := l.Program.Position(at)
	all := one(nil, s)
	for _, start := range g.starts {
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
