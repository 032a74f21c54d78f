package lower

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/reduce"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// comparedToNil returns the tag of a comparison with nil.
func (l *lowerer) comparedToNil(c *clone, s state, v *ssa.BinOp) tag {
	if v.Op != token.EQL && v.Op != token.NEQ {
		return tag{}
	}
	x := v.X
	if ssaflow.IsNil(x) {
		x = v.Y
	} else if !ssaflow.IsNil(v.Y) {
		return l.comparedErrors(c, s, v)
	}
	switch g := l.tagOf(c, s, x); {
	case g.kind == nilness:
		return truthTag((g.field == 0) == (v.Op == token.EQL))
	case g.kind == object && !l.mayBeNil(c, x, v, g):
		return truthTag(v.Op == token.NEQ)
	case g.kind == channelOf:
		return truthTag((g.field < 0) == (v.Op == token.EQL))
	}
	return tag{}
}

// comparedErrors returns the tag of a comparison of two errors, as with io.EOF: one that
// is nil is none that is not.
func (l *lowerer) comparedErrors(c *clone, s state, v *ssa.BinOp) tag {
	if !isError(v.X.Type()) || !isError(v.Y.Type()) {
		return tag{}
	}
	x, y := l.decisive(c, s, v.X), l.decisive(c, s, v.Y)
	if x.kind != nilness || y.kind != nilness || x.field == y.field {
		return tag{}
	}
	return truthTag(v.Op == token.NEQ)
}

// mayBeNil tells whether a pointer that the tag says is a star may be nil instead. Of
// a star that exists once, the tag says only that the pointer is to no other object; a
// star of several is told apart from what else the pointer may be, nil included.
func (l *lowerer) mayBeNil(c *clone, v ssa.Value, at ssa.Instruction, g tag) bool {
	return g.kind == object && l.Stars.Stars[g.star].Single && !isFollowedBefore(v, at) && !l.isNeverNil(c.node, v, 0)
}

// isFollowedBefore tells whether the instruction is executed only after the address of
// a field was taken of what v points to: that panics if v is nil.
func isFollowedBefore(v ssa.Value, at ssa.Instruction) bool {
	if v.Referrers() == nil {
		return false
	}
	return slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool {
		field, ok := r.(*ssa.FieldAddr)
		return ok && comesBefore(field, at)
	})
}

// comesBefore tells whether every path to an instruction passes another one of the
// same function.
func comesBefore(first, second ssa.Instruction) bool {
	if first.Block() != second.Block() {
		return first.Block().Dominates(second.Block())
	}
	for _, instr := range first.Block().Instrs {
		switch instr {
		case second:
			return false
		case first:
			return true
		}
	}
	return false
}

// maxOrigins bounds how far back the origin of a pointer is looked for.
const maxOrigins = 12

// isNeverNil tells whether a pointer, or what is in an interface, evidently is not
// nil: it is the address of something, here or in every caller.
func (l *lowerer) isNeverNil(n *pointsto.Node, v ssa.Value, depth int) bool {
	if depth == maxOrigins {
		return false
	}
	switch v := v.(type) {
	case *ssa.Alloc, *ssa.Global, *ssa.FieldAddr, *ssa.IndexAddr, *ssa.MakeInterface:
		return true
	case *ssa.ChangeType:
		return l.isNeverNil(n, v.X, depth+1)
	case *ssa.ChangeInterface:
		return l.isNeverNil(n, v.X, depth+1)
	case *ssa.Phi:
		return !slices.ContainsFunc(v.Edges, func(e ssa.Value) bool { return !l.isNeverNil(n, e, depth+1) })
	case *ssa.UnOp:
		return v.Op == token.MUL && l.holdsNeverNil(n, v, depth)
	case *ssa.FreeVar: // of a method value
		bound, around := boundTo(v), l.Graph.NodesOf(v.Parent().Parent())
		return bound != nil && len(around) > 0 && !slices.ContainsFunc(around, func(m *pointsto.Node) bool { return !l.isNeverNil(m, bound, depth+1) })
	case *ssa.Parameter:
		key := modref.NodeValue{Node: n, Value: v}
		known, ok := l.NeverNil[key]
		if !ok {
			l.NeverNil[key] = false // of what is passed on in a cycle of calls
			known = l.isPassedNeverNil(n, v, depth)
			l.NeverNil[key] = known
		}
		return known
	}
	return false
}

// holdsNeverNil tells whether the variable that is loaded is assigned once, before,
// and not nil.
func (l *lowerer) holdsNeverNil(n *pointsto.Node, load *ssa.UnOp, depth int) bool {
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
	if !ok || !l.function(a.Parent()).onceCells[a] {
		return false
	}
	for _, r := range *a.Referrers() {
		store, ok := r.(*ssa.Store)
		if !ok {
			continue
		}
		if isCapturedBefore(a, store) || a.Parent() == load.Parent() && !comesBefore(store, load) ||
			slices.ContainsFunc(nodes, func(m *pointsto.Node) bool { return !l.isNeverNil(m, store.Val, depth+1) }) {
			return false
		}
	}
	return len(nodes) > 0
}

// isPassedNeverNil tells whether every call passes something else than nil for the
// parameter.
func (l *lowerer) isPassedNeverNil(n *pointsto.Node, p *ssa.Parameter, depth int) bool {
	i := slices.Index(n.Func.Params, p)
	callers := l.Graph.Callers(n)
	for _, e := range callers {
		args := reduce.Arguments(e.Site.Common())
		if e.Start != nil || i == 0 && e.Site.Common().IsInvoke() || i >= len(args) || len(args) != len(n.Func.Params) || !l.isNeverNil(e.Caller, args[i], depth+1) {
			return false
		}
	}
	return len(callers) > 0
}

// failsAssertion tells whether the pointer to a star that an interface holds has not
// the methods of another interface: then the assertion gives nil, or panics.
func (l *lowerer) failsAssertion(g tag, asserted types.Type) bool {
	methods, ok := asserted.Underlying().(*types.Interface)
	if !ok {
		return false
	}
	for o := range l.Stars.Stars[g.star].Objects {
		t := pointsto.Cell{Object: o, Path: g.path}.Type()
		if t == nil || types.Implements(types.NewPointer(t), methods) {
			return false
		}
	}
	return true
}
