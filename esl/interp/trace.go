package interp

import (
	"context"
	"fmt"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/limit"
)

// Replay executes a run from the initial state and returns the state in which it
// ends. The error names the first step that is not enabled, counting from 0, or is
// the context's when that is done during a long run.
func Replay(ctx context.Context, p *esl.Program, steps []esl.Step) (*State, error) {
	return replay(ctx, p, steps, func(int, *State, int) {})
}

// replay executes a run and calls before with the index of each step, the state in
// which it is taken and the thread that takes it.
func replay(ctx context.Context, p *esl.Program, steps []esl.Step, before func(k int, s *State, thread int)) (
	*State, error) {
	s := Initial(p)
	for k, step := range steps {
		if k&255 == 255 {
			if err := limit.Pay(ctx, 256*limit.Replayed); err != nil {
				return nil, err
			}
		}
		next, err := Apply(s, step)
		if err != nil {
			return nil, fmt.Errorf("step %d: %w", k, err)
		}
		before(k, s, s.thread(step.Instance))
		s = next
	}
	return s, nil
}

// trace is a run in the terms of the patterns.
type trace struct {
	program *esl.Program
	moments []moment
	units   []activation
}

// activation is the time from the beginning of an outermost unit to its end.
type activation struct {
	thread     int
	unit       esl.UnitName
	begin, end int // steps; end is the length of the run if the unit stays open
}

// moment is a step of the run.
type moment struct {
	thread int
	stmt   esl.Stmt
	copy   int   // of Start: the copy that was started, or 0
	called int   // the step that called the activation of a function that takes this step, -1 if none did
	events []int // of Access: the activations (indices into trace.units) of which it is an event
}

// newTrace replays a run.
func newTrace(ctx context.Context, p *esl.Program, steps []esl.Step) (*trace, error) {
	tr := &trace{program: p}
	type place struct{ thread, object int }
	open := map[place]int{}  // the activation that is open
	calls := map[int][]int{} // by thread: the steps of the open calls
	_, err := replay(ctx, p, steps, func(k int, s *State, i int) {
		stmt, _ := s.next(i)
		m := moment{thread: i, stmt: stmt, called: -1}
		if n := len(calls[i]); n > 0 {
			m.called = calls[i][n-1]
		}
		switch stmt.Op {
		case esl.Call:
			calls[i] = append(calls[i], k)
		case esl.Return:
			calls[i] = calls[i][:max(0, len(calls[i])-1)]
		case esl.Start:
			m.copy = steps[k].Target
		case esl.Access:
			for o := range p.Objects {
				if s.covers(i, o, stmt.Arg) {
					m.events = append(m.events, open[place{i, o}])
				}
			}
		case esl.UnitBegin:
			if _, nested := s.unitOn(i, stmt.Arg); !nested {
				open[place{i, stmt.Arg}] = len(tr.units)
				tr.units = append(tr.units, activation{i, esl.UnitName{Object: stmt.Arg, Label: stmt.Unit}, k, len(steps)})
			}
		case esl.UnitEnd:
			if s.depth(i, stmt.Arg) == 1 {
				tr.units[open[place{i, stmt.Arg}]].end = k
			}
		}
		tr.moments = append(tr.moments, m)
	})
	return tr, err
}

// depth counts the units that a thread has open on an object.
func (s *State) depth(i, object int) int {
	n := 0
	for _, u := range s.units(i) {
		if u.Object == object {
			n++
		}
	}
	return n
}
