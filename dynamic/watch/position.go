package watch

import (
	"go/ast"
	"go/token"
	"strconv"
	"strings"
)

// Position returns the position by which both halves name what a piece of syntax
// does: the static half has the positions of SSA instructions, which are those of a
// token inside of the expression, and the rewriter has the syntax.
//
//	x.f                 read or write of a field: the selected name
//	v                   package variable: the name (reads too; for facts about them see Access)
//	x.f[i], m[k], s[:]  access to contents: the left bracket
//	*p                  access through a pointer: the star
//	f(x), len(x.f)      what a call does: the left parenthesis
//	T{...}, x.f = T{}   what a composite literal stores: the left brace
//	range x.f           what is ranged over, for the elements of a slice or array;
//	                    the keyword for, for those of a map or a channel
//	<-c, c <- v         the arrow
//	go, defer, select   the keyword
//	func declaration    its name; function literal: the keyword func
//	for                 the keyword
//
// In x.f++ and x.f op= y the read and the write both have the position of f; the kind
// of the access tells them apart.
func Position(n ast.Node) token.Pos {
	switch n := n.(type) {
	case *ast.ParenExpr:
		return Position(n.X)
	case *ast.SelectorExpr:
		return n.Sel.Pos()
	case *ast.IndexExpr:
		return n.Lbrack
	case *ast.IndexListExpr:
		return n.Lbrack
	case *ast.SliceExpr:
		return n.Lbrack
	case *ast.StarExpr:
		return n.Star
	case *ast.CallExpr:
		return n.Lparen
	case *ast.CompositeLit:
		return n.Lbrace
	case *ast.UnaryExpr:
		return n.OpPos
	case *ast.BinaryExpr:
		return n.OpPos
	case *ast.SendStmt:
		return n.Arrow
	case *ast.FuncDecl:
		return n.Name.Pos()
	case *ast.FuncLit:
		return n.Type.Func
	}
	return n.Pos()
}

// ParsePosition takes file:line:column apart.
func ParsePosition(pos string) (file string, line, column int, ok bool) {
	rest, column, isNumber := cutLast(pos)
	file, line, ok = cutLast(rest)
	return file, line, column, ok && isNumber
}

func cutLast(s string) (string, int, bool) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return s, 0, false
	}
	n, err := strconv.Atoi(s[i+1:])
	return s[:i], n, err == nil
}
