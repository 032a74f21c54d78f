// Package pipeline carries out requests: it has the one list of stages, of which each is a
// package, hands the output of one to the next, holds them to the limits of a query, and
// describes what they have found in the words of the program.
//
// The stages are in stages.go, what is asked for in request.go and plan.go, the programs
// that it is asked about in entries.go, the answer in result.go and describe.go. The root
// package is the door: its types and calls are those of this package.
package pipeline

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/checker/prefix"
	"github.com/empire-go/empire-go/checker/refine"
	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/execute"
	"github.com/empire-go/empire-go/frontend/harness"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/load"
	"github.com/empire-go/empire-go/frontend/query"
	"github.com/empire-go/empire-go/limit"
)

// Run carries out a request. An error means that nothing could be checked; an
// *InputError says what to write instead. What goes wrong with one query is in
// Result.Errors or is an unknown verdict.
func Run(ctx context.Context, r Request) (*Result, error) {
	if err := r.Normalize(); err != nil {
		return nil, err
	}
	// Near the limit the collector works harder: garbage does not count. It begins to do so before a query is told that
	// there is no more memory.
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(min(r.Memory-r.Memory/8, debug.SetMemoryLimit(-1))))
	begin, stages := time.Now(), &runner{budget: newBudget(r), kept: newKept(r)}
	if result := stages.kept.recall(r); result != nil {
		if r.Timings {
			stages.since("total", begin)
			result.Timings, result.PeakMiB = stages.timings(), limit.PeakMiB()
			result.Timings.Reused = len(result.Queries) + len(result.Blocking)
		}
		return result, nil
	}
	stages.kept.record(&r)
	if r.Observe != nil {
		r.Observe(Event{Begin: newResult(r, nil)})
	}
	r.begins("loading the packages", 0, 0)
	program, err := loadProgram(ctx, r, stages)
	result := newResult(r, program)
	loadPeak := limit.PeakMiB()
	defer collectSeldom()()
	if err == nil {
		err = answer(ctx, r, program, stages, result)
	}
	var late *limitError
	switch {
	case err != nil && ctx.Err() != nil:
		r.answered(result, unknown(r, interrupted))
		err = nil
	case errors.As(err, &late) && len(result.Queries) == 0:
		r.answered(result, unknown(r, late.Error()))
		err = nil
	}
	if err != nil {
		return nil, asInputError(err)
	}
	result.conclude()
	if ctx.Err() == nil {
		stages.kept.keepResult(r, program, result)
	}
	stages.kept.flush()
	if r.Timings {
		result.LoadPeak = loadPeak
		stages.since("total", begin)
		result.Timings = stages.timings()
		result.Timings.Reused = stages.kept.reused()
		result.PeakMiB = limit.PeakMiB()
	}
	return result, nil
}

// conclude sets the verdict of all queries together.
func (r *Result) conclude() {
	var verdicts []string
	for _, q := range r.Queries {
		verdicts = append(verdicts, q.Verdict)
	}
	for _, b := range r.Blocking {
		verdicts = append(verdicts, b.Verdict)
	}
	r.Verdict = overall(verdicts)
}

// answer adds the answers to a normalized request about a program.
func answer(ctx context.Context, r Request, program *load.Program, stages *runner, result *Result) error {
	r, err := withSettings(r, program)
	if err != nil {
		return err
	}
	for _, i := range query.Ignores(program) {
		result.Ignores = append(result.Ignores, Ignore(i))
	}
	if r.asksAboutClasses() {
		return runClasses(ctx, r, program, result, stages, func(r Request) ([]harness.Entry, error) {
			return entriesWithin(ctx, r, program, stages, entriesToCheck)
		})
	}
	var safe []BlockingResult
	var races *racesBeside
	if r.Blocking {
		races = reserveForRaces(stages)
		if safe, err = runBlockingBeside(ctx, r, program, result, stages); err != nil {
			return err
		}
	}
	all, err := entriesWithin(ctx, r, program, stages, entriesToCheck)
	if err == nil {
		if err = runEntries(ctx, r, all, result, stages); err == nil || isNothing(err) {
			if err := races.add(ctx, r, program, all, result); err != nil {
				return err
			}
		}
	}
	if !isNothing(err) {
		return err
	}
	for _, b := range safe { // though it has no atomic sets, something is known
		r.blocked(result, b)
	}
	if len(result.Blocking)+len(result.Queries) > 0 {
		return nil
	}
	if nothing := new(nothingError); errors.As(err, &nothing) && result.Programs != nil {
		nothing.isOpen = result.Programs.Open > 0
	}
	return err
}

// entriesWithin returns the programs that a request is about, under the limits of a query.
func entriesWithin(ctx context.Context, r Request, program *load.Program, stages *runner,
	which func(Request, *load.Program) ([]harness.Entry, error)) ([]harness.Entry, error) {
	return entriesFor(ctx, r, program, stages, stages.stageWork(r), which)
}

// entriesFor is entriesWithin for so much work at most.
func entriesFor(ctx context.Context, r Request, program *load.Program, stages *runner, work limit.Work,
	which func(Request, *load.Program) ([]harness.Entry, error)) ([]harness.Entry, error) {
	limited, release := stages.within(ctx, r, work)
	defer release()
	if err := query.CheckDirectives(program); err != nil {
		return nil, asInputError(err)
	}
	return run(limited, stages, "harness", func(context.Context) ([]harness.Entry, error) { return which(r, program) })
}

// programsOf loads what a request that asks for models is about, and returns it with the settings of the module, and
// the programs.
func programsOf(ctx context.Context, r Request, stages *runner) (Request, []harness.Entry, error) {
	if err := r.Normalize(); err != nil {
		return r, nil, err
	}
	program, err := loadProgram(ctx, r, stages)
	if err != nil {
		return r, nil, err
	}
	if r, err = withSettings(r, program); err != nil {
		return r, nil, err
	}
	all, err := entriesWithin(ctx, r, program, stages, entries)
	if err != nil {
		return r, nil, asInputError(err)
	}
	return r, all, nil
}

// Model returns the ESL program of a request that names one query. Its errors are
// those of Run.
func Model(ctx context.Context, r Request) (*esl.Program, error) {
	stages := &runner{}
	r, all, err := programsOf(ctx, r, stages)
	if err != nil {
		return nil, err
	}
	if len(all) > 1 && all[0].Type == nil {
		return nil, inputErrorf(strings.Join(r.Packages, " "), "has %d programs: %s; name the package of one of them",
			len(all), entryNames(all))
	}
	if r.Type == "" && len(r.Vars) == 0 {
		return nil, inputErrorf("--type", "missing; write --type T to say which type to model, or --vars pkg.a,pkg.b")
	}
	a, site, err := onlySite(ctx, r, all, stages)
	if err != nil {
		return nil, asInputError(err)
	}
	limited, release := stages.within(ctx, r, stages.stageWork(r))
	defer release()
	m, err := a.model(limited, site, outline, nil)
	if err != nil {
		return nil, err
	}
	return m.lowered.Program, nil
}

// NewEngine returns the decision procedure with the name, nil if there is none.
func NewEngine(name string) checker.Engine {
	switch name {
	case "refine":
		return refine.New()
	case "prefix":
		return prefix.New()
	}
	return nil
}

// loadErrors makes input errors of what is wrong with packages: errors.Join of them, if they are
// several.
func loadErrors(what string, err error) error {
	all := []error{err}
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		all = several.Unwrap()
	}
	for i, e := range all {
		if at := new(load.SourceError); errors.As(e, &at) {
			all[i] = &InputError{at.Pos, at.Text}
			continue
		}
		// The go command repeats the name that it was given.
		all[i] = inputErrorf(what, "%s", strings.TrimPrefix(e.Error(), what+": "))
	}
	if len(all) == 1 {
		return all[0]
	}
	return errors.Join(all...)
}

// loadProgram loads the packages.
func loadProgram(ctx context.Context, r Request, stages *runner) (*load.Program, error) {
	what := strings.Join(r.Packages, " ")
	config := load.Config{
		Dir: r.Dir, Patterns: r.Packages, Tags: r.Tags, Tests: r.Tests, Opaque: knowledge.IsOpaquePackage,
		Bodies: execute.Bodies(),
		Joins:  r.Joins, Locks: r.LockTypes, Make: r.Make,
	}
	if r.Tests {
		config.ParseFile = harness.ParseWithModel
	}
	limited, stop := limit.ForQuery(ctx, forLoading(r.Timeout), r.Memory)
	defer stop()
	program, err := run(limited, stages, "load", func(ctx context.Context) (*load.Program, error) {
		return load.Load(ctx, config)
	})
	if late := new(limitError); errors.As(err, &late) {
		return nil, late
	}
	if wrong := new(load.SettingsError); errors.As(err, &wrong) {
		return nil, &InputError{load.SettingsFile, wrong.Why}
	}
	if err != nil {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("%s: %w", what, ctx.Err())
		}
		return nil, loadErrors(what, err)
	}
	for _, pkg := range program.Packages {
		if path := pkg.Pkg.Path(); program.IsStandard(path) && knowledge.IsFromTable(path) {
			return nil, inputErrorf(path, "cannot be checked: what its functions do is taken from a table, and their code is "+
				"not looked into; leave it out")
		}
	}
	stages.set("load", -program.BuildDuration)
	stages.set("ssa", program.BuildDuration)
	return program, nil
}

// newResult returns the part of a result that does not depend on the analysis. There is
// no program if it could not be loaded.
func newResult(r Request, program *load.Program) *Result {
	result := &Result{
		Schema: 1,
		Tool:   Tool{Name, Version},
		Invocation: Invocation{
			Dir: ".", Packages: r.Packages, Tags: r.Tags, Go: goVersion(),
			Policies: Policies{Units: r.Units, UnitFor: r.UnitFor, Locks: r.Locks, Strict: r.Strict, Copies: r.Copies},
		},
		Errors:  []string{},
		Queries: []QueryResult{},
	}
	if program != nil {
		result.ModuleRoot, result.ModuleRootDir = program.Module, program.ModuleDir
	}
	for _, s := range r.Scenarios {
		result.Invocation.Patterns = append(result.Invocation.Patterns, partialPatterns(s)...)
	}
	return result
}

// goVersion returns the language version of the tool chain, as "go1.26".
func goVersion() string {
	v := runtime.Version()
	if parts := strings.SplitN(v, ".", 3); len(parts) == 3 {
		return parts[0] + "." + parts[1]
	}
	return v
}

// asInputError turns an error about what the user named into an *InputError.
func asInputError(err error) error {
	var named *query.Error
	if errors.As(err, &named) {
		return &InputError{named.What, named.Why}
	}
	var nothing *nothingError
	if errors.As(err, &nothing) {
		return nothing.asInput()
	}
	return err
}
