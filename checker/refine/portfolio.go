package refine

import (
	"errors"
	"slices"

	"github.com/empire-go/empire-go/checker/automaton"
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
	return []method{&bounded{}, &regular{states: regularStates}, lockHistories{}, counts{}}
}

var errRounds = errors.New("the limit on rounds is passed")

// run lets the methods take turns until every label has its answer or nothing is left to
// try. The error is the first reason why one of them gave up.
func (d *decision) run(methods []method) (reason error) {
	for len(methods) > 0 {
		if d.limits.Rounds > 0 && d.work.Rounds >= d.limits.Rounds {
			return errRounds
		}
		d.work.Rounds++
		var left []method
		for _, m := range methods {
			more, err := m.turn(d)
			switch {
			case d.open == automaton.None:
				return nil
			case d.ctx.Err() != nil:
				return d.ctx.Err()
			case err != nil && reason == nil:
				reason = err
			case err == nil && more:
				left = append(left, m)
			}
		}
		methods = left
	}
	return reason
}
