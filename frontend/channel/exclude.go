package channel

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/pointsto"
)

// reflected is the functions of package reflect that operate on a channel in a value.
var reflected = map[string]bool{
	"reflect.Select": true, "(reflect.Value).Close": true,
	"(reflect.Value).Send": true, "(reflect.Value).TrySend": true,
	"(reflect.Value).Recv": true, "(reflect.Value).TryRecv": true,
}

// isOf tells whether fn is declared in the package.
func isOf(path string, fn *ssa.Function) bool {
	return fn.Pkg != nil && fn.Pkg.Pkg.Path() == path
}

// excludeReflected excludes the channels that can be reached from values in
// interfaces if the program operates on channels by reflection.
func (f *finder) excludeReflected() {
	called := false
	for _, n := range f.graph.Nodes() {
		called = called || isOf("reflect", n.Func) && reflected[n.Func.String()]
	}
	if !called {
		return
	}
	var boxes []*pointsto.Object
	seen := map[*pointsto.Object]bool{}
	for _, n := range f.graph.Nodes() {
		for _, b := range n.Func.Blocks {
			for _, instr := range b.Instrs {
				boxed, ok := instr.(*ssa.MakeInterface)
				if !ok {
					continue
				}
				for _, o := range f.graph.PointsTo(n, boxed.X).Objects() {
					if !seen[o] {
						seen[o] = true
						boxes = append(boxes, o)
					}
				}
			}
		}
	}
	for _, o := range f.graph.Reachable(boxes...) {
		f.excluded[o] = true
	}
}
