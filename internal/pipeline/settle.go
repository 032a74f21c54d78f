package pipeline

import (
	"context"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/harness"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
	"github.com/empire-go/empire-go/frontend/waits"

	stuck "github.com/empire-go/empire-go/checker/blocking"
)

// SettledLock says of the locks of one name whether it is certain that no goroutine waits for one of them for ever.
type SettledLock struct {
	Name    string `json:"name"`
	Pos     string `json:"pos"` // where one is taken
	Verdict string `json:"verdict"`
	Reason  string `json:"reason,omitempty"` // of an unknown verdict
}

// settlement is what the order of the locks decides, and what in the module it does not look into.
type settlement struct {
	*waits.Settlement
	holes   []Assumption
	reached map[*ssa.Function]bool // the functions of the program; of an instance of what is generic also that
}

// settle finds it out, of a program: see waits.Settle.
func settle(ctx context.Context, r Request, e harness.Entry, code *waits.Code, stages *runner) (*settlement, error) {
	base, err := solve(ctx, r, stages, e)
	if err != nil {
		return nil, err
	}
	return run(ctx, stages, "settle", func(ctx context.Context) (*settlement, error) {
		graph, err := base.Refine(ctx, pointsto.Sensitivity{CallSite: knowledge.IsWrapperOfCallback})
		if err != nil {
			return nil, err
		}
		s, err := waits.Settle(ctx, graph, code)
		if err != nil {
			return nil, err
		}
		all := &settlement{Settlement: s, reached: map[*ssa.Function]bool{}}
		for _, fn := range graph.Functions() {
			all.reached[fn] = true
			if origin := fn.Origin(); origin != nil {
				all.reached[origin] = true
			}
		}
		for _, h := range graph.Holes() {
			if at := e.Program.Position(h.Pos); at.InModule() {
				all.holes = append(all.holes, Assumption{h.Kind.String(), at.String(), h.Text})
			}
		}
		return all, nil
	})
}

// settledBy returns the answer about a program if no search is needed; nil if it is.
func settledBy(s *settlement, r Request, e harness.Entry) *BlockingResult {
	if s == nil || s.Waits() || s.Counts && hasClass(r.Classes, stuck.OrderViolation) ||
		s.Polls && hasClass(r.Classes, stuck.NoProgress) {
		return nil
	}
	return &BlockingResult{Entry: e.Name, Verdict: VerdictSafe, Guesses: append(assumed(e.Limits), s.holes...),
		Findings: []BlockingFinding{}}
}

// addPipe says that a pipe of the standard library may be waited for, which the model does not have.
func (b *BlockingResult) addPipe(s *settlement) {
	if s == nil || s.Pipe == "" {
		return
	}
	what := "whether " + s.Pipe + " waits for ever"
	b.Guesses = append(b.Guesses, Assumption{"unknown", "-", what + " is not known"})
	if b.Verdict == VerdictSafe {
		b.Verdict, b.Reason = VerdictUnknown, what+" is not known"
	}
}

// addLocks adds the answers about the locks of a program, if there are any.
func (b *BlockingResult) addLocks(s *settlement, e harness.Entry) {
	if s == nil {
		return
	}
	for _, l := range s.Locks {
		lock := SettledLock{Name: l.Name, Pos: e.Program.Position(ssaflow.TokenPos(l.Taken)).String(), Verdict: VerdictSafe}
		if l.Doubt != "" {
			lock.Verdict, lock.Reason = VerdictUnknown, l.Doubt
		}
		b.Locks = append(b.Locks, lock)
	}
	if len(s.Promised) > 0 {
		b.Guesses = append(b.Guesses, Assumption{"clients", "", "what clients hand over returns and does nothing to the " +
			"object when it is called under a lock, in " + strings.Join(s.Promised, ", ")})
	}
}
