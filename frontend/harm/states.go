package harm

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/empire-go/empire-go/frontend/execute"
)

// maxStates bounds the states of one object, maxBefore the calls that lead to one, maxCost how far
// states may be.
const (
	maxStates = 80
	maxBefore = 4
	maxCost   = 8
)

// add notes a state, unless another way leads to it, or none of its calls come to an end.
func (l *Library) add(s state) {
	shown, err := l.program.Carry(l.trialOf(s), execute.InOrder, execute.Schedule{})
	if err != nil {
		if !errors.Is(err, execute.ErrMissing) {
			l.err = firstOf(l.err, err)
		}
		return
	}
	if key := textOf(shown.Lines) + shown.Waits; !l.reached[key] {
		l.reached[key] = true
		l.states = append(l.states, s)
	}
}

func textOf(lines []execute.Line) string {
	var b strings.Builder
	for _, line := range lines {
		fmt.Fprintf(&b, "%s %s\n", line.Path, line.Text)
	}
	return b.String()
}

// hasState tells whether there are so many states. Near ones are found first: a call counts one, and
// more with arguments that are not the first ones of their types.
func (l *Library) hasState(ctx context.Context, i int) bool {
	isOver := func() bool { return l.program.Executed >= l.statesEnd || ctx.Err() != nil }
	for i >= len(l.states) && l.cost < maxCost && len(l.states) < maxStates && !isOver() {
		l.cost++
		for k := 0; k < len(l.states) && !isOver(); k++ {
			if s := l.states[k]; s.cost < l.cost && len(s.before) < maxBefore {
				l.expand(s, l.cost-s.cost)
			}
		}
	}
	return i < len(l.states)
}

// expand adds the states that calls at a distance lead to from a state.
func (l *Library) expand(s state, distance int) {
	next := func(step int) {
		if len(l.states) < maxStates {
			l.add(state{s.maker, append(slices.Clone(s.before), step), s.cost + distance})
		}
	}
	if distance == 1 {
		next(timePasses)
	}
	for step, t := range l.trial.Steps {
		if t.Variant == distance-1 && !(t.Waits && slices.Contains(s.before, step)) {
			next(step)
		}
	}
}
