package lower

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/notes"
)

// mark marks the accesses of an instruction about which more is known than which
// location they are to.
func (c *clone) mark(instr ssa.Instruction, outcomes []outcome) {
	c.markCounters(instr, outcomes)
	c.markOutput(instr, outcomes)
	c.markPassing(instr, outcomes)
}

// markCounters marks the accesses of an instruction that is half of an increment.
func (c *clone) markCounters(instr ssa.Instruction, outcomes []outcome) {
	if !c.fn.increments[instr] {
		return
	}
	for _, o := range outcomes {
		for i, st := range o.stmts {
			if st.Op == esl.Access && st.Key == "" {
				o.stmts[i].Key = notes.CounterMark
			}
		}
	}
}
