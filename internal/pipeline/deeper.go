package pipeline

import (
	"context"
	"slices"

	"github.com/empire-go/empire-go/checker"
	stuck "github.com/empire-go/empire-go/checker/blocking"
	"github.com/empire-go/empire-go/checker/refine"
	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/blocking"
)

// deeperLimits bound what is asked about one way to wait for each other.
var deeperLimits = checker.Limits{States: 50_000, Rounds: 100}

// searchDeeper asks the pushdown systems for deadlocks where the explicit search did not come to its end, because the
// stacks are too deep or the states too many, if they have all that the model does: they know no bound on either. What
// is found has been replayed. In a model with clients it would have to be told whether another client could help.
func searchDeeper(ctx context.Context, m *blocking.Model, found *stuck.Result) (more []stuck.Finding, err error) {
	if found.Complete || len(m.Clients) > 0 || m.Program.HasBlocking() {
		return nil, nil
	}
	d, err := checker.FindDeadlocks(ctx, m.Program, checker.DeadlockOptions{Engine: refine.New(), Limits: deeperLimits})
	if err != nil {
		return nil, err
	}
	isKnown := func(l checker.Link) bool {
		return slices.ContainsFunc(found.Findings, func(f stuck.Finding) bool {
			return slices.ContainsFunc(slices.Concat(f.Waits, f.Also), func(w stuck.Wait) bool {
				return w.Process == l.Process && w.Function == l.Function && w.Index == l.Index
			})
		})
	}
	for _, c := range d.Chains {
		if !slices.ContainsFunc(c.Links, isKnown) {
			more = append(more, findingOf(c))
		}
	}
	return more, nil
}

// findingOf says of a chain what the explicit search would say.
func findingOf(c checker.Chain) stuck.Finding {
	f := stuck.Finding{Class: stuck.Deadlock, Steps: c.Steps}
	if c.Back < 0 {
		f.Class = stuck.Blocked
	}
	for i, l := range c.Links {
		if l.Ended {
			continue
		}
		next := c.Back
		if i+1 < len(c.Links) {
			next = i + 1
		}
		to := c.Links[next]
		edge := stuck.Edge{Instance: to.Instance, Op: esl.Unlock, Arg: l.Stmt.Arg, Holds: true, Ended: to.Ended}
		if l.Stmt.Op == esl.Join {
			edge.Op, edge.Arg, edge.Holds = esl.Done, 0, false
		}
		f.Waits = append(f.Waits, stuck.Wait{Instance: l.Instance, Function: l.Function, Index: l.Index,
			At: []esl.Stmt{l.Stmt}, For: []stuck.Edge{edge}})
	}
	return f
}
