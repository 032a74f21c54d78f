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

func newCalls(p *esl.Program) *calls {
	c := &calls{p, p.Callers(), make([]bool, len(p.Functions))}
	var work []int
	for f := range p.Functions {
		work = append(work, f)
	}
	for len(work) > 0 {
		f := work[len(work)-1]
		work = work[:len(work)-1]
		if !c.returns[f] && c.mayReturn(f) {
			c.returns[f] = true
			work = append(work, c.callers[f]...)
		}
	}
	return c
}

// mayReturn tells whether a function can come to its end, of which it is known which of those that it calls return.
func (c *calls) mayReturn(f int) bool {
	body := c.program.Functions[f].Body
	seen := make([]bool, len(body)+1)
	for work := []int{0}; len(work) > 0; {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		switch {
		case seen[i]:
			continue
		case i == len(body) || body[i].Op == esl.Return:
			return true
		}
		seen[i] = true
		switch s := body[i]; s.Op {
		case esl.Goto, esl.Choice:
			work = append(work, s.Targets...)
		case esl.Call:
			if c.returns[s.Arg] {
				work = append(work, i+1)
			}
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
