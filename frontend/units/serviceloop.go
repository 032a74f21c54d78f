package units

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// ServiceLoops returns the loops of a function, with which a goroutine begins, that
// wait for input in each iteration: each iteration is a unit of its own. Whether a
// lock is held there is found out when the model is complete (settleServices).
func (l *Units) ServiceLoops(n *pointsto.Node) []Loop {
	var loops []Loop
	for _, blocks := range ssaflow.NaturalLoops(n.Func) {
		loop := Loop{Blocks: blocks, Header: ssaflow.LoopHeader(blocks)}
		input := l.inputIn(n, loop)
		if input == nil {
			continue
		}
		loop.Input = input
		loops = append(loops, loop)
	}
	return loops
}

// inputIn returns an instruction of the loop that waits for input, if no iteration
// comes to its end without one, else nil.
func (l *Units) inputIn(n *pointsto.Node, loop Loop) ssa.Instruction {
	var first ssa.Instruction
	waits := func(b *ssa.BasicBlock) bool {
		for _, instr := range b.Instrs {
			if l.waitsForInput(n, loop, instr) {
				if first == nil {
					first = instr
				}
				return true
			}
		}
		return false
	}
	if waits(loop.Header) {
		return first
	}
	seen := map[*ssa.BasicBlock]bool{loop.Header: true}
	work := []*ssa.BasicBlock{loop.Header}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, next := range b.Succs {
			switch {
			case next == loop.Header:
				return nil
			case loop.Blocks[next] && !seen[next]:
				seen[next] = true
				if !waits(next) {
					work = append(work, next)
				}
			}
		}
	}
	return first
}

// waitsForInput tells whether the instruction blocks until input comes. A receive
// from a channel to which the loop itself sends is none: that is how a channel
// serves as a lock.
func (l *Units) waitsForInput(n *pointsto.Node, loop Loop, instr ssa.Instruction) bool {
	return l.waitsIn(n, instr, func(ch ssa.Value) bool {
		return l.sendsTo(n, loop.Blocks, l.Graph.PointsTo(n, ch).Objects())
	}) ||
		l.helperWaits(n, loop, instr)
}

// waitsIn is waitsForInput for an instruction of a node, but for calls of functions that
// wait themselves; isOwn tells of which channels receives are none.
func (l *Units) waitsIn(n *pointsto.Node, instr ssa.Instruction, isOwn func(ssa.Value) bool) bool {
	switch v := instr.(type) {
	case *ssa.UnOp:
		return v.Op == token.ARROW && !isOwn(v.X)
	case *ssa.Select:
		return v.Blocking && isInput(v, isOwn)
	case *ssa.Call:
		return knowledge.WaitsForInput(v.Common())
	}
	return false
}

// isInput tells whether a select waits for input: it only receives, or it receives values,
// and sends others on.
func isInput(v *ssa.Select, isOwn func(ssa.Value) bool) bool {
	sends, values := false, false
	for _, st := range v.States {
		if st.Send != nil {
			sends = true
			continue
		}
		if isOwn(st.Chan) {
			return false
		}
		element, isStruct := st.Chan.Type().Underlying().(*types.Chan).Elem().Underlying().(*types.Struct)
		values = values || !isStruct || element.NumFields() > 0
	}
	return len(v.States) > 0 && (!sends || values)
}

// helperWaits tells whether the instruction calls a function of the user's that waits for
// input on every way.
func (l *Units) helperWaits(n *pointsto.Node, loop Loop, instr ssa.Instruction) bool {
	call, ok := instr.(*ssa.Call)
	if !ok || call.Call.StaticCallee() == nil {
		return false
	}
	callees := l.Graph.Callees(n, call)
	return len(callees) == 1 && l.IsOfModule(callees[0]) && len(callees[0].Func.Blocks) > 0 &&
		l.alwaysWaits(callees[0], n, loop)
}

func (l *Units) alwaysWaits(n, caller *pointsto.Node, loop Loop) bool {
	all := map[*ssa.BasicBlock]bool{}
	for _, b := range n.Func.Blocks {
		all[b] = true
	}
	isOwn := func(ch ssa.Value) bool {
		objects := l.Graph.PointsTo(n, ch).Objects()
		return l.sendsTo(n, all, objects) || l.sendsTo(caller, loop.Blocks, objects)
	}
	seen := map[*ssa.BasicBlock]bool{}
	for work := []*ssa.BasicBlock{n.Func.Blocks[0]}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] || slices.ContainsFunc(b.Instrs, func(instr ssa.Instruction) bool { return l.waitsIn(n, instr, isOwn) }) {
			continue
		}
		seen[b] = true
		if _, returns := b.Instrs[len(b.Instrs)-1].(*ssa.Return); returns {
			return false
		}
		work = append(work, b.Succs...)
	}
	return true
}

// sendsTo tells whether one of the blocks may send to one of the channels.
func (l *Units) sendsTo(n *pointsto.Node, blocks map[*ssa.BasicBlock]bool, channels []*pointsto.Object) bool {
	same := func(other ssa.Value) bool {
		return slices.ContainsFunc(l.Graph.PointsTo(n, other).Objects(), func(o *pointsto.Object) bool {
			return slices.Contains(channels, o)
		})
	}
	for b := range blocks {
		for _, instr := range b.Instrs {
			switch v := instr.(type) {
			case *ssa.Send:
				if same(v.Chan) {
					return true
				}
			case *ssa.Select:
				if slices.ContainsFunc(v.States, func(st *ssa.SelectState) bool { return st.Send != nil && same(st.Chan) }) {
					return true
				}
			}
		}
	}
	return false
}
