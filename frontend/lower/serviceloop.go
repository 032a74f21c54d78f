package lower

import (
	"go/token"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// serviceLoops returns the loops of a function, with which a goroutine begins, that
// wait for input in each iteration: each iteration is a unit of its own. Whether a
// lock is held there is found out when the model is complete (settleServices).
func (l *lowerer) serviceLoops(c *clone) []unitLoop {
	var loops []unitLoop
	for _, blocks := range naturalLoops(c.fn.ssa) {
		loop := unitLoop{blocks: blocks, header: loopHeader(blocks)}
		input := l.inputIn(c, loop)
		if input == nil {
			continue
		}
		l.services = append(l.services, input.Pos())
		loop.service = len(l.services)
		loops = append(loops, loop)
	}
	return loops
}

// inputIn returns an instruction of the loop that waits for input, if no iteration
// comes to its end without one, else nil.
func (l *lowerer) inputIn(c *clone, loop unitLoop) ssa.Instruction {
	var first ssa.Instruction
	waits := func(b *ssa.BasicBlock) bool {
		for _, instr := range b.Instrs {
			if l.waitsForInput(c, loop, instr) {
				if first == nil {
					first = instr
				}
				return true
			}
		}
		return false
	}
	if waits(loop.header) {
		return first
	}
	seen := map[*ssa.BasicBlock]bool{loop.header: true}
	work := []*ssa.BasicBlock{loop.header}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, next := range b.Succs {
			switch {
			case next == loop.header:
				return nil
			case loop.blocks[next] && !seen[next]:
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
func (l *lowerer) waitsForInput(c *clone, loop unitLoop, instr ssa.Instruction) bool {
	switch v := instr.(type) {
	case *ssa.UnOp:
		return v.Op == token.ARROW && !l.sendsTo(c, loop, v.X)
	case *ssa.Select:
		return v.Blocking && len(v.States) > 0 && !slices.ContainsFunc(v.States, func(st *ssa.SelectState) bool {
			return st.Send != nil || l.sendsTo(c, loop, st.Chan)
		})
	case *ssa.Call:
		return knowledge.WaitsForInput(v.Common())
	}
	return false
}

// sendsTo tells whether the loop may send to the channel.
func (l *lowerer) sendsTo(c *clone, loop unitLoop, channel ssa.Value) bool {
	objects := l.Graph.PointsTo(c.node, channel).Objects()
	same := func(other ssa.Value) bool {
		return slices.ContainsFunc(l.Graph.PointsTo(c.node, other).Objects(), func(o *pointsto.Object) bool { return slices.Contains(objects, o) })
	}
	for b := range loop.blocks {
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

// servicePrefix begins the key by which the end of a unit says, until the model is
// complete, that it is that of an iteration of a service loop.
const servicePrefix = "service "

// serviceMark returns the key for a number of unitLoop.service.
func serviceMark(service int) string { return servicePrefix + strconv.Itoa(service) }

// settleServices decides in the complete model which iterations of service loops
// end units: those at whose beginning no lock is held. It lists them as assumptions.
func (l *lowerer) settleServices(p *esl.Program) {
	if len(l.services) == 0 {
		return
	}
	held := mayHold(p)
	for f := range p.Functions {
		body := p.Functions[f].Body
		for i := range body {
			mark, ok := strings.CutPrefix(body[i].Key, servicePrefix)
			if body[i].Op != esl.UnitEnd || !ok {
				continue
			}
			body[i].Key = ""
			if held[f][i] {
				body[i], body[i+1] = esl.Stmt{Op: esl.Skip}, esl.Stmt{Op: esl.Skip}
				continue
			}
			number, _ := strconv.Atoi(mark)
			l.assume("service loop", l.services[number-1], "each iteration of this loop is a unit of work of its own, because it begins with waiting here")
		}
	}
}
