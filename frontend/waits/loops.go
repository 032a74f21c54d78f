package waits

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/polling"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// loopEvent is that of a loop that may wait for what another goroutine does.
func (w *walker) loopEvent(n *pointsto.Node) Event {
	return Event{What: goesRound, Function: w.name(n.Func)}
}

// waitingLoops returns the headers of the loops that may go round until another goroutine does something. A loop
// does not if a way out of it depends on what it changes itself in each round: a variable that goes on from its
// last value, as a counter or the next of a list, an iteration, or a field that it stores to. One that waits for
// a channel or a signal in each round does so there.
func waitingLoops(fn *ssa.Function) (headers []*ssa.BasicBlock) {
	for _, loop := range ssaflow.NaturalLoops(fn) {
		if !polling.Advances(loop) && polling.Exit(loop) != nil && !waitsInside(loop) {
			headers = append(headers, ssaflow.LoopHeader(loop))
		}
	}
	return headers
}

// waitsInside tells whether the loop waits for a channel, or calls what waits for a signal.
func waitsInside(loop map[*ssa.BasicBlock]bool) bool {
	for b := range loop {
		for _, instr := range b.Instrs {
			switch x := instr.(type) {
			case *ssa.Send:
				return true
			case *ssa.Select:
				if x.Blocking {
					return true
				}
			case *ssa.UnOp:
				if x.Op == token.ARROW {
					return true
				}
			case *ssa.Call:
				if callee := x.Call.StaticCallee(); callee != nil && knowledge.IsCondWait(callee) {
					return true
				}
			}
		}
	}
	return false
}
