package knowledge

import (
	"go/ast"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// IsNoRace tells whether the author of a function, or of the one that it is written in, has excluded it from the race
// detector, by the directive //go:norace of the compiler.
func IsNoRace(fn *ssa.Function) bool {
	fn = Outermost(fn)
	if o := fn.Origin(); o != nil {
		fn = o
	}
	declared, ok := fn.Syntax().(*ast.FuncDecl)
	return ok && declared.Doc != nil &&
		slices.ContainsFunc(declared.Doc.List, func(c *ast.Comment) bool { return c.Text == "//go:norace" })
}
