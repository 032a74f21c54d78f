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

// excludeReflected excludes the channels that reflection may operate on.
func (f *finder) excludeReflected() {
	for o := range Reflected(f.graph) {
		f.excluded[o] = true
	}
}

// Reflected returns what the program may operate on by reflection as on channels: what
// can be reached from values in interfaces; nil if it does not.
func Reflected(graph *pointsto.Result) map[*pointsto.Object]bool {
	called := false
	for _, n := range graph.Nodes() {
		called = called || isOf("reflect", n.Func) && reflected[n.Func.String()]
	}
	if !called {
		return nil
	}
	var boxes []*pointsto.Object
	seen := map[*pointsto.Object]bool{}
	for _, n := range graph.Nodes() {
		for _, b := range n.Func.Blocks {
			for _, instr := range b.Instrs {
				boxed, ok := instr.(*ssa.MakeInterface)
				if !ok {
					continue
				}
				for _, o := range graph.PointsTo(n, boxed.X).Objects() {
					if !seen[o] {
						seen[o] = true
						boxes = append(boxes, o)
					}
				}
			}
		}
	}
	all := map[*pointsto.Object]bool{}
	for _, o := range graph.Reachable(boxes...) {
		all[o] = true
	}
	return all
}
