package pipeline

import (
	"context"
	"time"

	"github.com/empire-go/empire-go/limit"
)

// The queries of a request share one budget, in work. Each gets a small share first, so that what is
// cheap is answered early; those that do not finish get a larger one when all have had theirs, in the
// order in which the candidates are likely to be worth it.

// The defaults of Request.Budget and of the work for a single query where there is no budget, as of
// a sweep.
const (
	DefaultBudget = 2 * time.Minute
	DefaultWork   = DefaultTimeout
)

// NoBudget is the value of Request.Budget where nothing is shared: each query has its own limits.
const NoBudget time.Duration = -1

// A query may take a small part of the budget in the first round, one by growth larger in each that follows, and all
// that is left in the last one. The first round may take a fourth of the budget at most, if there are many queries:
// each is asked before one that takes long has what others could have had.
const (
	firstPart  = 128
	firstRound = 4
	growth     = 4
)

// turn says what queries are asked in a round. Verdicts come first: what a violation does may take any amount of work,
// and may not keep others from having an answer at all.
type turn int

const (
	forAll      turn = iota // where nothing is shared
	forOutlines             // verdicts by models with less detail, which cost little
	forVerdicts
	forHarm      // of queries that have all verdicts
	forAnyHarm   // also of violations of queries that are still open
	forCertainty // at the very end: for what is safe by an assumption that a model with more detail can do without
)

// turnsOf returns the turns of a round, of so many.
func turnsOf(round, rounds int) []turn {
	switch {
	case rounds == 1:
		return []turn{forAll}
	case round == 0:
		return []turn{forVerdicts, forAnyHarm}
	case round == rounds-1:
		return []turn{forOutlines, forVerdicts, forAnyHarm}
	}
	return []turn{forOutlines, forVerdicts, forHarm}
}

// begins tells whether it is the turn of what has not begun.
func (t turn) begins() bool { return t < forHarm }

// isForHarm tells whether nothing is searched for verdicts.
func (t turn) isForHarm() bool { return t == forHarm || t == forAnyHarm }

// isFor tells whether it is a query's turn.
func (t turn) isFor(q *asking) bool {
	if q.isResting || t == forCertainty {
		return q.isResting && t == forCertainty
	}
	switch t {
	case forOutlines:
		return !q.isSearched && q.detail <= shallow
	case forVerdicts:
		return !q.isSearched
	case forHarm:
		return q.isSearched
	case forAnyHarm:
		return q.isSearched || q.mayHarm
	}
	return true
}

// asks tells whether a query is tried: it is its turn, and no search has passed as large a share before, which would
// end where that has ended.
func (t turn) asks(q *asking, share limit.Work) bool {
	isVain := (t == forOutlines || t == forVerdicts) && share <= q.passed
	return !q.done && t.isFor(q) && !isVain
}

// maxBudgets bounds how many packages have a budget each, where nothing is said of the whole: a module of any size
// comes to its end.
const maxBudgets = 5

// budget is what is left for a request; nil: nothing is shared.
type budget struct {
	whole, left limit.Work
	isWidened   bool // it is that of all packages, or of as many as there are in the request
}

// newBudget returns the budget of a request.
func newBudget(r Request) *budget {
	if r.Budget == NoBudget {
		return nil
	}
	whole := limit.InWork(r.Budget)
	return &budget{whole, whole, !r.defaultBudget}
}

// widen has a budget for each of so many packages of which something is asked, unless the user has said what all may
// take.
func (b *budget) widen(packages int) {
	if b == nil || b.isWidened {
		return
	}
	more := b.whole * limit.Work(max(min(packages, maxBudgets), 1)-1)
	b.whole, b.left, b.isWidened = b.whole+more, b.left+more, true
}

// isSpent tells whether nothing is left.
func (b *budget) isSpent() bool { return b != nil && b.left <= 0 }

// remains returns what is left; 0 where nothing is shared.
func (b *budget) remains() limit.Work {
	if b == nil {
		return 0
	}
	return b.left
}

// rounds returns the work that a query may take in each round, where so many sets are asked about.
func (b *budget) rounds(r Request, sets int) []limit.Work {
	if b == nil {
		return []limit.Work{workOf(r)}
	}
	var all []limit.Work
	for part := max(firstPart, firstRound*sets); part > 1; part /= growth {
		all = append(all, b.whole/limit.Work(part))
	}
	return append(all, b.whole)
}

// workOf returns the work that a query may take by itself: as much as it can, where there is a limit
// on the time.
func workOf(r Request) limit.Work {
	if r.Timeout != 0 {
		return limit.Unlimited
	}
	return limit.InWork(DefaultWork)
}

// stageWork returns the work that a stage for all queries may take.
func (r *runner) stageWork(of Request) limit.Work {
	if r.budget != nil {
		return r.budget.left
	}
	return workOf(of)
}

// planWork returns the work that it may take to find out what to ask of a part of the module: where it takes more,
// there would be little left for the other parts, and to answer anything. What comes of a part that was divided, so
// often, because it took too much may take half of that each time: where most of it is in one half, all halves up to
// that one are in vain.
func (r *runner) planWork(of Request) limit.Work {
	const part = 4
	if r.budget != nil {
		return r.budget.left / (part << r.divided)
	}
	return workOf(of)
}

// within returns a context under the limits of a query, for so much work at most. What has been done
// under it is no longer in the budget when it is released.
func (r *runner) within(ctx context.Context, of Request, work limit.Work) (context.Context, func()) {
	limited, stop := limit.ForQuery(ctx, of.Timeout, of.Memory)
	if r.budget != nil {
		work = min(work, r.budget.left)
	}
	limited, meter := limit.WithWork(limited, work, r.workBound())
	counted := limit.Work(0)
	return limited, func() {
		meter.Stop()
		stop()
		if r.budget != nil {
			r.budget.left -= meter.Spent() - counted
			counted = meter.Spent()
		}
	}
}

// workBound is as what the limit on the work for a query is passed.
func (r *runner) workBound() *limit.Bound {
	if r.budget != nil {
		return limit.ErrBudget
	}
	return limit.ErrWork
}
