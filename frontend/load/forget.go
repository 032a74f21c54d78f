package load

import (
	"go/ast"
	"go/token"
	"slices"

	"golang.org/x/tools/go/packages"
)

// forgetTypes drops what the type checker has noted of expressions in a package, once its SSA is built, but for what it
// noted in generic functions: instances are built of them later, and for the sake of one such function all that was
// noted in its package would stay. It is a good part of the memory of a large program, and nobody looks at it.
func forgetTypes(pkg *packages.Package) {
	info := pkg.TypesInfo
	if info == nil {
		return
	}
	generic := genericFunctions(pkg.Syntax)
	forgetOutside(generic, &info.Types)
	forgetOutside(generic, &info.Instances)
	forgetOutside(generic, &info.Defs)
	forgetOutside(generic, &info.Uses)
	forgetOutside(generic, &info.Implicits)
	forgetOutside(generic, &info.Selections)
	forgetOutside(generic, &info.Scopes)
}

// span is a part of a file.
type span struct{ from, to token.Pos }

// genericFunctions returns where generic functions and methods of generic types are, in the order of their positions.
func genericFunctions(files []*ast.File) (all []span) {
	for _, file := range files {
		for _, decl := range file.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && isGeneric(fn) {
				all = append(all, span{fn.Pos(), fn.End()})
			}
		}
	}
	slices.SortFunc(all, func(a, b span) int { return int(a.from - b.from) })
	return all
}

type node interface {
	ast.Node
	comparable
}

// forgetOutside leaves in a map what is about nodes in the spans. The map is made anew, as one never shrinks.
func forgetOutside[N node, T any](spans []span, about *map[N]T) {
	var kept map[N]T
	for n, what := range *about {
		if !isWithin(spans, n.Pos()) {
			continue
		}
		if kept == nil {
			kept = map[N]T{}
		}
		kept[n] = what
	}
	*about = kept
}

// isWithin tells whether a position is in one of the spans, which are in order.
func isWithin(spans []span, at token.Pos) bool {
	k, found := slices.BinarySearchFunc(spans, at, func(s span, at token.Pos) int { return int(s.from - at) })
	return found || k > 0 && at < spans[k-1].to
}
