package waitfor

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
)

// A goroutine that looks at something again and again may be computing. It waits for a change if its loop ends by what
// it sees: that is in the source.

// asking is what the source says of a look.
type asking int

const (
	computes asking = iota // no loop ends by what it sees
	mayAsk                 // it is in a function that tells yes or no, and the loop is elsewhere
	asks                   // a loop around it ends by what it sees
)

// sources is the files of a program that were asked for; nil: it cannot be read.
type sources struct {
	root  string
	files map[string]*ast.File
	set   *token.FileSet
}

// asks says what the source says of a look at a place.
func (s *sources) asks(pos string) asking {
	parts := strings.Split(pos, ":")
	if len(parts) != 3 {
		return mayAsk
	}
	file, ok := s.files[parts[0]]
	if !ok {
		name := parts[0]
		if !filepath.IsAbs(name) {
			name = filepath.Join(s.root, filepath.FromSlash(name))
		}
		file, _ = parser.ParseFile(s.set, name, nil, parser.SkipObjectResolution)
		s.files[parts[0]] = file
	}
	line, _ := strconv.Atoi(parts[1])
	column, _ := strconv.Atoi(parts[2])
	if file == nil || line < 1 || line > s.set.File(file.Pos()).LineCount() {
		return mayAsk
	}
	at := s.set.File(file.Pos()).LineStart(line) + token.Pos(column-1)
	return asksAt(around(file, at), at)
}

// around is the nodes around a place, the outermost first.
func around(file *ast.File, at token.Pos) (all []ast.Node) {
	ast.Inspect(file, func(n ast.Node) bool {
		isIn := n != nil && n.Pos() <= at && at <= n.End()
		if isIn {
			all = append(all, n)
		}
		return isIn
	})
	return all
}

// asksAt says what the nodes around a look say of it.
func asksAt(nodes []ast.Node, at token.Pos) asking {
	names := map[string]bool{} // of variables that hold what it sees
	isReturned := false
	for i := len(nodes) - 1; i >= 0; i-- {
		switch n := nodes[i].(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				if id, ok := l.(*ast.Ident); ok {
					names[id.Name] = true
				}
			}
		case *ast.ReturnStmt:
			isReturned = true
		case *ast.ForStmt:
			if endsBy(n, names, at) {
				return asks
			}
			return computes
		case *ast.RangeStmt:
			return computes
		case *ast.FuncLit:
			return inFunction(n.Type, isReturned, names)
		case *ast.FuncDecl:
			return inFunction(n.Type, isReturned, names)
		}
	}
	return mayAsk
}

// inFunction says what a function without a loop around a look says: it may tell its caller yes or no.
func inFunction(t *ast.FuncType, isReturned bool, names map[string]bool) asking {
	if t.Results == nil || !isReturned && len(names) == 0 {
		return computes
	}
	for _, r := range t.Results.List {
		if id, ok := r.Type.(*ast.Ident); ok && (id.Name == "bool" || id.Name == "error") {
			return mayAsk
		}
	}
	return computes
}

// endsBy tells whether a loop ends by what is seen at a place, or by a variable that holds it.
func endsBy(loop *ast.ForStmt, names map[string]bool, at token.Pos) (ends bool) {
	depends := func(e ast.Node) (yes bool) {
		ast.Inspect(e, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			yes = yes || n != nil && n.Pos() <= at && at <= n.End() || ok && names[id.Name]
			return !yes
		})
		return yes
	}
	if loop.Cond != nil && depends(loop.Cond) {
		return true
	}
	ast.Inspect(loop.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.IfStmt:
			if depends(n.Cond) && leaves(n) {
				ends = true
			}
		case *ast.SelectStmt: // of which a case is not chosen
			ends = ends || n.Pos() <= at && at <= n.End()
		case *ast.SwitchStmt:
			if n.Tag != nil && depends(n.Tag) && leaves(n) {
				ends = true
			}
		}
		return !ends
	})
	return ends
}

// leaves tells whether a statement may leave the loop that it is in.
func leaves(s ast.Node) (yes bool) {
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			yes = true
		case *ast.BranchStmt:
			yes = yes || n.Tok == token.BREAK || n.Tok == token.GOTO
		}
		return !yes
	})
	return yes
}
