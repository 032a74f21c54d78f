package reduce

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// objectsOf returns the objects that may be stars.
func objectsOf(stars *isolate.Isolation) (all []*pointsto.Object) {
	for _, s := range stars.Stars {
		for o := range s.Objects {
			all = append(all, o)
		}
	}
	return all
}

// handsOn tells whether the node makes something that may be a star, puts it into a
// channel or a pool, for somebody else to take out, or takes it out; given the memory of stars.
func handsOn(graph *pointsto.Result, stars *isolate.Isolation, memory *pointsto.Region, n *pointsto.Node) bool {
	isStar := func(o *pointsto.Object) bool { return len(stars.StarsAt(pointsto.Cell{Object: o})) > 0 }
	mayBeStar := func(v ssa.Value) bool { return graph.MayPointInto(n, v, memory) }
	for _, b := range n.Func.Blocks {
		for _, instr := range b.Instrs {
			switch v := instr.(type) {
			case *ssa.Alloc:
				if o := graph.ObjectAt(n, v); o != nil && isStar(o) {
					return true
				}
			case *ssa.UnOp, *ssa.Extract:
				if isTakenOut(v.(ssa.Value)) && mayBeStar(v.(ssa.Value)) {
					return true
				}
			case *ssa.Send:
				if mayBeStar(v.X) {
					return true
				}
			case *ssa.Select:
				if slices.ContainsFunc(v.States, func(st *ssa.SelectState) bool { return st.Send != nil && mayBeStar(st.Send) }) {
					return true
				}
			case ssa.CallInstruction:
				if taken := v.Value(); taken != nil && IsPoolCall(v, knowledge.PoolGet) && mayBeStar(taken) {
					return true
				}
				if IsPoolCall(v, knowledge.PoolPut) && mayBeStar(v.Common().Args[1]) {
					return true
				}
			}
		}
	}
	return false
}

// isTakenOut tells whether the value has been received from a channel.
func isTakenOut(v ssa.Value) bool {
	if part, ok := v.(*ssa.Extract); ok {
		_, isSelect := part.Tuple.(*ssa.Select)
		return isSelect || isTakenOut(part.Tuple)
	}
	receive, ok := v.(*ssa.UnOp)
	return ok && receive.Op == token.ARROW
}

// IsPoolCall tells whether the call is of a method of sync.Pool.
func IsPoolCall(call ssa.CallInstruction, method knowledge.ContainerOp) bool {
	fn := call.Common().StaticCallee()
	return fn != nil && knowledge.Of(fn).Container == method
}
