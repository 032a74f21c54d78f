package harm

import (
	"context"

	"github.com/empire-go/empire-go/frontend/execute"
	"github.com/empire-go/empire-go/limit"
)

// Want looks at a run that is harmful, or in which two accesses race, and says how the search goes on.
type Want func(*Finding) Next

// Next says how a search goes on.
type Next int

// The ways to go on.
const (
	GoOn   Next = iota
	Settle      // the run will do: a better one is looked for with a small part of the budget
	Enough
)

// settling is the part of a budget for better runs than one that will do.
const settling = 10

// hunt is a search for runs, within a budget.
type hunt struct {
	program     *execute.Program
	want        Want
	budget, end int // in instructions; end is that of the program
	paid        int // of the instructions of the program
	enough      bool
}

func newHunt(p *execute.Program, budget int, want Want) hunt {
	return hunt{program: p, want: want, budget: budget, end: p.Executed + budget, paid: p.Executed}
}

func (h *hunt) isOver(ctx context.Context) bool {
	paid := h.paid
	h.paid = h.program.Executed
	return limit.Pay(ctx, limit.Instruction*limit.Work(h.paid-paid)) != nil || h.enough || h.program.Executed > h.end
}

// found hands a run on.
func (h *hunt) found(f *Finding) {
	switch h.want(f) {
	case Settle:
		h.end = min(h.end, h.program.Executed+h.budget/settling)
	case Enough:
		h.enough = true
	}
}
