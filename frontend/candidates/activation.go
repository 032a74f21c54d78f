package candidates

import (
	"go/constant"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/pointsto"
)

// activation is a call-graph node, with what is known of its boolean parameters: whether a
// function takes a lock is often one of them.
type activation struct {
	node  *pointsto.Node
	bools uint32 // two bits for each of the first parameters: 0 unknown, 1 false, 2 true
}

// maxBools is how many parameters there is room for.
const maxBools = 16

// called returns what a call of callee activates, in the activation that makes it.
func (a activation) called(site ssa.CallInstruction, callee *pointsto.Node) activation {
	to := activation{node: callee}
	for i, p := range callee.Func.Params {
		if i >= maxBools || !isBool(p.Type()) {
			continue
		}
		to.bools |= a.value(argument(site, i)) << (2 * i)
	}
	return to
}

func isBool(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.Bool
}

// value returns what is known of a boolean value: 0 unknown, 1 false, 2 true.
func (a activation) value(v ssa.Value) uint32 {
	switch v := v.(type) {
	case *ssa.Const:
		if v.Value != nil && v.Value.Kind() == constant.Bool {
			if constant.BoolVal(v.Value) {
				return 2
			}
			return 1
		}
	case *ssa.Parameter:
		for i, p := range a.node.Func.Params {
			if p == v && i < maxBools {
				return a.bools >> (2 * i) & 3
			}
		}
	}
	return 0
}
