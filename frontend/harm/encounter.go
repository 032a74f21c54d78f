package harm

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/empire-go/empire-go/frontend/execute"
	"github.com/empire-go/empire-go/frontend/harness"
)

// encounter is two calls that are made at the same time, from one state.
type encounter struct {
	*pair
	start       state
	steps       [2]int
	trial       *execute.Trial
	preemptions int
	orders      []*execute.Shown // outcomes of the orders
	inside      []*execute.Shown // and of one call inside the other one

	hides map[string]bool           // of outcomes whether they are hidden, see isHidden
	after map[[2]int]*execute.Shown // outcomes of a step after the orders, by the numbers of both

	single map[int]*execute.Shown // by call: its outcome without the other one, see alone
	gives  map[int]bool           // by call: see givesUp
}

// allOrders are those that an interleaving is compared with.
var allOrders = []execute.Order{
	execute.InOrder, execute.Reversed, execute.InOrderAtOnce, execute.ReversedAtOnce,
}

// together tries two calls from one state.
func (p *pair) together(ctx context.Context, s state, u, v, preemptions int) {
	l := p.library
	e := &encounter{pair: p, start: s, steps: [2]int{u, v}, trial: l.trialOf(s), preemptions: preemptions,
		hides: map[string]bool{}, after: map[[2]int]*execute.Shown{},
		single: map[int]*execute.Shown{}, gives: map[int]bool{}}
	e.trial.Calls = []execute.Call{l.call(u), l.call(v)}
	if !e.inOrder() {
		return // there is nothing to compare with
	}
	p.starts++
	if p.never = e.whyNever(); p.never != "" {
		p.enough = true
		return
	}
	inside := p.inside(e.trial, u, v, e.orders)
	e.inside = slices.Concat(inside[0], inside[1])
	e.trial.Subject = p.subject
	p.err = cmp.Or(l.program.Search(e.trial, preemptions, maxRuns,
		func(schedule execute.Schedule, shown *execute.Shown) bool {
			p.runs++
			if f := e.look(ctx, schedule, shown); f != nil {
				p.found(f)
			}
			return p.isOver(ctx)
		}), p.err)
}

// inOrder carries out the two calls in all orders. It tells whether they have come to their ends.
func (e *encounter) inOrder() bool {
	for _, order := range allOrders {
		shown, err := e.library.program.Carry(e.trial, order, execute.Schedule{})
		if e.runs++; err != nil || shown.Blocked {
			e.err = err
			for i := range shown.Waiting() {
				e.waits[i]++
			}
			return false
		}
		if shown.Panics {
			// Clients that make the two calls at the same time may come in this order: they do not.
			e.err = cmp.Or(e.err, fmt.Errorf("%w: %s", errPanics, shown.Lines[0].Text))
			return false
		}
		e.orders = append(e.orders, shown)
	}
	return true
}

// look returns what a run shows: harm, or a race; nil if neither.
func (e *encounter) look(ctx context.Context, schedule execute.Schedule, shown *execute.Shown) *Finding {
	e.loud = e.loud || len(shown.Races) > 0
	race := slices.IndexFunc(shown.Races, func(r execute.Race) bool { return r.OfSet && e.whyUnmeant(r) == "" })
	if race < 0 {
		race = slices.IndexFunc(shown.Races, func(r execute.Race) bool { return r.OfSet })
	}
	isHarmful := !isOneOf(shown, e.orders)
	if isHarmful {
		if e.isClient() && e.isOrdered(shown) { // else the goroutines are the units
			isHarmful = false
		} else if why := e.excuse(ctx, schedule, shown, race >= 0); why != nil {
			isHarmful, *why = false, true
		}
	}
	if race < 0 && !isHarmful {
		return nil
	}
	e.loud = true
	f := e.finding(shown)
	f.IsHarmful, f.IsMeant = isHarmful, e.isMeant()
	if race >= 0 {
		f.Race, f.Unmeant = &shown.Races[race], e.whyUnmeant(shown.Races[race])
	}
	return f
}

// excuse returns why what a run does is no harm, though no order does it; nil if it is.
func (e *encounter) excuse(ctx context.Context, schedule execute.Schedule, shown *execute.Shown, races bool) *bool {
	switch {
	case isOneOf(shown, e.inside) || e.isToldInside(ctx, shown):
		return &e.nested
	case shown.Joint && !shown.Blocked && !shown.Panics:
		return &e.joint
	case shown.IsBare && !e.isMeant():
		return &e.unmeant
	case e.isRefused(shown):
		return &e.refused
	case isOneOfButErrors(shown, e.orders):
		return &e.errors
	case !shown.Blocked && !shown.Panics && e.isOneOfButStatus(shown):
		return &e.status
	case !races && shown.Meets && e.happensWithout(shown):
		return &e.without
	case e.isHidden(ctx, schedule, shown):
		return &e.hidden
	}
	return nil
}

// whyNever says why nothing that the two calls do at the same time counts, whatever they do; "" if something may. Both
// have returned: one that serves until it is stopped is no call that comes before others.
func (e *encounter) whyNever() string {
	steps := e.library.trial.Steps
	switch {
	case e.isTooEarly():
		return tooEarly
	case e.isClient() && steps[e.steps[0]].Turn.IsApartFrom(steps[e.steps[1]].Turn):
		return forbidden
	case e.isMeant():
		return ""
	case isKeptApart(&steps[e.steps[0]], &steps[e.steps[1]]):
		return keptApart
	case steps[e.steps[0]].IsLentLock || steps[e.steps[1]].IsLentLock:
		return lentLock
	case steps[e.steps[0]].ByMaker && steps[e.steps[1]].ByMaker:
		return byMaker
	case e.library.trial.IsTestDouble:
		return standsIn
	case steps[e.steps[0]].ForTests || steps[e.steps[1]].ForTests:
		return forTests
	}
	return ""
}

// isKeptApart tells whether the module shows that callers keep two calls apart: it makes one of them only with locks
// held, and the other one too, or that leaves locks to its callers.
func isKeptApart(a, b *harness.TrialStep) bool {
	return a.UnderLocks && (b.UnderLocks || b.LeavesLocks) || a.LeavesLocks && b.UnderLocks
}

// isClient tells whether both calls are made by clients.
func (e *encounter) isClient() bool { return e.steps[0] != timePasses && e.steps[1] != timePasses }

// whyUnmeant says why nothing means goroutines to make two calls at the same time that race: neither holds a lock,
// which would show that the author has thought of others. It is "" if something does.
func (e *encounter) whyUnmeant(r execute.Race) string {
	if r.IsBare && !e.isMeant() {
		return noLocks
	}
	return ""
}

// isTooEarly tells whether one of the two calls begins the life of the object that the other one uses.
func (e *encounter) isTooEarly() bool {
	return e.isClient() && e.library.trial.IsTooEarly(e.steps[0], e.steps[1])
}

// isMeant tells whether something says that goroutines make the two calls at the same time. What the goroutines of the
// library do is meant.
func (e *encounter) isMeant() bool {
	steps := e.library.trial.Steps
	return !e.isClient() || steps[e.steps[0]].Simultaneous && steps[e.steps[1]].Simultaneous
}

// maxOrderRuns bounds the runs in which an outcome is looked for in one of the orders.
const maxOrderRuns = 80

// isOrdered tells whether one of the orders gives the outcome if the goroutines that the library has started go
// on at other moments.
func (e *encounter) isOrdered(shown *execute.Shown) (found bool) {
	for _, order := range []execute.Order{execute.InOrderAtOnce, execute.ReversedAtOnce} {
		err := e.library.program.SearchOrder(e.trial, order, 2, maxOrderRuns,
			func(_ execute.Schedule, o *execute.Shown) bool {
				e.runs++
				found = slices.Equal(o.Lines, shown.Lines)
				return found
			})
		if found || err != nil {
			return found
		}
	}
	return false
}

// happensWithout tells whether the calls can come to the same outcome in a run in which no units on the subject
// overlap: then something else does it.
func (e *encounter) happensWithout(shown *execute.Shown) bool {
	return e.someRun(maxOrderRuns, func(o *execute.Shown) bool {
		return !o.Meets && slices.Equal(o.Lines, shown.Lines)
	})
}

// someRun tells whether one of so many runs of the two calls at the same time shows something.
func (e *encounter) someRun(most int, shows func(*execute.Shown) bool) (found bool) {
	err := e.library.program.Search(e.trial, e.preemptions, most, func(_ execute.Schedule, o *execute.Shown) bool {
		e.runs++
		found = shows(o)
		return found
	})
	return found && err == nil
}
