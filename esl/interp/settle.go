package interp

import (
	"slices"

	"github.com/empire-go/empire-go/esl"
)

// Silent statements are explored eagerly: a thread executes them right after its
// statement before them. That loses no run. They are always enabled and read and
// write nothing but the thread's own stack, so they can be moved to the left past
// the steps of other threads; and what happens to a match when a unit begins or
// ends depends only on the order of that with the thread's own accesses. (Forget
// is not silent: a match must not be forgotten before another thread completes
// it.) A thread that loops silently for ever, without a way out, stays before the
// loop, which is the same to all others.

// silent tells whether a statement is one that only its thread can notice.
func silent(stmt esl.Stmt) bool {
	switch stmt.Op {
	case esl.Skip, esl.Goto, esl.Call, esl.Return, esl.UnitBegin, esl.UnitEnd:
		return true
	case esl.Choice:
		return len(stmt.Targets) > 0
	}
	return false
}

// settled is a state in which some threads have executed all their silent
// statements, with how they did it.
type settled struct {
	state *State
	steps []esl.Step
	ended []place // the outermost units that ended on the way, in order
	lows  []low   // the threads that have returned, and how far
	low   int     // of the thread that is being settled
}

// low says that a thread has had no more than some number of activations on its
// stack: those above have returned.
type low struct{ thread, activations int }

// place is an object as seen by a thread: it has at most one unit open there.
type place struct{ thread, object int }

// settle returns all ways to settle the threads, one after the other. cut tells
// that a way was not followed because it is deeper than depth activations.
func settle(s *State, threads []int, depth int) (all []settled, cut bool) {
	all = []settled{{state: s}}
	for _, i := range threads {
		var next []settled
		for _, from := range all {
			ways, c := settleThread(from.state, i, depth)
			cut = cut || c
			for _, way := range ways {
				next = append(next, settled{
					way.state,
					slices.Concat(from.steps, way.steps),
					slices.Concat(from.ended, way.ended),
					slices.Concat(from.lows, []low{{i, way.low}}),
					0,
				})
			}
		}
		all = next
	}
	return all, cut
}

// settleThread follows the silent steps of one thread, breadth first. Two ways
// are the same if they lead to the same state, end units on the same objects and
// return as far.
func settleThread(s *State, i, depth int) (ways []settled, cut bool) {
	type visit struct {
		state, ended string
		low          int
	}
	seen := map[visit]bool{}
	queue := []settled{{state: s, low: len(s.Threads[i].Stack)}}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		id := visit{at.state.key(), endedSet(at.ended, s.Program), at.low}
		if seen[id] {
			continue
		}
		seen[id] = true
		stmt, ok := at.state.next(i)
		switch {
		case !ok || !silent(stmt):
			ways = append(ways, at)
			continue
		case stmt.Op == esl.Call && len(at.state.Threads[i].Stack) >= depth:
			cut = true
			continue
		}
		for _, step := range at.state.enabled(i) {
			queue = append(queue, at.then(i, step, stmt))
		}
	}
	if len(ways) == 0 {
		ways = []settled{{state: s, low: len(s.Threads[i].Stack)}}
	}
	return ways, cut
}

// then takes one more silent step.
func (at settled) then(i int, step esl.Step, stmt esl.Stmt) settled {
	next := settled{state: at.state.Clone(), steps: append(slices.Clip(at.steps), step), ended: at.ended}
	next.state.execute(i, step)
	next.low = min(at.low, len(next.state.Threads[i].Stack))
	if stmt.Op == esl.UnitEnd && at.state.depth(i, stmt.Arg) == 1 {
		next.ended = append(slices.Clip(at.ended), place{i, stmt.Arg})
	}
	return next
}

// endedSet returns the objects of the places as a text.
func endedSet(ended []place, p *esl.Program) string {
	set := make([]byte, len(p.Objects))
	for _, e := range ended {
		set[e.object] = 1
	}
	return string(set)
}
