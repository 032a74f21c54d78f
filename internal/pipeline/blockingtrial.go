package pipeline

import (
	"context"
	"slices"

	"golang.org/x/tools/go/ssa"

	stuck "github.com/empire-go/empire-go/checker/blocking"
	"github.com/empire-go/empire-go/frontend/execute"
	"github.com/empire-go/empire-go/frontend/harm"
	"github.com/empire-go/empire-go/frontend/harness"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// Where the search in a model comes to no end, or guesses too much, calls of a library are carried out: a run after
// which one of them waits for ever needs no model. That none is found proves nothing.

// maxStuckWork bounds the runs for one library, in instructions that are interpreted: some three seconds.
const maxStuckWork = 6_000_000

// tryStuck adds what runs of a library's calls show to an answer that is unknown, or to findings of which it is not
// known whether they can happen.
func tryStuck(ctx context.Context, r Request, e harness.Entry, q *BlockingResult) {
	isOpen := q.Verdict == VerdictUnknown || slices.ContainsFunc(q.Findings, hasUnknownHarm)
	if !isOpen {
		return
	}
	for _, f := range stuckRuns(ctx, e) {
		if slices.Contains(r.Classes, f.Class) {
			q.addRun(f)
		}
	}
	slices.SortStableFunc(q.Findings, byHarm)
}

// stuckRuns returns what runs of a library's calls show until they are interrupted, each place once.
func stuckRuns(ctx context.Context, e harness.Entry) (all []BlockingFinding) {
	c, ok := newExperiment(e).(calls)
	if !ok || c.err != nil {
		return nil // it is no library, or no call can be written
	}
	c.library.Stuck(ctx, maxStuckWork, func(s *harm.Stuck) {
		if f := stuckFinding(e, s); !slices.ContainsFunc(all, f.isLike) {
			all = append(all, f)
		}
	})
	return all
}

// addRun adds a finding of a run: a known one that is like it can happen.
func (q *BlockingResult) addRun(f BlockingFinding) {
	q.Verdict, q.Reason = VerdictViolation, ""
	same := slices.IndexFunc(q.Findings, f.isLike)
	switch {
	case same < 0:
		q.Findings = append(q.Findings, f)
	case hasUnknownHarm(q.Findings[same]):
		q.Findings[same].Harm = f.Harm
	}
}

func hasUnknownHarm(f BlockingFinding) bool { return f.Harm.Status == HarmUnknown }

// stuckFinding is a run after which calls wait for ever, or that an operation has ended.
func stuckFinding(e harness.Entry, s *harm.Stuck) BlockingFinding {
	f := BlockingFinding{Interleaving: []Step{}, Harm: possible(&s.Finding)}
	kind := stuck.Blocked
	for i, w := range s.Waits {
		if w == nil || s.Ends != nil {
			continue
		}
		f.Waits = append(f.Waits, waitingIn(e, w, []string{"g1", "g2"}[i]))
		if call, ok := w.At.(ssa.CallInstruction); ok && isCondWait(call) {
			kind = stuck.MissedSignal
		}
	}
	switch {
	case s.Ends != nil:
		kind = stuck.OrderViolation
		f.Waits = append(f.Waits, waitingIn(e, s.Ends, "g1"))
	case s.IsDeadlock():
		kind = stuck.Deadlock
	}
	f.name(kind)
	return f
}

// waitingIn is a goroutine that waits in a run.
func waitingIn(e harness.Entry, w *execute.Wait, goroutine string) Waiting {
	at := ownInstruction(e, w)
	return Waiting{Goroutine: goroutine, Instance: 1, Function: at.Parent().String(),
		Pos: e.Program.Position(ssaflow.TokenPos(at)).String(), What: waitsIn(w.At)}
}

func isCondWait(call ssa.CallInstruction) bool {
	callee := call.Common().StaticCallee()
	return callee != nil && knowledge.IsCondWait(callee)
}

// ownInstruction returns where a call waits in the code of the module: what waits, or the call that leads there.
func ownInstruction(e harness.Entry, w *execute.Wait) ssa.Instruction {
	for i := len(w.Calls); i >= 0; i-- {
		at := w.At
		if i < len(w.Calls) {
			at = w.Calls[i]
		}
		isLibrarys := knowledge.IsStandardPath(knowledge.PackagePath(at.Parent()))
		if pos := ssaflow.TokenPos(at); pos.IsValid() && !isLibrarys && !e.Program.IsGenerated(pos) {
			return at
		}
	}
	return w.At
}

// waitsIn says in words what an instruction waits for.
func waitsIn(at ssa.Instruction) string {
	switch at := at.(type) {
	case *ssa.Send:
		return "sends to a channel"
	case *ssa.UnOp:
		return "receives from a channel"
	case *ssa.Select:
		return "waits in a select"
	case ssa.CallInstruction:
		if callee := at.Common().StaticCallee(); callee != nil {
			return "calls " + callee.String()
		}
		return "calls " + at.Common().Value.Name()
	}
	return "waits"
}
