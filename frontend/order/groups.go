package order

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// VariableOf returns the name of the variable or field that a new channel is
// stored in first, "channel" if there is none.
func VariableOf(made ssa.Value) string {
	for _, r := range *made.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			switch to := r.Addr.(type) {
			case *ssa.Global:
				return to.Name()
			case *ssa.FieldAddr:
				return modref.FieldName(to.X.Type(), to.Field)
			case *ssa.Alloc:
				if token.IsIdentifier(to.Comment) {
					return to.Comment
				}
			}
		case *ssa.ChangeType:
			return VariableOf(r)
		}
	}
	return "channel"
}

// groupMaker returns the instruction that makes a wait group or errgroup.Group when
// it is executed: a declaration, or a call of errgroup.WithContext.
func groupMaker(graph *pointsto.Result, o *pointsto.Object) ssa.Instruction {
	alloc, ok := o.Site.(*ssa.Alloc)
	if !ok {
		return nil
	}
	if by := graph.MadeBy(o); knowledge.IsNewGroup(alloc.Parent()) && len(by) > 0 {
		return by[0]
	}
	return alloc
}

// VariableName returns the name of the variable that an object is.
func VariableName(o *pointsto.Object) string {
	switch site := o.Site.(type) {
	case *ssa.Global:
		return site.Name()
	case *ssa.MakeChan:
		return VariableOf(site)
	case *ssa.Alloc:
		if c := site.Comment; c != "" && !strings.Contains(c, " ") && c != "complit" && c != "new" {
			return c
		}
	}
	return types.TypeString(o.Type, func(*types.Package) string { return "" })
}
