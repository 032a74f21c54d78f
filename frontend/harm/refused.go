package harm

import (
	"slices"

	"github.com/empire-go/empire-go/frontend/execute"
)

// A call that loses a compare-and-swap to another one, and gives up and says so, as TryLock does, is meant to fail
// while the other one is under way, though it would succeed before and after it. What comes of that is what the other
// call does alone; so it is where the call fails as what it has looked at is out of date. Who says nothing of it has
// lost what was to be done, and who has changed something has done it by halves.

// isRefused tells whether one of the two calls was refused in that way.
func (e *encounter) isRefused(shown *execute.Shown) bool {
	if !e.isClient() || shown.Blocked || shown.Panics {
		return false
	}
	for i := range e.steps {
		if !e.saysNo(i, shown) {
			continue
		}
		other := e.alone(1 - i)
		if other != nil && slices.Equal(withoutResults(other.Lines, i), withoutResults(shown.Lines, i)) && e.givesUp(i) {
			return true
		}
	}
	return false
}

// givesUp tells whether a call says no in some run, as it has lost a compare-and-swap.
func (e *encounter) givesUp(call int) bool {
	gives, ok := e.gives[call]
	if !ok {
		gives = e.someRun(maxRuns, func(o *execute.Shown) bool { return o.SwapLost[call] && e.saysNo(call, o) })
		e.gives[call] = gives
	}
	return gives
}

// saysNo tells whether the last result of a call is false.
func (e *encounter) saysNo(call int, shown *execute.Shown) bool {
	last := e.library.trial.Steps[e.steps[call]].Callee.Signature().Results().Len() - 1
	return slices.ContainsFunc(shown.Lines, func(line execute.Line) bool {
		of, result, rest, ok := execute.SplitResult(line.Path)
		return ok && of == call && rest == "" && (result == last || result < 0 && last == 0) && line.Text == "false"
	})
}

// alone returns the outcome of one of the two calls without the other one; nil if there is none.
func (e *encounter) alone(call int) *execute.Shown {
	shown, ok := e.single[call]
	if !ok {
		t := *e.trial
		t.Calls = []execute.Call{{}, {}}
		t.Calls[call] = e.trial.Calls[call]
		var err error
		shown, err = e.library.program.Carry(&t, execute.InOrder, execute.Schedule{})
		if e.runs++; err != nil || shown.Blocked || shown.Panics {
			shown = nil
		}
		e.single[call] = shown
	}
	return shown
}

// withoutResults returns the lines but for those of what a call has returned.
func withoutResults(lines []execute.Line, call int) []execute.Line {
	return slices.DeleteFunc(slices.Clone(lines), func(line execute.Line) bool {
		of, _, _, ok := execute.SplitResult(line.Path)
		return ok && of == call
	})
}
