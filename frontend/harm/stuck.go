package harm

import (
	"context"
	"fmt"
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
	effort
	library *Library
	want    func(*Stuck) Next
	returns map[string]bool // by start and call: whether the call returns, if nothing else is done
}

// maxStuckRuns bounds the interleavings of two calls from one start.
const maxStuckRuns = 60

// Stuck looks for runs of one call, or of two at the same time, after which one of them waits for ever, from the
// nearest starts on, with a budget in instructions. It returns what has been tried.
func (l *Library) Stuck(ctx context.Context, budget int, want func(*Stuck) Next) (tried string, err error) {
	if err := l.Ready(); err != nil {
		return "", err
	}
	s := &stuckSearch{hunt: newHunt(l.program, budget, nil), library: l, want: want, returns: map[string]bool{}}
	for round := range maxStates/statesPerRound + 2*maxVariants {
		for i := 0; i < statesPerRound*(round+1) && !s.isOver(ctx) && l.hasState(ctx, i); i++ {
			s.from(ctx, i, round-i/statesPerRound)
		}
	}
	return fmt.Sprintf("in %d runs from %d starts", s.runs, s.starts), ctx.Err()
}

// from tries the calls from a state of which the arguments are so far from the first ones, together.
func (s *stuckSearch) from(ctx context.Context, state, distance int) {
	steps := s.library.trial.Steps
	s.starts++
	for u := range steps {
		if s.isOver(ctx) {
			return
		}
		if steps[u].Waits || steps[u].Variant > distance || !s.isReturning(state, u, steps[u].Variant == distance) {
			continue
		}
		for v := range u + 1 {
			isNow := steps[u].Variant+steps[v].Variant == distance
			if isNow && !steps[v].Waits && s.isReturning(state, v, false) && !s.isOver(ctx) {
				s.together(ctx, state, u, v)
			}
		}
	}
}

// isReturning tells whether a call from a state returns, or waits for something that may come, as of an order of two
// calls. What waits for ever is told if that is asked for.
func (s *stuckSearch) isReturning(state, step int, tells bool) bool {
	key := fmt.Sprint(state, " ", step)
	returns, known := s.returns[key]
	if !known || tells {
		t := s.trialOf(state, step, timePasses)
		shown, err := s.library.program.Carry(t, execute.InOrder, execute.Schedule{})
		s.runs++
		returns = err == nil && !shown.Blocked && !shown.Panics
		s.returns[key] = returns
		if err == nil && shown.Blocked && !shown.Freed && !shown.Panics && shown.Stuck[0] != nil && shown.Stuck[0].ForLock {
			s.tell(state, [2]int{step, timePasses}, shown)
		}
	}
	return returns
}

// together tries two calls at the same time from a state.
func (s *stuckSearch) together(ctx context.Context, state, u, v int) {
	l := s.library
	e := &encounter{pair: &pair{library: l}, start: l.states[state], steps: [2]int{u, v}}
	t := s.trialOf(state, u, v)
	e.trial = t
	if e.whyNever() != "" {
		return
	}
	for _, order := range allOrders {
		shown, err := l.program.Carry(t, order, execute.Schedule{})
		s.runs++
		if err != nil || shown.Blocked || shown.Panics {
			return
		}
	}
	for _, preemptions := range []int{1, 2} {
		err := l.program.Search(t, preemptions, maxStuckRuns, func(_ execute.Schedule, shown *execute.Shown) bool {
			s.runs++
			isStuck := shown.Blocked && !shown.Freed && !shown.Panics || shown.Ends != nil && !shown.Blocked
			if isStuck {
				s.tell(state, [2]int{u, v}, shown)
			}
			return isStuck || s.isOver(ctx)
		})
		if err != nil || s.isOver(ctx) {
			return
		}
	}
}

// trialOf returns a trial of two calls from a state. Whoever can come to the rescue of who waits does: time, and all
// calls, those that end the life of the object last.
func (s *stuckSearch) trialOf(state, u, v int) *execute.Trial {
	l := s.library
	t := l.trialOf(l.states[state])
	t.Calls = []execute.Call{l.call(u), l.call(v)}
	t.Rescue = []execute.Call{l.call(timePasses)}
	for _, closes := range []bool{false, true} {
		for _, step := range l.trial.Steps {
			if step.Closes == closes && step.Variant < 2 {
				t.Rescue = append(t.Rescue, execute.Call{Func: step.Func, Go: true})
			}
		}
	}
	t.Rescue = append(t.Rescue, l.call(timePasses))
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
	if s.want(f) == Enough {
		s.enough = true
	}
}
