package mend

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/internal/rewrite"
)

// look is a critical section that only looks, and what is done at once if something is there:
//
//	s.mu.Lock()
//	v, ok := s.entries[name]
//	s.mu.Unlock()
//	if ok {
//		return v
//	}
type look struct {
	read   *ast.AssignStmt
	branch *ast.IfStmt
}

// lookAgain puts a second look into the section that acts on the first one. What was made in between is left to
// the garbage collector, so that it must be nothing that has to be closed.
func (h *holder) lookAgain(operations []operation) (edits []rewrite.Edit, parts []part, what string, err error) {
	l, index, err := h.firstLook(operations)
	if err != nil {
		return nil, nil, "", err
	}
	var act *operation
	var between []ast.Stmt
	for _, stmt := range h.body.List[index:] {
		if o, is := h.operation(stmt); is && !o.isRelease() {
			act = &o
			break
		}
		between = append(between, stmt)
	}
	if act == nil || act.isShared() {
		return nil, nil, "", fmt.Errorf("%s does not take %s again", h.name(), h.lock)
	}
	if err := h.changesLook(l, between); err != nil {
		return nil, nil, "", err
	}
	at := h.offset(act.stmt.End())
	text := fmt.Sprintf("if %s; %s {\n", h.sourceOf(l.read.Pos(), l.read.End()),
		h.sourceOf(l.branch.Cond.Pos(), l.branch.Cond.End()))
	inside := h.sourceOf(l.branch.Body.Lbrace+1, l.branch.Body.Rbrace)
	if release := h.deferredAfter(*act); release != nil {
		at = h.offset(release.End())
		if err := h.mayWait(l.branch.Body.List); err != nil {
			return nil, nil, "", err
		}
	} else {
		text += fmt.Sprintf("\t%s.%s()\n", act.written, unlocking(act.method.Name))
	}
	text = "\n\t" + text + strings.TrimSpace(inside) + "\n}"
	return []rewrite.Edit{{Begin: at, End: at, Text: text}}, nil,
		fmt.Sprintf("%s looks again when it has %s for writing", h.name(), act.on), nil
}

// deferredAfter returns the statement after one that takes the lock, if it defers to release it.
func (h *holder) deferredAfter(o operation) ast.Stmt {
	for i, stmt := range h.body.List {
		if stmt != o.stmt || i+1 == len(h.body.List) {
			continue
		}
		if next, is := h.operation(h.body.List[i+1]); is && next.isDeferred() && next.isRelease() {
			return next.stmt
		}
	}
	return nil
}

// firstLook finds the first look, and the index of the statement after it.
func (h *holder) firstLook(operations []operation) (l look, index int, err error) {
	none := fmt.Errorf("%s does not begin with a look under %s that is all that its section does", h.name(), h.lock)
	list := h.body.List
	for i, stmt := range list {
		if stmt != operations[0].stmt || i+3 >= len(list) {
			continue
		}
		read, isAssign := list[i+1].(*ast.AssignStmt)
		release, isRelease := h.operation(list[i+2])
		branch, isIf := list[i+3].(*ast.IfStmt)
		if operations[0].isRelease() || !isAssign || read.Tok != token.DEFINE || !isRelease || !release.isRelease() ||
			release.isDeferred() || !isIf || branch.Init != nil || branch.Else != nil || !returns(branch.Body) ||
			!h.isPlain(read.Rhs...) || !h.isPlain(branch.Cond) || h.operatesIn(branch.Body) {
			return l, 0, none
		}
		return look{read, branch}, i + 4, nil
	}
	return l, 0, none
}

// returns tells whether a block ends with a return statement.
func returns(b *ast.BlockStmt) bool {
	if len(b.List) == 0 {
		return false
	}
	_, ok := b.List[len(b.List)-1].(*ast.ReturnStmt)
	return ok
}

// isPlain tells whether expressions call nothing but what only reads.
func (h *holder) isPlain(all ...ast.Expr) bool {
	plain := true
	for _, x := range all {
		ast.Inspect(x, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				plain = plain && (isConversion(h.pkg.TypesInfo, n) || isLength(h.pkg.TypesInfo, n))
			case *ast.FuncLit:
				plain = false
			case *ast.UnaryExpr:
				plain = plain && n.Op != token.ARROW && n.Op != token.AND
			}
			return plain
		})
	}
	return plain
}

// changesLook says why a look would be another one after some statements: they assign a variable that it, or what
// it decides, uses, or make something that has to be closed.
func (h *holder) changesLook(l look, between []ast.Stmt) (err error) {
	info := h.pkg.TypesInfo
	used := map[types.Object]bool{}
	for _, n := range []ast.Node{l.read, l.branch} {
		ast.Inspect(n, func(n ast.Node) bool {
			if name, ok := n.(*ast.Ident); ok && info.Uses[name] != nil {
				used[info.Uses[name]] = true
			}
			return true
		})
	}
	for _, left := range l.read.Lhs { // the second look has its own
		if name, ok := left.(*ast.Ident); ok {
			delete(used, info.ObjectOf(name))
		}
	}
	for _, stmt := range between {
		ast.Inspect(stmt, func(n ast.Node) bool {
			name, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			v, ok := info.ObjectOf(name).(*types.Var)
			switch {
			case !ok || v.IsField():
			case info.Defs[name] != nil && hasToBeClosed(v.Type()):
				err = fmt.Errorf("%s makes %s at %s, which has to be closed", h.name(), name.Name, h.at(n))
			case info.Defs[name] != nil && shadows(used, name.Name):
				err = fmt.Errorf("%s declares another %s at %s", h.name(), name.Name, h.at(n))
			}
			return true
		})
		ast.Inspect(stmt, func(n ast.Node) bool {
			if a, ok := n.(*ast.AssignStmt); ok {
				for _, left := range a.Lhs {
					if used[rootOf(info, left)] {
						err = fmt.Errorf("%s assigns %s at %s", h.name(), types.ExprString(left), h.at(n))
					}
				}
			}
			if i, ok := n.(*ast.IncDecStmt); ok && used[rootOf(info, i.X)] {
				err = fmt.Errorf("%s changes %s at %s", h.name(), types.ExprString(i.X), h.at(n))
			}
			return true
		})
	}
	return err
}

func shadows(used map[types.Object]bool, name string) bool {
	for v := range used {
		if v.Name() == name {
			return true
		}
	}
	return false
}

// hasToBeClosed tells whether a type has a method by whose name a value of it must be given back, or is a function,
// which may do that.
func hasToBeClosed(t types.Type) bool {
	if _, isFunc := t.Underlying().(*types.Signature); isFunc {
		return true
	}
	for _, name := range []string{"Close", "Stop", "Release", "Cancel"} {
		if object, _, _ := types.LookupFieldOrMethod(t, true, nil, name); object != nil {
			return true
		}
	}
	return false
}

// waitAgain has a function that waits for a condition look again when it has been woken: others may have been there
// first.
func (h *holder) waitAgain([]operation) (edits []rewrite.Edit, parts []part, what string, err error) {
	ast.Inspect(h.body, func(n ast.Node) bool {
		branch, ok := n.(*ast.IfStmt)
		if !ok || branch.Init != nil || branch.Else != nil || len(branch.Body.List) != 1 {
			return true
		}
		stmt, ok := branch.Body.List[0].(*ast.ExprStmt)
		if !ok {
			return true
		}
		call, ok := stmt.X.(*ast.CallExpr)
		if !ok {
			return true
		}
		if callee := typeutil.StaticCallee(h.pkg.TypesInfo, call); callee != nil &&
			knowledge.OfObject(callee).Cond == knowledge.CondWait {
			edits = append(edits, rewrite.Edit{Begin: h.offset(branch.Pos()), End: h.offset(branch.Pos()) + len("if"),
				Text: "for"})
		}
		return true
	})
	if len(edits) == 0 {
		return nil, nil, "", errAsItIs
	}
	return edits, nil, fmt.Sprintf("%s looks again when it has waited", h.name()), nil
}
