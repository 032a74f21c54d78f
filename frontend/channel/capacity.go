package channel

import (
	"go/constant"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/pointsto"
)

// capacity returns the capacity of the channels that are made as the object, -1 if it is not
// the same constant for all of them.
func (f *finder) capacity(o *pointsto.Object, site *ssa.MakeChan) int {
	common := -1
	for _, n := range f.graph.NodesOf(site.Parent()) {
		if f.graph.ObjectAt(n, site) != o {
			continue
		}
		size, ok := f.constant(n, site.Size, 0)
		if !ok || common >= 0 && size != common {
			return -1
		}
		common = size
	}
	return common
}

// maxCallers bounds how many calls up the constant is looked for that is passed as a parameter.
const maxCallers = 3

// constant returns the small number that the value is, here or as every caller passes it.
func (f *finder) constant(n *pointsto.Node, v ssa.Value, depth int) (size int, ok bool) {
	switch v := v.(type) {
	case *ssa.Const:
		if v.Value == nil {
			return 0, false
		}
		size, exact := constant.Int64Val(constant.ToInt(v.Value))
		return int(size), exact && 0 <= size && size <= 1<<20
	case *ssa.ChangeType:
		return f.constant(n, v.X, depth)
	case *ssa.Parameter:
		return f.passedConstant(n, v, depth)
	}
	return 0, false
}

// passedConstant returns the constant that all calls of the node pass for the parameter.
func (f *finder) passedConstant(n *pointsto.Node, p *ssa.Parameter, depth int) (size int, ok bool) {
	callers := f.graph.Callers(n)
	if depth == maxCallers || len(callers) == 0 || slices.Contains(f.graph.Roots(), n) {
		return 0, false
	}
	for i, e := range callers {
		common := e.Site.Common()
		if common.StaticCallee() != n.Func || e.Site.Parent() != e.Caller.Func {
			return 0, false
		}
		passed, known := f.constant(e.Caller, common.Args[slices.Index(n.Func.Params, p)], depth+1)
		if !known || i > 0 && passed != size {
			return 0, false
		}
		size = passed
	}
	return size, true
}
