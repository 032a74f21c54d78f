package refine

import (
	"cmp"
	"errors"
	"slices"

	"github.com/empire-go/empire-go/checker/automaton"
	"github.com/empire-go/empire-go/limit"
)

// method is one part of the portfolio.
type method interface {
	// name is what an answer says that decided.
	name() string
	// turn works for a while on the labels that are open, and answers those that it can.
	// It tells whether another turn may answer more; an error is why it cannot go on,
	// which does not keep other methods from doing so.
	turn(d *decision) (more bool, err error)
}

// portfolio returns the methods for the components, in the order of their turns.
func (d *decision) portfolio() []method {
	if !slices.ContainsFunc(d.processes, func(p *process) bool { return !p.exact }) {
		return []method{exact{}}
	}
	return []method{&bounded{}, &regular{states: regularStates}, &repeated{method: lockHistories{}},
		&repeated{method: counts{}}}
}

var errRounds = errors.New("the limit on rounds is passed")

// repeated is a method that has one turn, in which it may do any amount of work: it is broken off, and begins again in
// the next turn with four times as much, for a search may have found by then what it looks for in vain.
type repeated struct {
	method
	turns int
}

// firstWork is what such a method may do in its first turn.
const firstWork = limit.Second / 200

func (r *repeated) turn(d *decision) (more bool, err error) {
	whole := d.ctx
	ctx, meter := limit.WithWork(whole, firstWork<<min(2*r.turns, 32), limit.ErrWork)
	defer meter.Stop()
	r.turns++
	d.ctx = ctx
	more, err = r.method.turn(d)
	d.ctx = whole
	if limit.Passed(ctx) == limit.ErrWork && whole.Err() == nil {
		return true, nil
	}
	return more, err
}

// entrant is a method with what it has had.
type entrant struct {
	method
	turns int
	spent limit.Work
}

// run lets the methods take turns until every label has its answer or nothing is left to
// try. The next turn is that of the method that has done the least work: what a search finds soon does not
// wait for the long turns of a method that looks for a proof, nor the other way round. The error is the first reason
// why one of them gave up.
func (d *decision) run(methods []method) (reason error) {
	var left []*entrant
	for _, m := range methods {
		left = append(left, &entrant{method: m})
	}
	var meter *limit.Meter
	d.ctx, meter = limit.WithWork(d.ctx, limit.Unlimited, limit.ErrWork)
	defer meter.Stop()
	for len(left) > 0 {
		next := slices.MinFunc(left, func(a, b *entrant) int { return cmp.Compare(a.spent, b.spent) })
		if d.limits.Rounds > 0 && next.turns >= d.limits.Rounds {
			return errRounds
		}
		next.turns++
		d.work.Rounds = max(d.work.Rounds, next.turns)
		before := meter.Spent()
		more, err := next.turn(d)
		next.spent += meter.Spent() - before
		switch {
		case d.open == automaton.None:
			return nil
		case d.ctx.Err() != nil:
			return d.ctx.Err()
		case err != nil && reason == nil:
			reason = err
		}
		if err != nil || !more {
			left = slices.DeleteFunc(left, func(e *entrant) bool { return e == next })
		}
	}
	return reason
}
