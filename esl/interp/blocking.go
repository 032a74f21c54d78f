package interp

import (
	"fmt"
	"slices"

	"github.com/empire-go/empire-go/esl"
)

// The operations that only questions about blocking need: see esl.Op.Blocking.

func isSelect(op esl.Op) bool { return op == esl.Select || op == esl.SelectDefault }

// statement returns what a step executes.
func (s *State) statement(step esl.Step) esl.Stmt {
	body := s.Program.Functions[step.Function].Body
	if step.Index == len(body) {
		return esl.Stmt{Op: esl.Return}
	}
	return body[step.Index]
}

// passes tells whether a thread is at a SelectDefault: it does not wait for others.
func (s *State) passes(i int) bool {
	stmt, ok := s.next(i)
	return ok && stmt.Op == esl.SelectDefault
}

// offers returns the statements that a thread is at: several at a select, without the default.
func (s *State) offers(i int) []esl.Stmt {
	stmt, ok := s.next(i)
	if !ok {
		return nil
	}
	if !isSelect(stmt.Op) {
		return []esl.Stmt{stmt}
	}
	var all []esl.Stmt
	for _, t := range waited(stmt) {
		all = append(all, s.Program.Functions[s.Threads[i].top().Function].Body[t])
	}
	return all
}

// waited returns the targets of a select but for the default.
func waited(stmt esl.Stmt) []int {
	if stmt.Op == esl.SelectDefault {
		return stmt.Targets[:len(stmt.Targets)-1]
	}
	return stmt.Targets
}

// selected returns the steps that a thread at a select can take.
func (s *State) selected(i int, stmt esl.Stmt) []esl.Step {
	body := s.Program.Functions[s.Threads[i].top().Function].Body
	var all []esl.Step
	couldMeet := false
	for _, t := range waited(stmt) {
		for _, step := range s.steps(i, t, body[t]) {
			if !slices.Contains(all, step) {
				all = append(all, step)
			}
		}
		couldMeet = couldMeet || body[t].Op == esl.Receive && s.couldReceive(i, body[t], stmt.Op == esl.SelectDefault)
	}
	if stmt.Op == esl.SelectDefault && len(all) == 0 && !couldMeet && !s.isCrash(i) {
		last := stmt.Targets[len(stmt.Targets)-1]
		return s.steps(i, last, body[last])
	}
	return all
}

// couldReceive tells whether a thread waits to send on an unbuffered channel that is open, so that a receive
// would not have to wait.
func (s *State) couldReceive(i int, stmt esl.Stmt, passes bool) bool {
	return s.Program.Channels[stmt.Arg].Capacity == 0 && !s.Channels[stmt.Arg].Closed &&
		len(s.partners(i, esl.Stmt{Op: esl.Send, Arg: stmt.Arg, Value: stmt.Value}, passes)) > 0
}

// waits says why a thread cannot execute one of the operations now.
func (s *State) waits(i int, stmt esl.Stmt) string {
	p := s.Program
	switch stmt.Op {
	case esl.Awake:
		if slices.Contains(s.Queues[stmt.Arg], i) {
			return fmt.Sprintf("condition %s has not been signalled", p.Conditions[stmt.Arg].Name)
		}
	case esl.Add:
		if s.Counters[stmt.Arg]+stmt.Count < 0 {
			return fmt.Sprintf("the counter of group %s would be negative", p.Groups[stmt.Arg].Name)
		}
	case esl.WaitZero:
		if n := s.Counters[stmt.Arg]; n != 0 {
			return fmt.Sprintf("the counter of group %s is %d", p.Groups[stmt.Arg].Name, n)
		}
	case esl.Test, esl.Swap:
		if v := s.Variables[stmt.Arg]; v != stmt.Count {
			return fmt.Sprintf("variable %s is %d", p.Variables[stmt.Arg].Name, v)
		}
	}
	return ""
}

// change executes one of the operations.
func (s *State) change(i int, stmt esl.Stmt) {
	switch stmt.Op {
	case esl.Intend:
		s.Locks[stmt.Arg].Pending = true
	case esl.Enlist:
		s.Queues[stmt.Arg] = append(slices.Clone(s.Queues[stmt.Arg]), i)
	case esl.Signal:
		if q := s.Queues[stmt.Arg]; len(q) > 0 {
			s.Queues[stmt.Arg] = slices.Clone(q[1:])
		}
	case esl.Broadcast:
		s.Queues[stmt.Arg] = nil
	case esl.Add:
		s.Counters[stmt.Arg] += stmt.Count
	case esl.Assign, esl.Swap:
		s.Variables[stmt.Arg] = stmt.Value
	case esl.Exit:
		s.Ended = true
	}
}
