package order

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/channel"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// Who has received from ctx.Done(), or was told an error by ctx.Err(), knows that the context
// is over, and a context that is over stays so: from then on ctx.Err() is an error. So
//
//	select {
//	case c.sem <- struct{}{}:
//		return nil
//	case <-ctx.Done():
//		return ctx.Err()
//	}
//
// returns nil only to who has taken the semaphore. That is what package context promises; a
// context of the user's own may do what it likes.

// IsErrorOfContext tells whether the call asks a context for its error, or the cause of it,
// where the context is evidently over. Linear in the depth of the block in the tree of
// dominators.
func (l *Order) IsErrorOfContext(n *pointsto.Node, call ssa.CallInstruction) bool {
	ctx, at := knowledge.ContextAskedForError(call.Common()), call.Block()
	if ctx == nil || at == nil || !l.keepsItsPromise(n, call) {
		return false
	}
	isOver := func(asked ssa.Value) bool {
		done, ok := asked.(*ssa.Call)
		return ok && knowledge.IsContextDone(done.Common()) && l.isSameVariable(n, done.Call.Value, ctx) &&
			l.keepsItsPromise(n, done)
	}
	isError := func(v ssa.Value) bool {
		asked, ok := v.(*ssa.Call)
		return ok && l.isSameVariable(n, knowledge.ContextAskedForError(asked.Common()), ctx) && l.keepsItsPromise(n, asked)
	}
	for b := at; b != nil; b = b.Idom() {
		for _, instr := range b.Instrs {
			if instr == ssa.Instruction(call) {
				break
			}
			if received, ok := instr.(*ssa.UnOp); ok && received.Op == token.ARROW && isOver(received.X) {
				return true
			}
		}
		from := b.Idom()
		if len(b.Preds) != 1 || from != b.Preds[0] {
			continue
		}
		if sel, chosen, ok := channel.CaseTest(from); ok && b == from.Succs[0] && isOver(sel.States[chosen].Chan) {
			return true
		}
		if v, onTrue, ok := comparedWithNil(from); ok && b == from.Succs[1-onTrue] && isError(v) {
			return true
		}
	}
	return false
}

// comparedWithNil returns the value that decides at the end of a block by being nil or not,
// and the number of the successor where it is nil.
func comparedWithNil(b *ssa.BasicBlock) (v ssa.Value, whereNil int, ok bool) {
	branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok || b.Succs[0] == b.Succs[1] {
		return nil, 0, false
	}
	cond, ok := branch.Cond.(*ssa.BinOp)
	if !ok || cond.Op != token.EQL && cond.Op != token.NEQ {
		return nil, 0, false
	}
	if cond.Op == token.NEQ {
		whereNil = 1
	}
	switch {
	case ssaflow.IsNil(cond.Y):
		return cond.X, whereNil, true
	case ssaflow.IsNil(cond.X):
		return cond.Y, whereNil, true
	}
	return nil, 0, false
}

// keepsItsPromise tells whether the method that is called is one of package context, or of
// what only embeds a context, for every context that the program itself has there.
func (l *Order) keepsItsPromise(n *pointsto.Node, call ssa.CallInstruction) bool {
	return !slices.ContainsFunc(l.Graph.Callees(n, call), func(callee *pointsto.Node) bool {
		return !knowledge.IsOfContext(callee.Func) && !knowledge.IsStub(callee.Func)
	})
}

// isSameVariable tells whether two values are one, or are loaded from one variable, or field of
// one object, that is assigned once.
func (l *Order) isSameVariable(n *pointsto.Node, a, b ssa.Value) bool {
	x, isLoad := a.(*ssa.UnOp)
	y, isAlso := b.(*ssa.UnOp)
	if a == b || !isLoad || !isAlso || x.Op != token.MUL || y.Op != token.MUL {
		return a == b
	}
	first, isField := x.X.(*ssa.FieldAddr)
	second, isAlso := y.X.(*ssa.FieldAddr)
	if isField && isAlso {
		return first.Field == second.Field && l.isSameVariable(n, first.X, second.X) && l.isSetOnce(n, first)
	}
	return x.X == y.X && l.values.IsAssignedOnce(x.X)
}

// isSetOnce tells whether a field, of every object that it may be one of, is stored to only where
// that object is made, once.
func (l *Order) isSetOnce(n *pointsto.Node, field *ssa.FieldAddr) bool {
	cells := l.Graph.PointsTo(n, field).Cells()
	sets := func(m *pointsto.Node, store *ssa.Store) bool {
		return slices.ContainsFunc(l.Graph.PointsTo(m, store.Addr).Cells(), func(to pointsto.Cell) bool {
			return slices.ContainsFunc(cells, func(c pointsto.Cell) bool {
				return to.Object == c.Object && pointsto.Overlaps(to.Path, c.Path)
			})
		})
	}
	var objects []*pointsto.Object
	for _, c := range cells {
		objects = append(objects, c.Object)
	}
	set := map[ssa.Value]*ssa.Store{}
	for _, m := range l.Graph.Holders(objects...) {
		for _, b := range m.Func.Blocks {
			for _, instr := range b.Instrs {
				store, ok := instr.(*ssa.Store)
				if !ok || !sets(m, store) {
					continue
				}
				base, _ := modref.FieldPath(store.Addr)
				made, ok := base.(*ssa.Alloc)
				if !ok || m.Func == field.Parent() || set[made] != nil && set[made] != store ||
					ssaflow.RepeatsWithout(b, made.Block()) {
					return false
				}
				set[made] = store
			}
		}
	}
	return len(cells) > 0
}
