package harm

import (
	"cmp"
	"context"
	"go/token"
	"slices"
	"strings"

	"github.com/empire-go/empire-go/frontend/execute"
)

// What is only in memory of the standard library, which clients cannot see, does harm if a call afterwards tells it
// from what the orders leave. Other memory that clients cannot see is the author's, who means something by it, as long
// as the object is used: of one that is closed it is as that of the library.

// maxAfter bounds the calls that are tried afterwards.
const maxAfter = 40

// isHidden tells whether nothing that clients see, and no call afterwards, tells the outcome of a run from those of
// the orders.
func (e *encounter) isHidden(ctx context.Context, schedule execute.Schedule, shown *execute.Shown) bool {
	if shown.Blocked || shown.Panics {
		return false
	}
	seen := e.visible(shown.Lines)
	var like []int // orders of which clients see the same
	for i, o := range e.orders {
		if o.CalledBack == shown.CalledBack && slices.Equal(e.visible(o.Lines), seen) {
			like = append(like, i)
		}
	}
	if len(like) == 0 {
		return false
	}
	key := textOf(shown.Lines)
	hides, ok := e.hides[key]
	if !ok {
		hides = !e.isTold(ctx, schedule, like)
		e.hides[key] = hides
	}
	return hides
}

// isTold tells whether a call afterwards tells what a schedule leads to from each of the orders.
func (e *encounter) isTold(ctx context.Context, schedule execute.Schedule, orders []int) bool {
	for _, step := range e.tellers() {
		if e.isOver(ctx) {
			return false // it has not been shown
		}
		told := e.carryAfter(step, execute.Together, schedule)
		if told == nil {
			continue
		}
		orders = slices.DeleteFunc(orders, func(i int) bool {
			o := e.afterOrder(step, i)
			return o != nil && !slices.Equal(withoutErrors(o.After), withoutErrors(told.After))
		})
		if len(orders) == 0 {
			return true
		}
	}
	return false
}

// tellers returns the steps that are tried afterwards: those with the first arguments first.
func (e *encounter) tellers() (all []int) {
	steps := e.library.trial.Steps
	for i, s := range steps {
		if !s.Waits {
			all = append(all, i)
		}
	}
	slices.SortStableFunc(all, func(i, j int) int { return cmp.Compare(steps[i].Variant, steps[j].Variant) })
	return all[:min(len(all), maxAfter)]
}

// afterOrder returns the outcome of a step after an order.
func (e *encounter) afterOrder(step, order int) *execute.Shown {
	key := [2]int{step, order}
	shown, ok := e.after[key]
	if !ok {
		shown = e.carryAfter(step, allOrders[order], execute.Schedule{})
		e.after[key] = shown
	}
	return shown
}

// carryAfter carries out a step after the two calls; nil if there is no outcome.
func (e *encounter) carryAfter(step int, order execute.Order, s execute.Schedule) *execute.Shown {
	t := *e.trial
	t.After = []execute.Call{e.library.call(step)}
	shown, err := e.library.program.Carry(&t, order, s)
	if e.runs++; err != nil {
		return nil
	}
	return shown
}

// visible returns what counts without a call: results, what clients have handed over, and what is in exported fields,
// or, as long as the object is used, in memory that is not that of the standard library.
func (e *encounter) visible(lines []execute.Line) (all []execute.Line) {
	isClosed := e.closes()
	for _, line := range lines {
		if !line.IsLibrarys && !isClosed || line.IsOutside || execute.IsResult(line.Path) || isExported(line.Path) {
			all = append(all, line)
		}
	}
	return withoutErrors(all)
}

// closes tells whether one of the two calls ends the life of the object for good.
func (e *encounter) closes() bool {
	return slices.ContainsFunc(e.steps[:], func(step int) bool {
		return step != timePasses && e.library.trial.Steps[step].Closes
	})
}

// isExported tells whether all the fields on a path are exported.
func isExported(path string) bool {
	depth := 0
	isFirst := true // rune of a name
	for _, r := range path {
		switch {
		case r == '[':
			depth++
		case r == ']':
			depth--
		case depth > 0:
		case r == '.':
			isFirst = true
		default:
			if isFirst && !token.IsExported(string(r)) {
				return false
			}
			isFirst = false
		}
	}
	return !strings.HasSuffix(path, " (key)")
}
