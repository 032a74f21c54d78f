package order

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/multiplicity"
	"github.com/empire-go/empire-go/frontend/mustalias"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// Each goroutine may have a channel of its own by which it says that it is done; whoever
// has started them keeps the channels in a slice and receives from each. When he has, all
// have said so: there are as many messages as goroutines, or as many closed channels.

// joinOfEach is join for such channels: made in each iteration that starts a goroutine,
// and put into a slice of which every element is received from.
func (r *channelRole) joinOfEach(graph *pointsto.Result, often *multiplicity.Analysis,
	loops []map[*ssa.BasicBlock]bool) *ChannelJoin {
	start, receive := r.starts[0].Site, r.receives[0]
	starting, receiving := ssaflow.Innermost(loops, start.Block()), ssaflow.Innermost(loops, receive.Block())
	if receiving == nil || r.made.Block() != start.Block() || receiving[start.Block()] || starting[receive.Block()] ||
		ssaflow.IsNested(loops, starting) || ssaflow.IsNested(loops, receiving) {
		return nil
	}
	received := ssaflow.CountLoop(receiving)
	if received == nil || !received.Exact || !receive.Block().Dominates(received.Latch) ||
		!ssaflow.LoopHeader(starting).Dominates(ssaflow.LoopHeader(receiving)) {
		return nil
	}
	kept := elementsReceived(receive, received)
	if kept == nil {
		return nil
	}
	filling := r.fillsByAppend(kept, starting)
	if filling == nil {
		filling = r.fillsByIndex(kept, starting)
	}
	if filling == nil || !r.isFilledOnlyBy(graph, kept, filling) {
		return nil
	}
	join := &ChannelJoin{Exits: received.Exits(receiving)}
	if !often.Once(r.node) && (!often.Sequential(r.node) || callsItself(graph, r.node) ||
		r.escapesJoin(join, start.Block(), nil)) {
		return nil
	}
	return join
}

// elementsReceived returns the slice that a loop receives from each element of, nil if it
// does not.
func elementsReceived(receive *ssa.UnOp, loop *ssaflow.CountedLoop) ssa.Value {
	load, ok := receive.X.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return nil
	}
	element, ok := load.X.(*ssa.IndexAddr)
	length := ssaflow.LengthOf(loop.Bound)
	if !ok || length == nil || mustalias.BaseKey(length) != mustalias.BaseKey(element.X) {
		return nil
	}
	test, ok := loop.From.Instrs[len(loop.From.Instrs)-1].(*ssa.If).Cond.(*ssa.BinOp)
	if !ok || test.Op != token.LSS || test.X != element.Index {
		return nil
	}
	return mustalias.BaseKey(element.X)
}

// fillsByAppend returns the call of append by which the channel of each goroutine joins
// the slice, if it does.
func (r *channelRole) fillsByAppend(kept ssa.Value, starting map[*ssa.BasicBlock]bool) ssa.Instruction {
	header := ssaflow.LoopHeader(starting)
	phi, ok := kept.(*ssa.Phi)
	if !ok || phi.Block() != header {
		return nil
	}
	var grown *ssa.Call
	for i, e := range phi.Edges {
		if !header.Dominates(header.Preds[i]) {
			if !isEmptySlice(e) {
				return nil
			}
			continue
		}
		call, ok := e.(*ssa.Call)
		if !ok || !ssaflow.IsBuiltin(call, "append") || grown != nil && grown != call {
			return nil
		}
		grown = call
	}
	if grown == nil || grown.Block() != r.made.Block() || grown.Call.Args[0] != ssa.Value(phi) ||
		mustalias.BaseKey(onlyElement(grown.Call.Args[1])) != ssa.Value(r.made) {
		return nil
	}
	return grown
}

// isEmptySlice tells whether the value is nil, or made with the length zero.
func isEmptySlice(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Const:
		return v.IsNil()
	case *ssa.MakeSlice:
		return ssaflow.IsInt(v.Len, 0)
	case *ssa.Slice:
		_, isNew := v.X.(*ssa.Alloc)
		return isNew && v.Low == nil && v.High != nil && ssaflow.IsInt(v.High, 0)
	}
	return false
}

// onlyElement returns the only argument that is passed for a variadic parameter, nil if
// there are others.
func onlyElement(arguments ssa.Value) ssa.Value {
	slice, ok := arguments.(*ssa.Slice)
	if !ok {
		return nil
	}
	array, ok := slice.X.(*ssa.Alloc)
	if !ok || array.Comment != "varargs" {
		return nil
	}
	var only ssa.Value
	for _, r := range *array.Referrers() {
		element, ok := r.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for _, use := range *element.Referrers() {
			if store, ok := use.(*ssa.Store); ok {
				if only != nil {
					return nil
				}
				only = store.Val
			}
		}
	}
	return only
}

// fillsByIndex returns the store by which the channel of each goroutine becomes the element
// with the number of the iteration, if it does.
func (r *channelRole) fillsByIndex(kept ssa.Value, starting map[*ssa.BasicBlock]bool) ssa.Instruction {
	made, ok := kept.(ssa.Instruction)
	counted := ssaflow.CountLoop(starting)
	if !ok || counted == nil || starting[made.Block()] || !made.Block().Dominates(ssaflow.LoopHeader(starting)) {
		return nil
	}
	switch kept.(type) {
	case *ssa.MakeSlice, *ssa.Slice:
	default:
		return nil
	}
	for _, instr := range r.made.Block().Instrs {
		store, ok := instr.(*ssa.Store)
		if !ok || mustalias.BaseKey(store.Val) != ssa.Value(r.made) {
			continue
		}
		if element, ok := store.Addr.(*ssa.IndexAddr); ok && mustalias.BaseKey(element.X) == kept &&
			counted.IsNumber(mustalias.BaseKey(element.Index)) {
			return store
		}
	}
	return nil
}

// isFilledOnlyBy tells whether nothing but the instruction puts anything into the slice.
func (r *channelRole) isFilledOnlyBy(graph *pointsto.Result, kept ssa.Value, filling ssa.Instruction) bool {
	memory := graph.PointsTo(r.node, kept).Objects()
	if len(memory) == 0 {
		return false
	}
	leadsThere := func(n *pointsto.Node, v ssa.Value) bool {
		return slices.ContainsFunc(graph.PointsTo(n, v).Objects(), func(o *pointsto.Object) bool {
			return slices.Contains(memory, o)
		})
	}
	for _, n := range graph.Holders(memory...) {
		for _, b := range n.Func.Blocks {
			for _, instr := range b.Instrs {
				if instr == filling {
					continue
				}
				switch v := instr.(type) {
				case *ssa.Store:
					if leadsThere(n, v.Addr) {
						return false
					}
				case ssa.CallInstruction:
					if ssaflow.IsBuiltin(v, "len") || ssaflow.IsBuiltin(v, "cap") {
						continue
					}
					for _, operand := range v.Operands(nil) {
						if *operand != nil && leadsThere(n, *operand) {
							return false
						}
					}
				}
			}
		}
	}
	return true
}
