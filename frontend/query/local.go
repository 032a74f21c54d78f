package query

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/load"
)

// LocalSubject returns the subject that is one piece of memory which a function makes: a variable that outlives it or
// that others share, a map, the array of a slice. Its one field has the name of the variable, or says what it is.
func LocalSubject(v ssa.Value) *Subject {
	name := "memory"
	switch v := v.(type) {
	case *ssa.Alloc:
		name = v.Comment
		if !isIdentifier(name) {
			name = types.TypeString(v.Type().Underlying().(*types.Pointer).Elem(), (*types.Package).Name)
		}
	case *ssa.MakeMap, *ssa.MakeSlice:
		name = types.TypeString(v.Type(), (*types.Package).Name)
	}
	return &Subject{Local: v, Fields: []string{name}, Races: true}
}

// isIdentifier tells whether a comment in SSA is the name of a variable.
func isIdentifier(comment string) bool {
	switch comment {
	case "", "new", "complit", "slicelit", "makeslice", "varargs":
		return false
	}
	return !strings.ContainsAny(comment, " .()")
}

// IsVariable tells whether memory is that of a variable, which has a name.
func IsVariable(v ssa.Value) bool {
	a, ok := v.(*ssa.Alloc)
	return ok && isIdentifier(a.Comment)
}

// LocalSite returns the site at which the memory of a local subject is made.
func (s *Subject) LocalSite(p *load.Program) Site {
	return Site{Pos: p.Position(s.Local.Pos()), Memory: s.Local}
}

// PackageOf returns the package that a function is declared in, as it is or as an instance; nil if there is none.
func PackageOf(fn *ssa.Function) *types.Package {
	fn = knowledge.Outermost(fn)
	if origin := fn.Origin(); origin != nil {
		fn = origin
	}
	if fn.Pkg == nil {
		return nil
	}
	return fn.Pkg.Pkg
}
