package order

import (
	"fmt"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/multiplicity"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// maxGate bounds the goroutines of a group that has flags: there are two ways for each to
// pass.
const maxGate = 3

// Gate is a wait group that has flags.
type Gate struct {
	Name    string
	Starts  []StartSite
	Entries map[*pointsto.Node]StartSite // what its goroutines run: by which statement each is started
}

// countedGroup is a wait group with evident joins, and its operations.
type countedGroup struct {
	*groupUses
	starts []StartSite
	gate   *Gate
	own    bool // see JoinGroup
}

// settleGates returns the groups that are left when no process has more than one point at
// which it is done.
func settleGates(graph *pointsto.Result, often *multiplicity.Analysis, groups []*countedGroup) []*countedGroup {
	var sites []StartSite
	at := map[StartSite][]*countedGroup{}
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
func (g *countedGroup) asGate(graph *pointsto.Result, often *multiplicity.Analysis) *Gate {
	if g.gate != nil {
		return g.gate
	}
	if g.own || len(g.gos) > 0 || g.nested || len(g.starts) > maxGate {
		return nil
	}
	made := &Gate{Name: fmt.Sprintf("%s_%d.%s", VariableName(g.cell.Object), g.cell.Object.ID, g.cell.Path),
		Starts: g.starts, Entries: map[*pointsto.Node]StartSite{}}
	for _, s := range g.starts {
		if !often.OnceAt(s.Node, s.Site) {
			return nil
		}
	}
	for _, done := range g.dones {
		callers := graph.Callers(done.Node)
		if len(callers) != 1 {
			return nil
		}
		made.Entries[done.Node] = StartSite{callers[0].Caller, callers[0].Site}
	}
	return made
}

// isDoneAfter tells whether goroutines call Done of this group after that of the other.
func (g *countedGroup) isDoneAfter(other *countedGroup) bool {
	for _, mine := range g.acts {
		for _, theirs := range other.acts {
			if mine.Node == theirs.Node && (mine.Site == theirs.Site || !happensLater(mine.Site, theirs.Site)) {
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
