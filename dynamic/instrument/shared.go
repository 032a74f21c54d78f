package instrument

import (
	"go/ast"
	"go/types"

	"github.com/empire-go/empire-go/frontend/knowledge"
)

// groupsInFull are the hooks of groups of goroutines that hand on an error.
var groupsInFull = map[knowledge.WaitGroupOp]syncMethod{
	knowledge.Go:    {"GoIn", "go"},
	knowledge.TryGo: {"TryGoIn", "go"},
	knowledge.Wait:  {"WaitIn", "wait"},
}

// sharedCall rewrites the calls, besides those of package sync, by which goroutines learn of each other, where a
// program is recorded in full or exactly.
func (f *file) sharedCall(n *ast.CallExpr) (string, bool) {
	if !f.full && !f.exact || n.Ellipsis.IsValid() {
		return "", false
	}
	if f.isBuiltin(n.Fun) {
		return f.length(n)
	}
	fn := f.callee(n)
	if fn == nil {
		return "", false
	}
	if f.full {
		switch knowledge.EndsContext(fn) {
		case knowledge.ByCancel:
			return f.hook("Ends", f.syncSite(n, "close", n.Lparen)) + ".By(" + f.children(n) + ")", true
		case knowledge.ByCause:
			return f.hook("Ends", f.syncSite(n, "close", n.Lparen)) + ".ByCause(" + f.children(n) + ")", true
		}
		if knowledge.OfObject(fn).Makes == knowledge.NewGroup && len(n.Args) == 1 {
			return f.hook("GroupOf", f.syncSite(n, "close", n.Lparen), f.raw(n.Fun), f.render(n.Args[0])), true
		}
	}
	s := ast.Unparen(n.Fun).(*ast.SelectorExpr)
	selection := f.info.Selections[s]
	if selection == nil || selection.Kind() != types.MethodVal {
		return "", false
	}
	if f.full && knowledge.AsksForError(fn) {
		return f.hook("Err", f.syncSite(s.X, "look", n.Lparen), f.render(s.X)), true
	}
	m, ok := groupsInFull[knowledge.OfObject(fn).Group]
	if !ok || knowledge.Synchronises(fn) || fn.Signature().Results().Len() > 1 || !handsOnError(fn) {
		return "", false
	}
	group, ok := f.receiverAddress(s, selection)
	if !ok || !f.isPure(s.X) {
		f.leave(n, "the group is no variable; make it one")
		return "", false
	}
	operands := []string{f.syncSite(s.X, m.kind, n.Lparen), group, f.raw(s)}
	for _, a := range n.Args {
		operands = append(operands, f.render(a))
	}
	return f.sameLines(n, f.hook(m.hook, operands...)), true
}

// handsOnError tells whether what a group runs, or what it is waited for with, returns an error.
func handsOnError(method *types.Func) bool {
	s := method.Signature()
	if s.Params().Len() == 1 {
		f, ok := types.Unalias(s.Params().At(0).Type()).Underlying().(*types.Signature)
		return ok && f.Params().Len() == 0 && isError(f.Results())
	}
	return s.Params().Len() == 0 && isError(s.Results())
}

func isError(results *types.Tuple) bool {
	return results.Len() == 1 && types.Identical(results.At(0).Type(), types.Universe.Lookup("error").Type())
}

// length rewrites len(ch), which looks at the channel.
func (f *file) length(n *ast.CallExpr) (string, bool) {
	id, ok := ast.Unparen(n.Fun).(*ast.Ident)
	if !ok || !f.full || id.Name != "len" || len(n.Args) != 1 {
		return "", false
	}
	c, ok := types.Unalias(f.info.TypeOf(n.Args[0])).Underlying().(*types.Chan)
	if !ok {
		return "", false
	}
	hook := "Len"
	if c.Dir() == types.SendOnly {
		hook = "LenToSend"
	}
	return f.hook(hook, f.syncSite(n.Args[0], "look", n.Lparen), f.render(n.Args[0])), true
}

// isRepeatable tells whether the channel of a case of a select may be evaluated twice: it calls nothing, or asks a
// context for the channel that it always has.
func (f *file) isRepeatable(e ast.Expr) bool {
	if n, ok := ast.Unparen(e).(*ast.CallExpr); ok {
		if fn := f.callee(n); fn != nil && knowledge.AsksForDone(fn) {
			return f.isPure(n.Fun.(*ast.SelectorExpr).X)
		}
	}
	return f.isPure(e)
}

// isOwnTimer tells whether a channel is one that is made where it is received from, and that only time sends to.
func (f *file) isOwnTimer(e ast.Expr) bool {
	n, ok := ast.Unparen(e).(*ast.CallExpr)
	return ok && f.calledFunction(n).Time == knowledge.After
}
