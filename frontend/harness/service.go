package harness

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
)

// A method such as Start or Run, which serves for ever, is made to be called with a go
// statement: clients do so. Then its loop is a service loop, of which each iteration is
// a unit of work.

// serves tells whether the function ends in a loop that receives from channels, and that
// nothing but a return follows.
func serves(fn *ssa.Function) bool { return endsInLoop(fn, receives) }

// servesClients tells whether it ends in a loop that accepts clients.
func servesClients(fn *ssa.Function) bool { return endsInLoop(fn, accepts) }

// endsInLoop tells whether the function ends in a loop with a block of a kind, and nothing but a return follows; or
// returns what such a function does.
func endsInLoop(fn *ssa.Function, is func(*ssa.BasicBlock) bool) bool {
	for range maxTailCalls {
		if fn == nil {
			return false
		}
		for _, b := range fn.Blocks {
			if !is(b) {
				continue
			}
			if loop := cycleOf(b); len(loop) > 0 && onlyReturnsAfter(loop) {
				return true
			}
		}
		fn = tailOf(fn)
	}
	return false
}

// maxTailCalls bounds the functions that return what the next one does.
const maxTailCalls = 4

// tailOf returns the function whose results the last statement of another one returns; nil if it is none that is known.
func tailOf(fn *ssa.Function) *ssa.Function {
	var call *ssa.Call
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			c, ok := instr.(*ssa.Call)
			if ok && c.Call.StaticCallee() != nil && (call == nil || c.Pos() > call.Pos()) && returnsAfter(b, c) {
				call = c
			}
		}
	}
	if call == nil {
		return nil
	}
	return call.Call.StaticCallee()
}

// returnsAfter tells whether the block returns after a call, and does nothing else.
func returnsAfter(b *ssa.BasicBlock, call *ssa.Call) bool {
	for _, instr := range b.Instrs[slices.Index(b.Instrs, ssa.Instruction(call))+1:] {
		switch instr.(type) {
		case *ssa.Return, *ssa.RunDefers, *ssa.Extract, *ssa.DebugRef:
		default:
			return false
		}
	}
	return true
}

// receives tells whether the block waits for something that is sent.
func receives(b *ssa.BasicBlock) bool {
	for _, instr := range b.Instrs {
		switch v := instr.(type) {
		case *ssa.UnOp:
			if v.Op == token.ARROW {
				return true
			}
		case *ssa.Select:
			if v.Blocking {
				return true
			}
		}
	}
	return false
}

// accepts tells whether the block waits for input that is a client: it can be closed.
func accepts(b *ssa.BasicBlock) bool {
	return slices.ContainsFunc(b.Instrs, func(instr ssa.Instruction) bool {
		call, ok := instr.(*ssa.Call)
		if !ok || !knowledge.WaitsForInput(call.Common()) || call.Common().Signature().Results().Len() == 0 {
			return false
		}
		client := types.NewMethodSet(call.Common().Signature().Results().At(0).Type())
		return client.Lookup(nil, "Close") != nil
	})
}

// cycleOf returns the blocks from which b can be reached, and which can be reached from
// it; none if b is in no loop.
func cycleOf(b *ssa.BasicBlock) map[*ssa.BasicBlock]bool {
	after := reachable(b.Succs, func(b *ssa.BasicBlock) []*ssa.BasicBlock { return b.Succs })
	before := reachable(b.Preds, func(b *ssa.BasicBlock) []*ssa.BasicBlock { return b.Preds })
	cycle := map[*ssa.BasicBlock]bool{}
	for x := range after {
		if before[x] {
			cycle[x] = true
		}
	}
	return cycle
}

// reachable returns the blocks that can be reached from some, with these.
func reachable(from []*ssa.BasicBlock, next func(*ssa.BasicBlock) []*ssa.BasicBlock) map[*ssa.BasicBlock]bool {
	seen := map[*ssa.BasicBlock]bool{}
	for work := from; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if !seen[b] {
			seen[b] = true
			work = append(work[:len(work):len(work)], next(b)...)
		}
	}
	return seen
}

// onlyReturnsAfter tells whether what follows a loop is the end of the function, and the
// calls that it has deferred.
func onlyReturnsAfter(loop map[*ssa.BasicBlock]bool) bool {
	var exits []*ssa.BasicBlock
	for b := range loop {
		for _, next := range b.Succs {
			if !loop[next] {
				exits = append(exits, next)
			}
		}
	}
	for b := range reachable(exits, func(b *ssa.BasicBlock) []*ssa.BasicBlock { return b.Succs }) {
		for _, instr := range b.Instrs {
			switch instr.(type) {
			case *ssa.Call, *ssa.Go, *ssa.Store, *ssa.MapUpdate, *ssa.Send:
				return false
			}
		}
	}
	return true
}
