package harm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
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
			l.err = cmp.Or(l.err, err)
		}
		return
	}
	if key := textOf(shown.Lines) + shown.Waits + l.keptIn(s); !l.reached[key] {
		l.reached[key] = true
		l.states = append(l.states, s)
		l.compare(textsOf(shown.Lines))
	}
}

// compare notes in which parts a state differs from the first one.
func (l *Library) compare(texts map[string]string) {
	if l.first == nil {
		l.first, l.changed = texts, map[string]bool{}
		return
	}
	for _, pair := range [][2]map[string]string{{texts, l.first}, {l.first, texts}} {
		for path, text := range pair[0] {
			if pair[1][path] != text {
				l.changed[path] = true
			}
		}
	}
}

// unchanged says which of the fields that are watched were alike in all starts: calls that change them would
// lead to others.
func (l *Library) unchanged(subject *execute.Subject) string {
	var same []string
	for _, field := range subject.Fields {
		of := &Finding{Paths: slices.Collect(maps.Keys(l.changed))}
		if !of.IsOf([]string{field}) {
			same = append(same, field)
		}
	}
	switch {
	case len(l.states) < 2:
		return ", which are alike: no call that was tried has changed the object"
	case len(same) == 0:
		return ""
	}
	return ", in all of which " + strings.Join(same, ", ") + " had the same value: no call that was tried has changed it"
}

// keptIn names what the calls have handed out, on which further calls can be made: a call that only hands
// something out leaves the object as it was.
func (l *Library) keptIn(s state) string {
	var names []string
	for _, step := range s.before {
		if step != timePasses {
			names = append(names, l.trial.Steps[step].Keeps...)
		}
	}
	slices.Sort(names)
	return strings.Join(slices.Compact(names), " ")
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
		if t.Variant == distance-1 && !(t.Waits && slices.Contains(s.before, step)) && !l.trial.IsGivenBack(s.before, step) {
			next(step)
		}
	}
}
