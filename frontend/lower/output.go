package lower

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/notes"
	"github.com/empire-go/empire-go/frontend/relevance"
)

// markOutput marks the reads of an instruction if its value only flows into output.
func (c *clone) markOutput(instr ssa.Instruction, outcomes []outcome) {
	if !relevance.IsOutput(instr) {
		return
	}
	for _, o := range outcomes {
		for i, st := range o.stmts {
			if st.Op == esl.Access && st.Access.Reads() && !st.Access.Writes() && st.Key == "" {
				o.stmts[i].Key = notes.OutputMark
			}
		}
	}
}
