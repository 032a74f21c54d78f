package pipeline

import (
	"context"
	"fmt"
	"slices"

	"golang.org/x/tools/go/ssa"

	stuck "github.com/empire-go/empire-go/checker/blocking"
	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/blocking"
	"github.com/empire-go/empire-go/frontend/harness"
	"github.com/empire-go/empire-go/frontend/load"
	"github.com/empire-go/empire-go/frontend/local"
	"github.com/empire-go/empire-go/frontend/query"
	"github.com/empire-go/empire-go/frontend/ssaflow"
	"github.com/empire-go/empire-go/limit"
)

// What a function makes for itself, and for the goroutines that it starts, is asked of one call of it, whatever program
// that is part of: see package local. So functions are looked at that no program and no client reaches.

// callName says what is asked about.
func callName(c *local.Call) string { return "a call of " + c.Function.String() }

// calledFinding is what was found in a call.
type calledFinding struct {
	call  *local.Call
	found *BlockingResult
}

// undecided returns what was found in calls of functions that are part of no program which is safe. What is found in a
// program as well is told once, see areKnown; what is not may still be there, unless it is safe.
func undecided(found []calledFinding, all []harness.Entry, answers []programAnswer) []calledFinding {
	return slices.DeleteFunc(found, func(c calledFinding) bool {
		for i, e := range all {
			if !e.IsLibrary() && answers[i].Verdict == VerdictSafe && answers[i].isPart(e, c.call.Function) {
				return true
			}
		}
		return false
	})
}

// localCalls returns the calls in which something is local, where a request asks about them: about calls, or about
// blocking without the name of a type.
func localCalls(r Request, program *load.Program) (all []*local.Call) {
	if !r.Blocking && !r.asksAboutBlocking() || !r.namesNothing() {
		return nil
	}
	isFollowed := isFollowed(program)
	for _, pkg := range program.Packages {
		for _, fn := range query.FunctionsOf(pkg) {
			if fn.Parent() != nil && !local.IsHandedOver(fn) || program.IsGenerated(fn.Pos()) {
				continue // what a function calls or starts itself is part of its call
			}
			if c := local.Of(fn, isFollowed); c != nil {
				all = append(all, c)
			}
		}
	}
	isGenerated := func(c *local.Call) int {
		if program.SaysGenerated(c.Function.Pos()) {
			return 1
		}
		return 0
	}
	// What a generator has written comes last: it is much of the same, and not this module's to mend.
	slices.SortStableFunc(all, func(a, b *local.Call) int { return isGenerated(a) - isGenerated(b) })
	return all
}

// askedCalls is what came of looking at calls.
type askedCalls struct {
	counts Extent
	found  []calledFinding
}

// callShare is which part of the work of a stage one call may take, and allCallsShare which part all of them may; the
// firstCallShare of its work a call may take before the others have been asked about, as most take little.
const (
	callShare      = 8
	firstCallShare = 16
	allCallsShare  = 4
)

// searchCalls looks for findings in calls of functions with something local.
func searchCalls(ctx context.Context, r Request, program *load.Program, stages *runner) (all askedCalls, err error) {
	calls := localCalls(r, program)
	if all.counts.Asked = len(calls); len(calls) == 0 {
		return all, nil
	}
	dispatch := ssaflow.NewDispatch(program.SSA)
	one, most := stages.stageWork(r)/callShare, stages.budget.remains()/allCallsShare
	if r.Blocking {
		one = min(one, workBeside(program))
		most = min(most, 4*one)
	}
	least := stages.budget.remains() - most
	answers := make([]*BlockingResult, len(calls))
	for _, share := range []limit.Work{one / firstCallShare, one} {
		for i, c := range calls {
			if answers[i] != nil || stages.budget.remains() < least {
				continue
			}
			r.begins("asking whether "+callName(c)+" blocks", i, len(calls))
			_, err := isWithin(ctx, r, stages, share, func(limited context.Context) (err error) {
				answers[i], err = run(limited, stages, "blocking", func(ctx context.Context) (*BlockingResult, error) {
					return searchedInCall(ctx, r, program, c, dispatch)
				})
				return err
			})
			if err != nil {
				return all, err
			}
		}
	}
	for i, found := range answers {
		switch {
		case found == nil || found.Verdict == VerdictUnknown:
			all.counts.Open++
		case len(found.Findings) > 0:
			all.found = append(all.found, calledFinding{calls[i], found})
		}
	}
	return all, nil
}

// addCalls adds what was found in calls. That nothing is found proves nothing: what a function calls may change memory
// that it depends on.
func (r *Request) addCalls(result *Result, asked askedCalls) {
	if asked.counts.Asked > 0 {
		result.Calls = &asked.counts
	}
	for _, c := range asked.found {
		if !areKnown(c.found.Findings, result.Blocking) {
			r.blocked(result, *c.found)
		}
	}
}

// addOnlyCalls adds that nothing was found, where there was nothing but calls to look at.
func (r *Request) addOnlyCalls(result *Result) {
	if result.Calls != nil && len(result.Blocking) == 0 {
		none := unknownBlocking("calls of functions", "nothing was found in what functions make for themselves and for the "+
			"goroutines that they start; but what they are handed, and what they call, is not known")
		none.IsCall = true
		r.blocked(result, *none)
	}
}

// areKnown tells whether all findings are in answers already: of a function that makes the same call.
func areKnown(findings []BlockingFinding, answers []BlockingResult) bool {
	return !slices.ContainsFunc(findings, func(f BlockingFinding) bool {
		return !slices.ContainsFunc(answers, func(b BlockingResult) bool { return slices.ContainsFunc(b.Findings, f.isLike) })
	})
}

// searchedInCall looks for findings in the model of one call.
func searchedInCall(ctx context.Context, r Request, program *load.Program, c *local.Call, dispatch *ssaflow.Dispatch) (
	*BlockingResult, error) {
	config := blockingConfig(program, c.Function)
	config.Local, config.Dispatch = c, dispatch
	m, err := blocking.Lower(ctx, config)
	asked := blockingQuestion{name: callName(c), classes: r.Classes, limits: limitsOfCalls, call: c}
	return searchLowered(ctx, asked, m, err)
}

// limitsOfCalls is what an answer about a call holds for.
var limitsOfCalls = []string{"what the call is handed may be anything, and what it calls that has none of its " +
	"channels, locks and wait groups returns"}

// inDoubtOfCall returns where it is in doubt whether a call has the run of a finding; "" if it is not.
func inDoubtOfCall(m *blocking.Model, c *local.Call, f stuck.Finding) string {
	isOrder := f.Class == stuck.OrderViolation
	if isOrder && m.Skips || m.SkipsJoins { // what is left out may order the operations, or let go on who waits there
		return firstWait(f)
	}
	return related(m, c, f)
}

// firstWait returns where the first goroutine of a finding waits.
func firstWait(f stuck.Finding) string {
	for _, w := range f.Waits {
		if len(w.At) > 0 {
			return w.At[0].Pos.String()
		}
	}
	return "the end"
}

// related returns where a run takes a branch whose condition depends on something on which that of another branch of
// the run depends, too, so that the run may be none; "" if it takes no such branches. What has nothing in common can be
// anything, as far as the call is concerned: that is what it branches for. Where two goroutines take one branch the
// same way, what lets one of them do so may let the other.
func related(m *blocking.Model, c *local.Call, f stuck.Finding) string {
	type use struct {
		branch  *ssa.If
		list    ssa.Value       // of which the length is guessed, in the place of a branch, or counted to
		loop    *ssa.BasicBlock // where it begins, in the place of the branches that decide whether it goes on
		process esl.Instance
	}
	users, ways := map[local.Input]use{}, map[use]int{}
	for b := range branchesOn(m, f) {
		if b.list != nil {
			for _, in := range c.Inputs(b.list) {
				users[in] = use{list: b.list, process: b.by}
			}
			continue
		}
		inputs, own := c.InputsOf(b.If, b.way == 0), use{branch: b.If, process: b.by}
		own.list = countedTo(b.If)
		if inside := local.EntersLoop(b.If); inside >= 0 {
			own.branch, own.loop = nil, b.Block().Succs[inside]
		}
		isShared := slices.ContainsFunc(inputs, func(in local.Input) bool { return !in.IsOwn })
		isOneWay := local.IsFixed(b.Cond) || local.IsOnce(b.If) && isShared
		if way, ok := ways[own]; len(inputs) == 0 || ok && way != b.way && isOneWay {
			return b.at.String()
		}
		ways[own] = b.way
		for _, in := range inputs {
			if in.IsOwn {
				in.Name += fmt.Sprint(" in ", b.by)
			}
			for other, by := range users {
				isAlike := by.branch == own.branch && by.loop == own.loop && ways[by] == b.way
				isAlike = isAlike || by.branch == nil && by.loop == nil && isSameList(by.list, own.list)
				if by != own && !isAlike && in.Meets(other) {
					return b.at.String()
				}
			}
			users[in] = own
		}
	}
	return ""
}

// countedTo returns the list to whose length a branch compares something; nil if it does not.
func countedTo(branch *ssa.If) ssa.Value {
	c, ok := branch.Cond.(*ssa.BinOp)
	if !ok {
		return nil
	}
	if of := ssaflow.LengthOf(c.Y); of != nil {
		return of
	}
	return ssaflow.LengthOf(c.X)
}

// isSameList tells whether two lists evidently are one.
func isSameList(a, b ssa.Value) bool { return a != nil && b != nil && ssaflow.IsSamePointer(a, b) }
