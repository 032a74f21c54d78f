package pipeline_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"slices"
)

// rewriter collects changes of a text.
type rewriter struct {
	src     []byte
	base    int
	imports map[string]bool // names of packages
	methods map[string]bool // names that are of methods, and not of fields
	mutexes map[string]bool // names of fields that are mutexes, and nothing else
	edits   []edit
	names   int
	end     string // a declaration that is added
}

// edit replaces the text from one offset to another.
type edit struct {
	from, to int
	text     string
}

func (w *rewriter) replace(from, to token.Pos, text string) {
	w.edits = append(w.edits, edit{int(from) - w.base, int(to) - w.base, text})
}

func (w *rewriter) insert(at token.Pos, text string) { w.replace(at, at, text) }

// around inserts a text before a node and one behind it.
func (w *rewriter) around(n ast.Node, before, behind string) {
	w.insert(n.Pos(), before)
	w.insert(n.End(), behind)
}

// of returns the text of a node.
func (w *rewriter) of(n ast.Node) string {
	return string(w.src[int(n.Pos())-w.base : int(n.End())-w.base])
}

// text returns the changed text.
func (w *rewriter) text() []byte {
	slices.SortStableFunc(w.edits, func(a, b edit) int { return a.from - b.from })
	var b bytes.Buffer
	at := 0
	for _, e := range w.edits {
		b.Write(w.src[at:e.from])
		b.WriteString(e.text)
		at = e.to
	}
	b.Write(w.src[at:])
	b.WriteString("\n" + w.end)
	return b.Bytes()
}

// name returns a new name.
func (w *rewriter) name() string {
	w.names++
	return fmt.Sprintf("rewritten%d", w.names)
}

// statements returns those of a list.
func statements(n ast.Node) []ast.Stmt {
	switch n := n.(type) {
	case *ast.BlockStmt:
		return n.List
	case *ast.CaseClause:
		return n.Body
	case *ast.CommClause:
		return n.Body
	}
	return nil
}

// isVariable tells whether the expression is a variable, or a field of one, and so on.
func (w *rewriter) isVariable(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return !w.imports[e.Name]
	case *ast.SelectorExpr:
		return w.isVariable(e.X)
	}
	return false
}

// findNames finds the names of methods and mutexes.
func (w *rewriter) findNames(file *ast.File) {
	w.methods, w.mutexes = map[string]bool{}, map[string]bool{}
	other := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Recv != nil {
				w.methods[n.Name.Name] = true
			}
		case *ast.Field:
			isMutex := w.of(n.Type) == "sync.Mutex"
			for _, name := range n.Names {
				w.mutexes[name.Name] = w.mutexes[name.Name] || isMutex
				other[name.Name] = other[name.Name] || !isMutex
			}
		}
		return true
	})
	for name := range other {
		delete(w.methods, name)
		delete(w.mutexes, name)
	}
}
