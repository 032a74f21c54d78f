package knowledge

import (
	"go/ast"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// CommentOf returns the lines of the comment that a function is declared with, or its generic origin if it is an
// instance: directives are among them. It has none if it is no declared one.
func CommentOf(fn *ssa.Function) []*ast.Comment {
	if o := fn.Origin(); o != nil {
		fn = o
	}
	declared, ok := fn.Syntax().(*ast.FuncDecl)
	if !ok || declared.Doc == nil {
		return nil
	}
	return declared.Doc.List
}

// IsNoRace tells whether the author of a function, or of the one that it is written in, has excluded it from the race
// detector, by the directive //go:norace of the compiler.
func IsNoRace(fn *ssa.Function) bool {
	return slices.ContainsFunc(CommentOf(Outermost(fn)), func(c *ast.Comment) bool { return c.Text == "//go:norace" })
}
