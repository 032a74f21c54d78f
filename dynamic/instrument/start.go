package instrument

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// The largest function types that Bind has a form for; see hook/bind.go.
const (
	bindParameters = 6
	bindResults    = 2
)

// goStmt rewrites a go statement. The operands are still evaluated by the goroutine that
// carries it out.
func (f *file) goStmt(n *ast.GoStmt) (string, bool) {
	if f.scope == nil {
		return "", false
	}
	if f.isBuiltin(n.Call.Fun) {
		f.leave(n, "it starts a function of the language")
		return "", false
	}
	child := fmt.Sprintf("empireC%d", f.fset.Position(n.Pos()).Offset)
	fork := "{ " + child + " := " + f.method("Fork", f.syncSite(n.Call.Fun, "go", n.Go)) + "; "
	head := f.text(n.Pos(), n.Call.Pos())
	if lit, ok := ast.Unparen(n.Call.Fun).(*ast.FuncLit); ok {
		return fork + head + f.startedLiteral(lit, child) + f.arguments(n.Call) + " }", true
	}
	if text, ok := f.goHooked(n, fork, child); ok {
		return text, true
	}
	if bind, ok := f.bind(n.Call); ok {
		return fork + head + hookName + "." + bind + "(" + child + ", " + f.render(n.Call.Fun) + ")" + f.arguments(n.Call) +
			" }", true
	}
	return f.goCall(n, fork, child)
}

// goCall rewrites a go statement with a function for which there is no Bind: what it is handed is
// evaluated before.
func (f *file) goCall(n *ast.GoStmt, fork, child string) (string, bool) {
	callee, text := f.raw(n.Call.Fun), fork
	if !f.isUninstantiated(n.Call.Fun) {
		text, callee = text+"empireF := "+f.render(n.Call.Fun)+"; ", "empireF"
	}
	var operands []string
	for i, a := range n.Call.Args {
		name := f.raw(a)
		if tv := f.info.Types[a]; !tv.IsNil() && tv.Value == nil {
			name = fmt.Sprintf("empireA%d", i)
			text += name + " := " + f.render(a) + "; "
		}
		operands = append(operands, name)
	}
	call := callee + "(" + strings.Join(operands, ", ")
	if n.Call.Ellipsis.IsValid() {
		call += "..."
	}
	text += "go func() { " + fmt.Sprintf("%s := %s.Begin(); defer %s.End(); ", gName, child, gName) + call + ") }() }"
	return f.sameLines(n, text), true
}

// sameLines adds the newlines that the text for a node has lost.
func (f *file) sameLines(n ast.Node, text string) string {
	return text + strings.Repeat("\n", max(0, strings.Count(f.raw(n), "\n")-strings.Count(text, "\n")))
}

// startedLiteral renders a literal that is a goroutine of its own.
func (f *file) startedLiteral(lit *ast.FuncLit, child string) string {
	f.use()
	return f.text(lit.Pos(), lit.Body.Pos()) + f.functionFrom(
		lit, lit.Type, lit.Body, "", fmt.Sprintf("%s := %s.Begin(); defer %s.End(); ", gName, child, gName))
}

// arguments is the text of a call behind its function.
func (f *file) arguments(n *ast.CallExpr) string {
	var b strings.Builder
	at := n.Fun.End()
	for _, a := range n.Args {
		b.WriteString(f.text(at, a.Pos()))
		b.WriteString(f.render(a))
		at = a.End()
	}
	b.WriteString(f.text(at, n.End()))
	return b.String()
}

// bind returns the form of Bind for the function of a call.
func (f *file) bind(n *ast.CallExpr) (string, bool) {
	t := f.info.TypeOf(n.Fun)
	if t == nil {
		return "", false
	}
	signature, ok := types.Unalias(t).Underlying().(*types.Signature)
	if !ok || f.isUninstantiated(n.Fun) {
		return "", false
	}
	parameters, results := signature.Params().Len(), signature.Results().Len()
	if parameters > bindParameters || results > bindResults {
		return "", false
	}
	name := fmt.Sprintf("Bind%d", parameters)
	if signature.Variadic() {
		name += "V"
	}
	if results > 0 {
		name += fmt.Sprintf("R%d", results)
	}
	return name, true
}

// isUninstantiated tells whether the type arguments of a generic function are inferred from
// the arguments of the call, so that it is no value without them.
func (f *file) isUninstantiated(fun ast.Expr) bool {
	fun = ast.Unparen(fun)
	var id *ast.Ident
	switch e := fun.(type) {
	case *ast.Ident:
		id = e
	case *ast.SelectorExpr:
		id = e.Sel
	default:
		return false
	}
	_, generic := f.info.Instances[id]
	return generic || f.isBuiltin(fun)
}

// isBuiltin tells whether a function is one of the language.
func (f *file) isBuiltin(fun ast.Expr) bool {
	return f.info.Types[fun].IsBuiltin()
}

// goHooked rewrites a go statement that starts an operation that has a hook.
func (f *file) goHooked(n *ast.GoStmt, fork, child string) (string, bool) {
	s, ok := ast.Unparen(n.Call.Fun).(*ast.SelectorExpr)
	if !ok {
		return "", false
	}
	m, ok := hookOf(f.info.Uses[s.Sel])
	if !ok {
		return "", false
	}
	recv, ok := f.receiverAddress(s, f.info.Selections[s])
	if !ok {
		f.leave(n, "it starts an operation on a lock that has no address")
		return f.raw(n), true // the hook would take the new goroutine for this one
	}
	text, operands := fork+"empireP := "+recv+"; ", []string{f.syncSite(s.X, m.kind, n.Call.Lparen), "empireP"}
	for i, a := range n.Call.Args {
		name := "nil"
		if !f.info.Types[a].IsNil() {
			name = fmt.Sprintf("empireA%d", i)
			text += name + " := " + f.render(a) + "; "
		}
		operands = append(operands, name)
	}
	text += "go func() { " + fmt.Sprintf("%s := %s.Begin(); defer %s.End(); ", gName, child, gName) +
		f.method(m.hook, operands...) + " }() }"
	return f.sameLines(n, text), true
}
