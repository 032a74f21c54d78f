package channel

import (
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/pointsto"
)

// Libraries returns what tells whether a function is declared in the standard library.
func Libraries(graph *pointsto.Result) func(*ssa.Function) bool {
	home := homeOf(graph)
	return func(fn *ssa.Function) bool {
		if o := fn.Origin(); o != nil {
			fn = o
		}
		path := ""
		switch {
		case fn.Pkg != nil:
			path = fn.Pkg.Pkg.Path()
		case fn.Object() != nil && fn.Object().Pkg() != nil:
			path = fn.Object().Pkg().Path()
		}
		first, _, _ := strings.Cut(path, "/")
		return first != "" && first != home && !strings.Contains(first, ".")
	}
}

// homeOf returns the first element of the path of the package that the program
// begins in: a path without a dot there may be a module of the user's all the same.
func homeOf(graph *pointsto.Result) string {
	for _, r := range graph.Roots() {
		if r.Func.Pkg != nil {
			first, _, _ := strings.Cut(r.Func.Pkg.Pkg.Path(), "/")
			return first
		}
	}
	return ""
}
