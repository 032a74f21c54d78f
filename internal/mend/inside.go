package mend

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/printer"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/empire-go/empire-go/internal/rewrite"
)

// inside.go takes methods apart that hold the lock all the time: into one that takes it, and one for callers that
// hold it. So a function can call them while it holds the lock itself.

// splitMethod is a method that is to be taken apart.
type splitMethod struct {
	decl     *ast.FuncDecl
	receiver string
	lock     string          // as the method writes it
	first    []operation     // that take it, and defer to release it
	calls    []*ast.CallExpr // in the function that is changed
}

// inside has a function hold the lock from its beginning to its end, and call the inner parts of methods of the
// lock's object that take it.
func (h *holder) inside(operations []operation) (edits []rewrite.Edit, parts []part, what string, err error) {
	var r reference
	if len(operations) > 0 {
		r, err = operations[0].reference, h.hasAtBeginning(operations[0].reference)
	} else {
		r, err = h.own()
	}
	if err != nil {
		return nil, nil, "", err
	}
	methods, err := h.methodsUnder(r)
	if err == nil && len(methods) == 0 {
		err = fmt.Errorf("%s calls nothing that takes %s", h.name(), r.on)
	}
	if err != nil {
		return nil, nil, "", err
	}
	all := slices.Clone(operations)
	for _, m := range methods {
		all = append(all, m.first...)
	}
	if edits, _, what, err = h.fromBeginning(r, verbOf(all)); err != nil {
		return nil, nil, "", err
	}
	for _, o := range operations {
		edits = append(edits, h.remove(o.stmt))
	}
	for _, m := range methods {
		more, err := h.takeApart(m)
		if err != nil {
			return nil, nil, "", err
		}
		edits = append(edits, more...)
		parts = append(parts, part{h.part.file, receiverType(m.decl), m.decl.Name.Name, innerName(m.decl)})
		what += ", and calls " + innerName(m.decl)
	}
	return edits, parts, what, nil
}

// methodsUnder finds the methods that the function calls on the object of the lock and that hold it all the time.
func (h *holder) methodsUnder(r reference) (all []*splitMethod, err error) {
	object, ok := strings.CutSuffix(r.on, "."+h.lock)
	if !ok {
		return nil, nil
	}
	ast.Inspect(h.body, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit, *ast.GoStmt:
			return false // they may run when the lock is not held
		}
		call, ok := n.(*ast.CallExpr)
		if !ok || err != nil {
			return err == nil
		}
		selector, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		callee := typeutil.StaticCallee(h.pkg.TypesInfo, call)
		if !ok || callee == nil || types.ExprString(selector.X) != object ||
			rootOf(h.pkg.TypesInfo, selector.X) != r.root {
			return true
		}
		decl := h.declarationOf(callee)
		if decl == nil || decl == h.decl || decl.Recv == nil {
			return true
		}
		i := slices.IndexFunc(all, func(m *splitMethod) bool { return m.decl == decl })
		if i < 0 {
			m, takes, why := h.methodThatHolds(decl)
			if !takes {
				return true
			}
			if why != nil {
				err = why
				return false
			}
			i = len(all)
			all = append(all, m)
		}
		all[i].calls = append(all[i].calls, call)
		return true
	})
	return all, err
}

// declarationOf finds the declaration of a function of the package.
func (h *holder) declarationOf(fn *types.Func) *ast.FuncDecl {
	for _, file := range h.pkg.Syntax {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil && h.pkg.TypesInfo.Defs[f.Name] == types.Object(fn.Origin()) {
				return f
			}
		}
	}
	return nil
}

// methodThatHolds tells whether a method takes the lock of its object, and why it cannot be taken apart all the same.
func (h *holder) methodThatHolds(decl *ast.FuncDecl) (m *splitMethod, takes bool, why error) {
	inner := &holder{function: &function{source: h.source, decl: decl, body: decl.Body, part: h.part, file: h.file},
		lock: h.lock}
	operations, err := inner.operations()
	name := decl.Name.Name
	switch {
	case err != nil:
		return nil, true, err
	case len(operations) == 0:
		return nil, false, nil
	case h.pkg.Fset.Position(decl.Pos()).Filename != h.file:
		return nil, true, fmt.Errorf("%s, which takes %s, is in another file", name, h.lock)
	case len(operations) != 2 || len(decl.Body.List) < 3 || operations[0].stmt != decl.Body.List[0] ||
		operations[1].stmt != decl.Body.List[1] || operations[0].isRelease() || !operations[1].isDeferred() ||
		!operations[1].isRelease() || len(decl.Recv.List[0].Names) != 1 ||
		operations[0].on != decl.Recv.List[0].Names[0].Name+"."+h.lock:
		return nil, true, fmt.Errorf("%s does not hold %s from its beginning to its end", name, h.lock)
	}
	for _, field := range decl.Type.Params.List {
		for _, p := range field.Names {
			if p.Name == "_" {
				return nil, true, fmt.Errorf("%s has a parameter without a name", name)
			}
		}
		if len(field.Names) == 0 {
			return nil, true, fmt.Errorf("%s has a parameter without a name", name)
		}
	}
	receiver := h.pkg.TypesInfo.TypeOf(decl.Recv.List[0].Names[0])
	if object, _, _ := types.LookupFieldOrMethod(receiver, true, h.pkg.Types, innerName(decl)); object != nil {
		return nil, true, fmt.Errorf("there is a %s", innerName(decl))
	}
	return &splitMethod{decl: decl, receiver: decl.Recv.List[0].Names[0].Name, lock: operations[0].on,
		first: operations}, true, nil
}

// innerName is the name of the part of a method for callers that hold the lock.
func innerName(decl *ast.FuncDecl) string {
	name := decl.Name.Name
	return strings.ToLower(name[:1]) + name[1:] + "Locked"
}

// takeApart returns the edits for one method.
func (h *holder) takeApart(m *splitMethod) (edits []rewrite.Edit, err error) {
	var signature bytes.Buffer
	head := *m.decl
	head.Doc, head.Body, head.Name = nil, nil, ast.NewIdent(innerName(m.decl))
	if err := printer.Fprint(&signature, h.pkg.Fset, &head); err != nil {
		return nil, err
	}
	begin := h.offset(m.first[1].stmt.End())
	rest := h.sourceAt(begin, h.offset(m.decl.Body.Rbrace))
	call := fmt.Sprintf("%s.%s(%s)", m.receiver, innerName(m.decl), arguments(m.decl.Type))
	if m.decl.Type.Results != nil {
		call = "return " + call
	}
	edits = append(edits, rewrite.Edit{Begin: begin, End: h.offset(m.decl.Body.Rbrace), Text: "\n\t" + call + "\n"})
	text := fmt.Sprintf("\n\n// %s is %s for callers that hold %s.\n%s {%s}", innerName(m.decl), m.decl.Name.Name, m.lock,
		signature.String(), rest)
	edits = append(edits, rewrite.Edit{Begin: h.offset(m.decl.End()), End: h.offset(m.decl.End()), Text: text})
	for _, call := range m.calls {
		name := ast.Unparen(call.Fun).(*ast.SelectorExpr).Sel
		edits = append(edits, rewrite.Edit{Begin: h.offset(name.Pos()), End: h.offset(name.End()), Text: innerName(m.decl)})
	}
	return edits, nil
}

// arguments hands on the parameters of a function.
func arguments(t *ast.FuncType) string {
	var all []string
	for _, field := range t.Params.List {
		for _, name := range field.Names {
			if _, isVariadic := field.Type.(*ast.Ellipsis); isVariadic {
				all = append(all, name.Name+"...")
			} else {
				all = append(all, name.Name)
			}
		}
	}
	return strings.Join(all, ", ")
}

// sourceAt returns the text of the file between two offsets.
func (f *function) sourceAt(begin, end int) string { return string(f.text[f.file][begin:end]) }
