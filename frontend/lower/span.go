package lower

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/rules"
)

// enter returns the statements before an instruction that begin the units whose spans
// it is the first place of, and the state after.
func (l *lowerer) enter(c *clone, s state, instr ssa.Instruction) ([]esl.Stmt, state) {
	var stmts []esl.Stmt
	for i, u := range c.units {
		if u.Direct && s.opened&(1<<i) == 0 && l.work.SpanOf(c.node, u).Works[l.work.SpanOf(c.node, u).Flow.At[instr]] {
			stmts = append(stmts, u.Begin())
			s.opened |= 1 << i
		}
	}
	return stmts, s
}

// quit adds to outcomes of an instruction the ends of the units whose spans are over.
func (l *lowerer) quit(c *clone, outcomes []outcome, instr ssa.Instruction) []outcome {
	for i, u := range c.units {
		if !u.Direct {
			continue
		}
		span := l.work.SpanOf(c.node, u)
		at := span.Flow.At[instr]
		if len(span.Flow.Succs[at]) != 1 || !span.Works[at] || span.Ahead[at+1] {
			continue
		}
		for k, o := range outcomes {
			if l.Rules.Use(rules.Spans, o.state.opened&(1<<i) != 0 && !o.state.panicking) {
				outcomes[k].stmts = append(o.stmts[:len(o.stmts):len(o.stmts)], u.Finish(l.position(instr)))
				outcomes[k].state.opened &^= 1 << i
			}
		}
	}
	return outcomes
}
