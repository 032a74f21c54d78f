package checker

import (
	"slices"

	"github.com/empire-go/empire-go/cpds"
	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/esl/interp"
)

// completion makes a run of the program of one of a system that leaves processes out that
// are joined (cpds.Scope): it runs each of them from its beginning until it is done, in one
// go, at the first moment at which that is possible. The other steps stay as they are, and
// in their order.
type completion struct {
	program *esl.Program
	scope   cpds.Scope
	steps   []esl.Step
	joined  []int // the processes left out that a step joins
	last    []int // by process: the last step that joins it, or -1
	budget  int   // of states
}

// completionBudget is how many states of the program a completion may look at.
const completionBudget = 1 << 14

// completed is a run of the program.
type completed struct {
	steps []esl.Step
	at    []int // by step of the run that was completed: where it is now
	added int   // actions that the whole scope has in addition
}

// complete completes the steps. It may not succeed though there is a way; if it is for
// want of a process, the error is errMissing.
func (l *localization) complete(steps []esl.Step) (*completed, error) {
	f := &completion{program: l.check.model.Program, scope: l.scope, steps: steps, budget: completionBudget}
	f.findJoins()
	state := interp.Initial(f.program)
	out := &completed{}
	unblocked := true
	for i, step := range steps {
		for _, p := range f.joined {
			if !unblocked || f.last[p] < i || !f.runs(state, p) {
				continue
			}
			if more, done, ok := interp.Finish(state, p, f.isOut, &f.budget); ok {
				out.steps, state = append(out.steps, more...), done
				out.added += f.actions(more)
			}
		}
		if err := state.Take(step); err != nil {
			return nil, f.why(step, err)
		}
		if f.waitsOutside(step) {
			out.added++
		}
		out.at, out.steps = append(out.at, len(out.steps)), append(out.steps, step)
		unblocked = f.mayUnblock(step)
	}
	return out, nil
}

// isOut tells whether the process is left out.
func (f *completion) isOut(process int) bool { return !f.scope.Has(process) }

// findJoins finds the processes left out that the steps join.
func (f *completion) findJoins() {
	for range f.program.Processes {
		f.last = append(f.last, -1)
	}
	for i, step := range f.steps {
		if stmt := f.statement(step); stmt.Op == esl.Join && f.isOut(stmt.Arg) {
			if f.last[stmt.Arg] < 0 {
				f.joined = append(f.joined, stmt.Arg)
			}
			f.last[stmt.Arg] = i
		}
	}
}

func (f *completion) statement(step esl.Step) esl.Stmt {
	if body := f.program.Functions[step.Function].Body; step.Index < len(body) {
		return body[step.Index]
	}
	return esl.Stmt{Op: esl.Return}
}

// runs tells whether the process is started and not done.
func (f *completion) runs(s *interp.State, process int) bool {
	return slices.ContainsFunc(s.Threads, func(t *interp.Thread) bool {
		return t.Process == process && t.Started && !t.Done
	})
}

// why returns why a step is not enabled.
func (f *completion) why(step esl.Step, err error) error {
	if stmt := f.statement(step); stmt.Op == esl.Join && f.isOut(stmt.Arg) {
		return errMissing(stmt.Arg)
	}
	return err
}

// waitsOutside tells whether a step starts or joins a process that is left out.
func (f *completion) waitsOutside(step esl.Step) bool {
	stmt := f.statement(step)
	return (stmt.Op == esl.Start || stmt.Op == esl.Join) && f.scope.Leaves(stmt.Arg)
}

// actions counts the steps that are actions of a system.
func (f *completion) actions(steps []esl.Step) int {
	n := 0
	for _, step := range steps {
		if op := f.statement(step).Op; f.mayUnblock(step) || slices.Contains(blocking, op) {
			n++
		}
	}
	return n
}

// mayUnblock tells whether somebody may be able to go on after a step who was not before it.
func (f *completion) mayUnblock(step esl.Step) bool {
	return slices.Contains(unblocking, f.statement(step).Op)
}

// The actions of a system that are no accesses or units.
var (
	unblocking = []esl.Op{
		esl.Start, esl.Done, esl.Unlock, esl.RUnlock, esl.Set, esl.Send, esl.Receive, esl.CloseChannel,
	}
	blocking = []esl.Op{esl.Join, esl.LockOp, esl.RLock, esl.Await, esl.AwaitUnset, esl.ReceiveClosed}
)
