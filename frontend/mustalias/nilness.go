package mustalias

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// IsFollowedBefore tells whether the instruction is executed only after the address of
// a field was taken of what v points to: that panics if v is nil.
func IsFollowedBefore(v ssa.Value, at ssa.Instruction) bool {
	if v.Referrers() == nil {
		return false
	}
	return slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool {
		field, ok := r.(*ssa.FieldAddr)
		return ok && ssaflow.Precedes(field, at)
	})
}

// maxOrigins bounds how far back the origin of a pointer is looked for.
const maxOrigins = 12

// IsNeverNil tells whether a pointer, or what is in an interface, evidently is not
// nil: it is the address of something, here or in every caller.
func (l *Values) IsNeverNil(n *pointsto.Node, v ssa.Value, depth int) bool {
	if depth == maxOrigins {
		return false
	}
	switch v := v.(type) {
	case *ssa.Alloc, *ssa.Global, *ssa.FieldAddr, *ssa.IndexAddr, *ssa.MakeInterface:
		return true
	case *ssa.ChangeType:
		return l.IsNeverNil(n, v.X, depth+1)
	case *ssa.ChangeInterface:
		return l.IsNeverNil(n, v.X, depth+1)
	case *ssa.Phi:
		return !slices.ContainsFunc(v.Edges, func(e ssa.Value) bool { return !l.IsNeverNil(n, e, depth+1) })
	case *ssa.UnOp:
		return v.Op == token.MUL && l.holdsNeverNil(n, v, depth)
	case *ssa.FreeVar: // of a method value
		bound, around := boundTo(v), l.Graph.NodesOf(v.Parent().Parent())
		return bound != nil && len(around) > 0 && !slices.ContainsFunc(around, func(m *pointsto.Node) bool {
			return !l.IsNeverNil(m, bound, depth+1)
		})
	case *ssa.Parameter:
		key := modref.NodeValue{Node: n, Value: v}
		known, ok := l.neverNil[key]
		if !ok {
			l.neverNil[key] = false // of what is passed on in a cycle of calls
			known = l.isPassedNeverNil(n, v, depth)
			l.neverNil[key] = known
		}
		return known
	}
	return false
}

// holdsNeverNil tells whether the variable that is loaded is assigned once, before,
// and not nil.
func (l *Values) holdsNeverNil(n *pointsto.Node, load *ssa.UnOp, depth int) bool {
	variable, nodes := load.X, []*pointsto.Node{n}
	for {
		captured, ok := variable.(*ssa.FreeVar)
		if !ok {
			break
		}
		if variable = boundTo(captured); variable == nil {
			return false
		}
		nodes = l.Graph.NodesOf(captured.Parent().Parent())
	}
	a, ok := variable.(*ssa.Alloc)
	if !ok || !l.Function(a.Parent()).OnceCells[a] {
		return false
	}
	for _, r := range *a.Referrers() {
		store, ok := r.(*ssa.Store)
		if !ok {
			continue
		}
		if IsCapturedBefore(a, store) || a.Parent() == load.Parent() && !ssaflow.Precedes(store, load) ||
			slices.ContainsFunc(nodes, func(m *pointsto.Node) bool { return !l.IsNeverNil(m, store.Val, depth+1) }) {
			return false
		}
	}
	return len(nodes) > 0
}

// isPassedNeverNil tells whether every call passes something else than nil for the
// parameter.
func (l *Values) isPassedNeverNil(n *pointsto.Node, p *ssa.Parameter, depth int) bool {
	i := slices.Index(n.Func.Params, p)
	callers := l.Graph.Callers(n)
	for _, e := range callers {
		args := ssaflow.Arguments(e.Site.Common())
		if e.Start != nil || i == 0 && e.Site.Common().IsInvoke() || i >= len(args) || len(args) != len(n.Func.Params) ||
			!l.IsNeverNil(e.Caller, args[i], depth+1) {
			return false
		}
	}
	return len(callers) > 0
}

// IsCapturedBefore tells whether a closure may have captured the variable when the
// store to it is executed.
func IsCapturedBefore(a *ssa.Alloc, store *ssa.Store) bool {
	for _, r := range *a.Referrers() {
		made, ok := r.(*ssa.MakeClosure)
		if !ok {
			continue
		}
		if made.Block() != store.Block() {
			if !store.Block().Dominates(made.Block()) {
				return true
			}
			continue
		}
		for _, instr := range store.Block().Instrs {
			if instr == ssa.Instruction(made) {
				return true
			}
			if instr == ssa.Instruction(store) {
				break
			}
		}
	}
	return false
}
