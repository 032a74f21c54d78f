package cpds

import (
	"slices"

	"github.com/empire-go/empire-go/esl"
)

// calls is who calls whom in a program.
type calls struct {
	program *esl.Program
	callers [][]int // by function
	returns []bool  // by function: it may return, as far as locks do not keep it from that
}

// newCalls finds it out in time linear in the program.
func newCalls(p *esl.Program) *calls {
	c := &calls{p, p.Callers(), make([]bool, len(p.Functions))}
	seen := make([][]bool, len(p.Functions))       // by function, and statement
	after := make([][]statement, len(p.Functions)) // by function: what is executed next where it returns
	for f := range p.Functions {
		for work := []statement{{f, 0}}; len(work) > 0; {
			at := work[len(work)-1]
			work = work[:len(work)-1]
			if c.returns[at.function] || !c.mayReturn(at, seen, after) {
				continue
			}
			c.returns[at.function] = true
			work = append(work, after[at.function]...)
			seen[at.function], after[at.function] = nil, nil
		}
	}
	return c
}

// statement is one of the body of a function, or its end.
type statement struct{ function, at int }

// mayReturn tells whether a function can come to its end from a statement, of which it is known which of those that it
// calls return. It notes where to go on when it is known of others, and passes no statement twice.
func (c *calls) mayReturn(from statement, seen [][]bool, after [][]statement) bool {
	body := c.program.Functions[from.function].Body
	if seen[from.function] == nil {
		seen[from.function] = make([]bool, len(body)+1)
	}
	passed := seen[from.function]
	for work := []int{from.at}; len(work) > 0; {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		switch {
		case passed[i]:
			continue
		case i == len(body) || body[i].Op == esl.Return:
			return true
		}
		passed[i] = true
		switch s := body[i]; {
		case s.Op == esl.Goto || s.Op == esl.Choice:
			work = append(work, s.Targets...)
		case s.Op == esl.Call && !c.returns[s.Arg]:
			after[s.Arg] = append(after[s.Arg], statement{from.function, i + 1})
		default:
			work = append(work, i+1)
		}
	}
	return false
}

// touching tells which functions take or release a lock, or call one that does.
func (c *calls) touching(lock int) []bool {
	touches := make([]bool, len(c.program.Functions))
	for f, fn := range c.program.Functions {
		touches[f] = slices.ContainsFunc(fn.Body, func(s esl.Stmt) bool {
			return s.Arg == lock && (inAnyWay.takes(s.Op) || inAnyWay.puts(s.Op))
		})
	}
	esl.AddCallers(c.callers, touches)
	return touches
}
