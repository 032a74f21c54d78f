package harm

import (
	"context"
	"slices"

	"github.com/empire-go/empire-go/frontend/execute"
)

// Two calls that return in each order of them, and one of which waits for ever where they are made at the same time,
// are blocked by how they interleave: no client does anything wrong. It is the same with an operation on a channel,
// lock or wait group that ends the program, as a send when the channel is closed. So is a call that waits for a lock
// that a call has left locked which has returned. Nobody may be left who frees them: neither time nor any further call
// does. A call that waits for something else in one of the orders is left alone: it may be for that, as what takes out
// of a queue.

// Stuck is a run after which calls wait for ever.
type Stuck struct {
	Finding
	Waits [2]*execute.Wait // of each call; nil: it has returned
	Ends  *execute.Wait    // an operation on a channel, lock or wait group that has ended the program instead
}

// IsDeadlock tells whether all who wait do so for locks: with two of them, each for what the other one holds.
func (s *Stuck) IsDeadlock() bool {
	return !slices.ContainsFunc(s.Waits[:], func(w *execute.Wait) bool { return w != nil && !w.ForLock })
}

// stuckSearch is the search for such runs, within a budget.
type stuckSearch struct {
	hunt
	library *Library
	rescue  []execute.Call  // what lets go on whoever waits for something that may come
	returns map[[2]int]bool // by start and call: whether the call comes to an end, if nothing else is done
	told    func(*Stuck)
}

// maxStuckRuns bounds the interleavings of two calls from one start.
const maxStuckRuns = 60

// Stuck looks for runs of one call, or of two at the same time, after which one of them waits for ever, from the
// nearest starts on, with a budget in instructions. It hands on what it finds until it is interrupted.
func (l *Library) Stuck(ctx context.Context, budget int, told func(*Stuck)) {
	s := &stuckSearch{hunt: newHunt(l.program, budget, nil), library: l, rescue: l.rescue(),
		returns: map[[2]int]bool{}, told: told}
	for round := range maxStates/statesPerRound + 2*maxVariants {
		for i := 0; i < statesPerRound*(round+1) && !s.isOver(ctx) && l.hasState(ctx, i); i++ {
			s.from(ctx, i, round-i/statesPerRound)
		}
	}
}

// rescue returns the calls by which others may come to the rescue of who waits: time, and all calls, those that end
// the life of the object last.
func (l *Library) rescue() []execute.Call {
	all := []execute.Call{l.call(timePasses)}
	for _, closes := range []bool{false, true} {
		for _, step := range l.trial.Steps {
			if step.Closes == closes && step.Variant < 2 {
				all = append(all, execute.Call{Func: step.Func, Go: true})
			}
		}
	}
	return append(all, l.call(timePasses))
}

// from tries the calls from a state of which the arguments are so far from the first ones, together.
func (s *stuckSearch) from(ctx context.Context, state, distance int) {
	steps := s.library.trial.Steps
	for u := range steps {
		if s.isOver(ctx) {
			return
		}
		if steps[u].Waits || steps[u].Variant > distance || !s.isReturning(state, u) {
			continue
		}
		for v := range u + 1 {
			isNow := steps[u].Variant+steps[v].Variant == distance
			if isNow && !steps[v].Waits && s.isReturning(state, v) && !s.isOver(ctx) {
				s.together(ctx, state, u, v)
			}
		}
	}
}

// isReturning tells whether a call from a state returns. What waits for ever is told.
func (s *stuckSearch) isReturning(state, step int) bool {
	returns, known := s.returns[[2]int{state, step}]
	if known {
		return returns
	}
	shown, err := s.library.program.Carry(s.trialOf(state, step, timePasses), execute.InOrder, execute.Schedule{})
	returns = err == nil && isAtEnd(shown)
	s.returns[[2]int{state, step}] = returns
	if err == nil && isStuck(shown) && shown.Stuck[0] != nil && shown.Stuck[0].ForLock {
		s.tell(state, [2]int{step, timePasses}, shown)
	}
	return returns
}

// isAtEnd tells whether both calls of a run have come to their ends.
func isAtEnd(shown *execute.Shown) bool { return !shown.Blocked && !shown.Panics && shown.Ends == nil }

// isStuck tells whether a call waits for ever.
func isStuck(shown *execute.Shown) bool { return shown.Blocked && !shown.Freed && !shown.Panics }

// together tries two calls at the same time from a state.
func (s *stuckSearch) together(ctx context.Context, state, u, v int) {
	l := s.library
	e := &encounter{pair: &pair{library: l}, start: l.states[state], steps: [2]int{u, v}}
	if e.whyNever() != "" {
		return
	}
	t := s.trialOf(state, u, v)
	for _, order := range allOrders {
		if shown, err := l.program.Carry(t, order, execute.Schedule{}); err != nil || !isAtEnd(shown) {
			return
		}
	}
	for _, preemptions := range []int{1, 2} {
		err := l.program.Search(t, preemptions, maxStuckRuns, func(_ execute.Schedule, shown *execute.Shown) bool {
			isFound := isStuck(shown) || shown.Ends != nil && !shown.Blocked
			if isFound {
				s.tell(state, [2]int{u, v}, shown)
			}
			return isFound || s.isOver(ctx)
		})
		if err != nil || s.isOver(ctx) {
			return
		}
	}
}

// trialOf returns a trial of two calls from a state.
func (s *stuckSearch) trialOf(state, u, v int) *execute.Trial {
	t := s.library.trialOf(s.library.states[state])
	t.Calls, t.Rescue = []execute.Call{s.library.call(u), s.library.call(v)}, s.rescue
	return t
}

// tell hands a run on.
func (s *stuckSearch) tell(state int, steps [2]int, shown *execute.Shown) {
	l := s.library
	e := &encounter{pair: &pair{library: l}, start: l.states[state], steps: steps}
	f := &Stuck{Finding: *e.begun(shown), Waits: shown.Stuck, Ends: shown.Ends}
	if steps[1] == timePasses {
		f.Calls = f.Calls[:1]
	}
	s.told(f)
}
