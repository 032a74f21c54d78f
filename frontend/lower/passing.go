package lower

import (
	"fmt"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/notes"
)

// Some reads decide only what passes before the unit goes on: how long it sleeps, as in
//
//	if d := time.Until(c.next); d > 0 {
//		c.mu.Unlock()
//		time.Sleep(d)
//		c.mu.Lock()
//	}
//
// or which of the functions that the set holds it calls, as in
//
//	for _, notify := range c.listeners {
//		notify(event)
//	}
//
// Where the ways meet again, the set, the locks and the values are what they would be had
// the read given something else. The model forgets such a read there; a violation that
// needs it is a note (WithPassing).
//
// That holds for sleeping only if it is for a time that is computed from the value: who
// sleeps for a while because something is not ready, or waits for somebody, counts on
// what he finds then.

// markPassing gives the reads of an instruction their key if they decide only what
// passes.
func (c *clone) markPassing(instr ssa.Instruction, outcomes []outcome) {
	if c.relevance == nil || !c.relevance.Passing[instr] {
		return
	}
	for _, o := range outcomes {
		for i, st := range o.stmts {
			if st.Op == esl.Access && st.Access.Reads() && !st.Access.Writes() && st.Key == "" {
				o.stmts[i].Key = c.passingKey(instr)
			}
		}
	}
}

func (c *clone) passingKey(read ssa.Instruction) string {
	return fmt.Sprintf("%s%d.%d", notes.PassingKey, c.index, c.relevance.At[read])
}

// forgetPassed returns the statements that forget what has passed when the instruction
// is executed.
func (c *clone) forgetPassed(l *lowerer, instr ssa.Instruction) (stmts []esl.Stmt) {
	for _, read := range c.relevance.Passed[instr] {
		stmts = append(stmts, esl.Stmt{Op: esl.Forget, Key: c.passingKey(read), Pos: l.position(instr)})
	}
	return stmts
}
