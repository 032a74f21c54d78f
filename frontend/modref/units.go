package modref

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// MayBeUnit tells whether an activation of n may be a unit of work.
func (l *Facts) MayBeUnit(n *pointsto.Node) bool {
	recv := n.Func.Signature.Recv()
	if recv != nil && l.Stars.Subject.IsSelfOrPointer(recv.Type()) || len(l.Kept.Direct[n]) > 0 ||
		UnitDirective(n.Func) == "unit" {
		return true
	}
	for k := range l.Stars.Stars {
		if l.Stars.Constructs(n, k) {
			return true
		}
	}
	return slices.ContainsFunc(l.Units.Named, func(name string) bool { return IsNamed(n.Func, name) })
}

// UnitPolicy says which functions are units of work.
type UnitPolicy struct {
	Exported  bool     // of the methods of the type only the exported ones
	Annotated bool     // only functions with a directive
	Named     []string // these, and no others: names as "Clear", "(*Vector).Clear"
}

// IsNamed tells whether the user means fn by a name such as Clear, (*Vector).Clear
// or a full one.
func IsNamed(fn *ssa.Function, name string) bool {
	if o := fn.Origin(); o != nil {
		fn = o
	}
	return fn.Name() == name || fn.String() == name || strings.HasSuffix(fn.String(), "/"+name) ||
		fn.Pkg != nil && fn.RelString(fn.Pkg.Pkg) == name
}

// UnitDirective returns "unit" or "nounit" if the function's comment says so.
func UnitDirective(fn *ssa.Function) string {
	for _, line := range knowledge.CommentOf(fn) {
		switch strings.TrimSpace(line.Text) {
		case "//empire:unit":
			return "unit"
		case "//empire:nounit":
			return "nounit"
		}
	}
	return ""
}

// AllowsBy tells whether the policy makes fn a unit.
func (p UnitPolicy) AllowsBy(fn *ssa.Function, directive string, direct bool) bool {
	if p.NamesBy(fn, directive) {
		return true
	}
	switch {
	case len(p.Named) > 0, p.Annotated:
		return false
	case p.Exported:
		return !direct && fn.Object() != nil && fn.Object().Exported()
	}
	return true
}

// Allows tells whether the policy makes fn a unit; direct says that it could be one only
// for what it accesses itself.
func (p UnitPolicy) Allows(fn *ssa.Function, direct bool) bool {
	directive := UnitDirective(fn)
	return directive != "nounit" && p.AllowsBy(fn, directive, direct)
}

// Names tells whether the user says that fn is a unit, by a directive or a name.
func (p UnitPolicy) Names(fn *ssa.Function) bool { return p.NamesBy(fn, UnitDirective(fn)) }

// NamesBy is Names for a directive.
func (p UnitPolicy) NamesBy(fn *ssa.Function, directive string) bool {
	return directive == "unit" || slices.ContainsFunc(p.Named, func(name string) bool { return IsNamed(fn, name) })
}
