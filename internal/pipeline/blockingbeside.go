package pipeline

import (
	"context"
	"errors"
	"time"

	"github.com/empire-go/empire-go/frontend/harness"
	"github.com/empire-go/empire-go/frontend/load"
	"github.com/empire-go/empire-go/frontend/query"
	"github.com/empire-go/empire-go/limit"
	"github.com/empire-go/empire-go/scenarios"
)

// Where nothing is named, it is asked about blocking beside atomic sets, with a part of the budget: what is small has
// an answer then. What is not known is counted, and changes no verdict.

// programShare is which part of the work of a stage one program may take, and allProgramsShare which part all may.
const (
	programShare     = 64
	allProgramsShare = 16
)

// What is asked beside atomic sets is to take no longer than these, which take the longer the more code there is: one
// call may take workForFunction for each function of the packages named, and least at least.
const (
	workForFunction = 15 * time.Millisecond
	leastBeside     = time.Second / 2
)

// workBeside returns how much work one call may take.
func workBeside(program *load.Program) limit.Work {
	functions := 0
	for _, pkg := range program.Packages {
		functions += len(query.FunctionsOf(pkg))
	}
	return limit.InWork(max(leastBeside, time.Duration(functions)*workForFunction))
}

// runBlockingBeside adds what is found about blocking in calls, in programs and in clients of types that are made to be
// shared. It returns what is proved of programs that wait for something.
func runBlockingBeside(ctx context.Context, r Request, program *load.Program, result *Result, stages *runner) (
	safe []BlockingResult, err error) {
	r.Classes = scenarios.ClassNames()
	asked, err := searchCalls(ctx, r, program, stages)
	if err != nil {
		return nil, err
	}
	most := stages.stageWork(r) / allProgramsShare
	begin := stages.budget.remains()
	left := func() limit.Work {
		if begin == 0 { // nothing is shared
			return most
		}
		return most - (begin - stages.budget.remains())
	}
	all, err := entriesBeside(ctx, r, program, stages, left())
	if err != nil {
		return nil, err
	}
	one := func() limit.Work { return max(min(left(), most*allProgramsShare/programShare), 0) }
	answers, err := runPrograms(ctx, r, all, stages, one, func(b BlockingResult) {
		if b.Verdict == VerdictViolation {
			r.blocked(result, b)
		}
	})
	if err != nil {
		return nil, err
	}
	if len(all) > 0 {
		result.Programs = &Extent{Asked: len(all)}
	}
	for _, b := range answers {
		switch b.Verdict {
		case VerdictUnknown:
			result.Programs.Open++
		case VerdictSafe:
			if b.Model.Channels+b.Model.Locks+len(b.Locks) > 0 {
				safe = append(safe, b.BlockingResult)
			}
		}
	}
	asked.found = undecided(asked.found, all, answers)
	r.addCalls(result, asked)
	return safe, nil
}

// entriesBeside returns the programs and clients that it is asked about blocking; none if that takes too much work, or
// if there are none.
func entriesBeside(ctx context.Context, r Request, program *load.Program, stages *runner, work limit.Work) (
	[]harness.Entry, error) {
	all, err := entriesFor(ctx, r, program, stages, work, entriesToCheck)
	late, input := new(limitError), new(InputError)
	if ctx.Err() != nil || errors.As(err, &late) || isNothing(err) || errors.As(err, &input) {
		return nil, nil // what is wrong is told when it is asked about atomic sets
	}
	return all, err
}
