package interp

import (
	"fmt"
	"slices"

	"github.com/empire-go/empire-go/esl"
)

// Enabled returns the steps that the state allows, by thread and, for Goto, Choice
// and Start, in the order of their targets.
func Enabled(s *State) []esl.Step {
	var all []esl.Step
	for i := range s.Threads {
		all = append(all, s.enabled(i)...)
	}
	return all
}

// EnabledBy returns the steps that the state allows one thread, by its index.
func EnabledBy(s *State, thread int) []esl.Step { return s.enabled(thread) }

// enabled returns the steps that one thread can take.
func (s *State) enabled(i int) []esl.Step {
	stmt, ok := s.next(i)
	if !ok {
		return nil
	}
	if isSelect(stmt.Op) {
		return s.selected(i, stmt)
	}
	return s.steps(i, s.Threads[i].top().Next, stmt)
}

// steps returns the steps with which one thread can execute a statement that it is at.
func (s *State) steps(i, index int, stmt esl.Stmt) []esl.Step {
	if s.blocked(i, stmt) != "" {
		return nil
	}
	t := s.Threads[i]
	step := esl.Step{Instance: t.Instance, Function: t.top().Function, Index: index}
	var targets []int
	switch stmt.Op {
	case esl.Goto, esl.Choice:
		targets = stmt.Targets
	case esl.Start:
		targets = s.copies(stmt.Arg)
	default:
		return []esl.Step{step}
	}
	var steps []esl.Step
	for _, step.Target = range targets {
		if !slices.Contains(steps, step) {
			steps = append(steps, step)
		}
	}
	return steps
}

// copies returns the copies that a Start of the process can start now; 0 is to pass
// without effect.
func (s *State) copies(process int) []int {
	started, _ := s.started(process)
	copies := s.Program.Processes[process].Copies
	switch {
	case started == copies:
		return []int{0}
	case copies > 1:
		return []int{0, started + 1}
	}
	return []int{started + 1}
}

// blocked says why a thread cannot execute a statement now; "" if it can.
func (s *State) blocked(i int, stmt esl.Stmt) string {
	p := s.Program
	if s.Ended {
		return "the program has ended"
	}
	if m := s.Meeting; m.Open && (stmt.Op != esl.Receive || stmt.Arg != m.Channel || stmt.Value != m.Value ||
		i == m.Sender || m.Passing && s.passes(i)) {
		return fmt.Sprintf("a send on %s waits for its receive", p.Channels[m.Channel].Name)
	}
	switch stmt.Op {
	case esl.Send, esl.Receive, esl.ReceiveClosed, esl.CloseChannel:
		return s.channelBlocked(i, stmt)
	case esl.Choice:
		if len(stmt.Targets) == 0 {
			return "the choice has no target"
		}
	case esl.LockOp, esl.Unlock, esl.RLock, esl.RUnlock, esl.Intend:
		if why := s.Locks[stmt.Arg].blocked(stmt.Op); why != "" {
			return fmt.Sprintf("lock %s is %s", p.Locks[stmt.Arg].Name, why)
		}
	case esl.Join:
		if started, done := s.started(stmt.Arg); done < started {
			return fmt.Sprintf("%d of %d started copies of process %s are not done", started-done, started,
				p.Processes[stmt.Arg].Name)
		}
	case esl.Set:
		if s.Flags[stmt.Arg] {
			return fmt.Sprintf("flag %s is set already", p.Flags[stmt.Arg].Name)
		}
	case esl.Await:
		if !s.Flags[stmt.Arg] {
			return fmt.Sprintf("flag %s is not set", p.Flags[stmt.Arg].Name)
		}
	case esl.AwaitUnset:
		if s.Flags[stmt.Arg] {
			return fmt.Sprintf("flag %s is set", p.Flags[stmt.Arg].Name)
		}
	default:
		return s.waits(i, stmt)
	}
	return ""
}

// blocked says what about the lock is in the way of the operation.
func (l Lock) blocked(op esl.Op) string {
	switch {
	case (op == esl.LockOp || op == esl.RLock) && l.Held:
		return "held"
	case op == esl.LockOp && l.Readers > 0:
		return "held shared"
	case (op == esl.RLock || op == esl.Intend) && l.Pending:
		return "about to be taken"
	case op == esl.Intend && l.Held:
		return "held"
	case op == esl.Unlock && !l.Held:
		return "not held"
	case op == esl.RUnlock && l.Readers == 0:
		return "not held shared"
	}
	return ""
}

// Apply returns the state after a step. The error says why the step is not
// enabled.
func Apply(s *State, step esl.Step) (*State, error) {
	next := s.Clone()
	if err := next.Take(step); err != nil {
		return nil, err
	}
	return next, nil
}

// Take changes the state to the one after a step. The error says why the step is not enabled; then nothing is
// changed.
func (s *State) Take(step esl.Step) error {
	i := s.thread(step.Instance)
	if i < 0 || !slices.Contains(s.enabled(i), step) {
		return s.refusal(i, step)
	}
	s.execute(i, step)
	return nil
}

// refusal says why a step is not enabled.
func (s *State) refusal(i int, step esl.Step) error {
	p := s.Program
	if i < 0 {
		return fmt.Errorf("there is no copy %d of process %d", step.Copy, step.Process)
	}
	t := s.Threads[i]
	who := p.Processes[t.Process].Name
	stmt, ok := s.next(i)
	if ok && isSelect(stmt.Op) && slices.Contains(stmt.Targets, step.Index) && step.Function == t.top().Function {
		return fmt.Errorf("copy %d of process %s cannot select statement %d now", t.Copy, who, step.Index)
	}
	switch {
	case !t.Started:
		return fmt.Errorf("copy %d of process %s is not started", t.Copy, who)
	case !ok:
		return fmt.Errorf("copy %d of process %s has ended", t.Copy, who)
	case step.Function != t.top().Function || step.Index != t.top().Next:
		return fmt.Errorf("copy %d of process %s is at statement %d of %s, not at statement %d of function %d",
			t.Copy, who, t.top().Next, p.Functions[t.top().Function].Name, step.Index, step.Function)
	case s.blocked(i, stmt) != "":
		return fmt.Errorf("copy %d of process %s cannot %v: %s", t.Copy, who, stmt.Op, s.blocked(i, stmt))
	}
	return fmt.Errorf("copy %d of process %s cannot %v with target %d", t.Copy, who, stmt.Op, step.Target)
}

// execute executes an enabled step in place.
func (s *State) execute(i int, step esl.Step) {
	stmt := s.statement(step)
	passes := s.passes(i)
	t := s.own(i)
	t.top().Next = step.Index + 1
	switch stmt.Op {
	case esl.Goto, esl.Choice:
		t.top().Next = step.Target
	case esl.Call:
		t.Stack = append(t.Stack, Activation{Function: stmt.Arg})
	case esl.Return:
		t.Stack = t.Stack[:len(t.Stack)-1]
	case esl.LockOp:
		s.Locks[stmt.Arg].Held, s.Locks[stmt.Arg].Pending = true, false
	case esl.Unlock:
		s.Locks[stmt.Arg].Held = false
	case esl.RLock:
		s.Locks[stmt.Arg].Readers++
	case esl.RUnlock:
		s.Locks[stmt.Arg].Readers--
	case esl.Send, esl.Receive, esl.CloseChannel:
		s.operate(i, stmt, passes)
	case esl.UnitBegin:
		t.top().Units = append(t.top().Units, step.Index)
	case esl.UnitEnd:
		s.endUnit(i, stmt.Arg)
	case esl.Start:
		s.startCopy(i, esl.Instance{Process: stmt.Arg, Copy: step.Target})
	case esl.Done:
		t.Done = true
	case esl.Set:
		s.Flags[stmt.Arg] = true
	default:
		s.change(i, stmt)
	}
}

// endUnit closes the innermost unit of the top activation on an object.
func (s *State) endUnit(i, object int) {
	a := s.Threads[i].top()
	body := s.Program.Functions[a.Function].Body
	for k := len(a.Units) - 1; k >= 0; k-- {
		if body[a.Units[k]].Arg == object {
			a.Units = slices.Delete(a.Units, k, k+1)
			break
		}
	}
	if _, open := s.unitOn(i, object); !open {
		s.leave(i, object)
	}
}

// leave notes that the unit of thread i on an object is over, for the threads that
// were started within it.
func (s *State) leave(i, object int) {
	for j, t := range s.Threads {
		if t.Parent != i+1 || !slices.Contains(t.Within, object) {
			continue
		}
		t = s.own(j)
		t.Within = slices.DeleteFunc(slices.Clone(t.Within), func(o int) bool { return o == object })
		if len(t.Within) == 0 {
			t.Parent, t.Within = 0, nil
		}
	}
}

// startCopy starts an instance on behalf of thread i.
func (s *State) startCopy(i int, in esl.Instance) {
	if in.Copy == 0 {
		return
	}
	t := s.own(s.thread(in))
	t.start(s.Program)
	for o := range s.Program.Objects {
		if _, open := s.unitOn(i, o); open {
			t.Parent, t.Within = i+1, append(t.Within, o)
		}
	}
}
