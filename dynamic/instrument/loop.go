package instrument

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/empire-go/empire-go/dynamic/trace"
	"github.com/empire-go/empire-go/dynamic/watch"
	"github.com/empire-go/empire-go/frontend/knowledge"
)

// splits returns the calls that begin the next units at each iteration of a loop.
func (f *file) splits(n ast.Stmt) []string {
	var all []string
	for _, u := range f.scope.units {
		if u.kind == watch.Direct && f.scope.loops[n][u.set] {
			all = append(all, f.method("Split", u.site))
		}
	}
	return all
}

// again returns the statements that begin all units anew at each iteration of a service loop.
func (f *file) again(n ast.Stmt) string {
	if !slices.ContainsFunc(f.plan.Loops, func(l watch.Loop) bool { return f.innermost(n, l.Pos) }) {
		return ""
	}
	var end, begin strings.Builder
	for _, u := range f.scope.units {
		end.WriteString(f.method("UnitEnd") + "; ")
		begin.WriteString(u.begin + "; ")
	}
	return end.String() + begin.String()
}

// innermost tells whether a loop is the innermost one around a position.
func (f *file) innermost(n ast.Stmt, position string) bool {
	name, _, _ := strings.Cut(position, ":")
	if !strings.HasPrefix(f.position(n.Pos()), name+":") {
		return false
	}
	found := false
	ast.Inspect(n, func(c ast.Node) bool {
		switch c := c.(type) {
		case nil:
			return false
		case *ast.FuncLit:
			return false
		case *ast.ForStmt, *ast.RangeStmt:
			if c != ast.Node(n) && f.contains(c, position) {
				found = false
				return false
			}
		}
		if f.position(watch.Position(c)) == position || f.position(c.Pos()) == position {
			found = true
		}
		return true
	})
	return found
}

func (f *file) contains(n ast.Node, position string) bool {
	found := false
	ast.Inspect(n, func(c ast.Node) bool {
		if c != nil && (f.position(watch.Position(c)) == position || f.position(c.Pos()) == position) {
			found = true
		}
		return !found
	})
	return found
}

// after is what stands after a loop: the next stretch of a unit begins.
func after(splits []string) string {
	if len(splits) == 0 {
		return ""
	}
	return "; " + strings.Join(splits, "; ")
}

// bodyOf renders the body of a loop with statements before it.
func (f *file) bodyOf(body *ast.BlockStmt, first string) string {
	text := f.children(body)
	if first == "" {
		return text
	}
	return "{ " + first + text[1:]
}

// forStmt rewrites a loop; outer is the loop or its label.
func (f *file) forStmt(outer ast.Stmt, n *ast.ForStmt) string {
	splits, again := f.splits(n), f.again(n)
	var b strings.Builder
	b.WriteString(f.text(outer.Pos(), n.Pos()))
	at := n.Pos()
	part := func(c ast.Node, text string) {
		b.WriteString(f.text(at, c.Pos()))
		b.WriteString(text)
		at = c.End()
	}
	if n.Init != nil {
		part(n.Init, f.render(n.Init))
	}
	first, rounds := again, splits // what is called before each round
	if f.steered && f.scope != nil && f.spins(n) {
		rounds = append([]string{f.hook("Spin")}, splits...)
	}
	if n.Cond != nil {
		condition := f.render(n.Cond)
		if len(rounds) > 0 {
			condition = strings.Join(rounds, " && ") + " && (" + condition + ")"
		}
		part(n.Cond, condition)
	} else {
		for _, s := range rounds {
			first += s + "; "
		}
	}
	if n.Post != nil {
		part(n.Post, f.render(n.Post))
	}
	part(n.Body, f.bodyOf(n.Body, first))
	if n.Cond != nil || f.breaks(outer, n.Body) {
		b.WriteString(after(splits))
	}
	return b.String()
}

// spins tells whether a loop may wait for others by package sync/atomic: for a variable that is
// not watched, since those that are have hooks of their own.
func (f *file) spins(n *ast.ForStmt) bool {
	var within ast.Node = n.Body
	if n.Cond != nil {
		within = n.Cond
	}
	found := false
	ast.Inspect(within, func(c ast.Node) bool {
		switch c := c.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			found = found || f.looksAtomically(c)
		}
		return !found
	})
	return found
}

// looksAtomically tells whether the call is an operation of package sync/atomic that tells what
// is in a variable, and the variable is not watched.
func (f *file) looksAtomically(n *ast.CallExpr) bool {
	known, on := f.calledFunction(n).Atomic, ast.Expr(nil)
	if known != knowledge.NoAtomic && len(n.Args) > 0 {
		on = ast.Unparen(n.Args[0])
		if u, ok := on.(*ast.UnaryExpr); ok && u.Op == token.AND {
			on = u.X
		}
	} else if s, ok := n.Fun.(*ast.SelectorExpr); ok && f.info.Selections[s] != nil {
		if fn, ok := f.info.Selections[s].Obj().(*types.Func); ok {
			known, on = knowledge.OfObject(fn).Atomic, s.X
		}
	}
	op, _ := atomicOp(known)
	return (op == trace.AtomicRead || op == trace.RMW) && len(f.hits(on)) == 0
}

// breaks tells whether a loop without a condition ends: else nothing may follow it where
// the function has to return something.
func (f *file) breaks(outer ast.Stmt, body *ast.BlockStmt) bool {
	label := ""
	if l, ok := outer.(*ast.LabeledStmt); ok {
		label = l.Label.Name
	}
	found := false
	var visit func(n ast.Node, inner bool)
	visit = func(n ast.Node, inner bool) {
		switch n := n.(type) {
		case *ast.FuncLit:
			return
		case *ast.BranchStmt:
			if n.Tok == token.BREAK && (n.Label == nil && !inner || n.Label != nil && n.Label.Name == label) {
				found = true
			}
		case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
			inner = true
		}
		for _, c := range childrenOf(n) {
			visit(c, inner)
		}
	}
	visit(body, false)
	return found
}

// ranged is the text of what a loop goes through. Of a map the runtime chooses the order, which a
// replay has to repeat.
func (f *file) ranged(n *ast.RangeStmt) string {
	text := f.render(n.X)
	if _, isMap := types.Unalias(f.info.TypeOf(n.X)).Underlying().(*types.Map); isMap && f.steered && f.scope != nil {
		text = f.hook("Ordered", text)
	}
	return text
}

// elementOwner is the watched field whose elements a loop reads, nil if none.
func (f *file) elementOwner(n *ast.RangeStmt) ast.Expr {
	if f.scope == nil {
		return nil
	}
	switch types.Unalias(f.info.TypeOf(n.X)).Underlying().(type) {
	case *types.Map:
	case *types.Slice:
		if v, ok := n.Value.(*ast.Ident); n.Value == nil || ok && v.Name == "_" {
			return nil
		}
	default:
		return nil
	}
	if len(f.hits(n.X)) == 0 {
		return nil
	}
	return n.X
}

// rangeStmt rewrites a range loop.
func (f *file) rangeStmt(outer ast.Stmt, n *ast.RangeStmt) string {
	if _, ok := types.Unalias(f.info.TypeOf(n.X)).Underlying().(*types.Chan); ok {
		return f.rangeChannel(outer, n)
	}
	splits := f.splits(n)
	key, over, read := f.rangedElements(n)
	var b strings.Builder
	b.WriteString(f.text(outer.Pos(), n.Pos()))
	at := n.Pos()
	for _, e := range []ast.Expr{n.Key, n.Value} {
		if e == nil {
			continue
		}
		b.WriteString(f.text(at, e.Pos()))
		if e == n.Key && key != "" {
			b.WriteString(key)
		} else {
			b.WriteString(f.loopVariable(n, e))
		}
		at = e.End()
	}
	elements := f.rangedOver(n)
	b.WriteString(f.text(at, n.X.Pos()))
	if over != "" {
		b.WriteString(over)
	} else {
		b.WriteString(f.ranged(n))
	}
	b.WriteString(f.text(n.X.End(), n.Body.Pos()))
	first, body := f.again(n), f.children(n.Body)
	rounds := ""
	for _, s := range splits {
		rounds += s + "; "
	}
	if owner := f.elementOwner(n); owner != nil && f.isPure(owner) && !f.full {
		isAll := rounds != "" && first+read+elements == "" && f.isSilent(n.Body, body)
		rounds = f.round(rounds, "&"+f.raw(ast.Unparen(owner)), f.hits(owner), f.elementsAt(n), isAll)
	}
	if first += rounds + read + elements; first != "" {
		body = "{ " + first + body[1:]
	}
	b.WriteString(body)
	b.WriteString(after(splits))
	return b.String()
}

// round is the beginning of a round of a loop that reads an element of what is at an address, with the units that
// begin anew there. If that is all that a round does, one like the round before is left out, see hook.Seen: its units
// would do once more what those have done, and nothing has happened since.
func (f *file) round(splits, address string, hits []hit, at token.Pos, isAll bool) string {
	if isAll && len(hits) == 1 {
		if text, ok := f.repeatedRound(splits, address, hits[0], at); ok {
			return text
		}
	}
	return splits + f.wrap(address, "Read", "Read", hits, "read", at) + "; "
}

// isSilent tells whether the body of a loop, rendered as a text, does nothing that a hook could be told of, and leaves
// the loop only for what is behind it, where units begin anew, or with the function.
func (f *file) isSilent(body *ast.BlockStmt, text string) bool {
	calls, _ := f.interruptions(body)
	jumps := false
	ast.Inspect(body, func(n ast.Node) bool {
		branch, ok := n.(*ast.BranchStmt)
		jumps = jumps || ok && branch.Label != nil
		return !jumps
	})
	return len(calls) == 0 && !jumps && !strings.Contains(text, hookName)
}

// loopVariable renders what a range loop assigns to.
func (f *file) loopVariable(n *ast.RangeStmt, e ast.Expr) string {
	if n.Tok == token.DEFINE {
		return f.raw(e)
	}
	if t := f.target(e); t.isWatched() {
		return f.write(t)
	}
	return f.address(e)
}

// rangeChannel rewrites for v := range ch into receives.
func (f *file) rangeChannel(outer ast.Stmt, n *ast.RangeStmt) string {
	splits := f.splits(n)
	site := f.syncSite(n.X, "recv", n.For)
	from := f.hook(f.chosen("From2"), site, "empireCh")
	first := f.again(n)
	for _, s := range splits {
		first += s + "; "
	}
	receive := "_, empireOK := " + from + "; if !empireOK { break }; "
	switch id, isIdent := n.Key.(*ast.Ident); {
	case n.Key == nil || isIdent && id.Name == "_":
	case n.Tok == token.DEFINE:
		receive = fmt.Sprintf("%s, empireOK := %s; if !empireOK { break }; ", f.raw(n.Key), from)
	default:
		receive = fmt.Sprintf("empireV, empireOK := %s; if !empireOK { break }; %s = empireV; ", from,
			f.loopVariable(n, n.Key))
	}
	if units := len(f.scope.units); units > 0 && len(splits) == units {
		receive = f.method("Rest", fmt.Sprint(units)) + "; " + receive // all units of the function end here
	}
	return f.text(outer.Pos(), n.Pos()) + "for empireCh := (" + f.render(n.X) + "); ; " +
		newlines(f.text(n.Pos(), n.Body.Pos())) + f.bodyOf(n.Body, receive+first) + after(splits)
}

// newlines keeps the lines of a text that is replaced.
func newlines(s string) string { return strings.Repeat("\n", strings.Count(s, "\n")) }
