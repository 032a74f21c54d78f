// Package empire checks Go programs for interleavings of two goroutines that break
// an atomic set: fields of a struct that belong together.
//
// # Bird's-eye view
//
// A request goes through the stages in the order of the folders; each stage is one
// exported function from its input value to its output value.
//
//	load          packages and their SSA form                    frontend/load
//	harness       the programs: mains, tests, clients of libraries    frontend/harness
//	query         names to a type, its fields, its sites         frontend/query
//	pointsto      what pointers point to, the call graph         frontend/pointsto
//	multiplicity  what is executed, or exists, at most once      frontend/multiplicity
//	candidates    what is worth checking, where the request names no set     frontend/candidates
//	isolate       the objects that are watched                   frontend/isolate
//	reduce        the part of the program that the model needs   frontend/reduce
//	lower         that part as an ESL program                    frontend/lower
//	simplify      the same program, smaller                      esl/simplify
//	cpds          ESL as communicating pushdown systems          cpds
//	checker       is there a common word?                        checker, checker/refine, checker/prefix
//	report        the result as text, JSON, SARIF, HTML, DOT     report
//
// What lower knows of a program it asks of rooms beside it, each an analysis of its own with
// facts that hold in every run. They need one another in this order:
//
//	knowledge     what library functions do, one row each
//	   │
//	ssaflow       control flow, loops, liveness of one function
//	   │
//	modref        what calls may do: mod-ref summaries over the call graph
//	   │
//	mustalias     which values are one, and which do not change
//	   ├──────────────┬────────────────┐
//	lockset         order           (tag: what a value is on one path)
//	locks held      happens-before
//	   ├──────┐       │
//	units   relevance ownership
//	of work   which reads    who alone can reach an object
//	          still matter
//	   └──────┴───────┴──> lower, segments, notes: the finished model
//
// rules is the table of the precision rules that these rooms allow, with the reason why each is
// sound (empire-go explain --rules); a safe answer names those that it rests on. What the rooms
// claim is held to runs of random programs in frontend/execute, fact by fact
// (frontend/execute/judge, frontend/facttest).
//
// Runs of a program are checked in folder dynamic: Session.Watch says what to watch, and
// package dynamic lists its stages.
//
// Beside the line: scenarios is the table of what is looked for (it imports
// nothing), esl is the modelling language with its reference interpreter
// esl/interp, the oracle that every counterexample is replayed in. Imports point
// one way, from later stages to earlier ones' output types; a test holds the
// packages to it.
//
// What is absent on purpose: esl does not know Go, cpds does not know how
// emptiness is decided, checker knows no positions and no output format, engines
// know no ESL, report does no analysis. No stage but load reads files, and none
// has global state.
package empire

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
	"github.com/empire-go/empire-go/frontend/harness"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/load"
	"github.com/empire-go/empire-go/frontend/query"
)

// Run carries out a request. An error means that nothing could be checked; an
// *InputError says what to write instead. What goes wrong with one query is in
// Result.Errors or is an unknown verdict.
func Run(ctx context.Context, r Request) (*Result, error) {
	if err := r.Normalize(); err != nil {
		return nil, err
	}
	// Near the limit the collector works harder: garbage does not count.
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(min(r.Memory, debug.SetMemoryLimit(-1))))
	begin, stages := time.Now(), &runner{}
	program, err := loadProgram(ctx, r, stages)
	result := newResult(r, program)
	loadPeak := PeakMiB()
	defer collectSeldom()()
	if err == nil {
		err = answer(ctx, r, program, stages, result)
	}
	var limit *limitError
	if errors.As(err, &limit) && len(result.Queries) == 0 {
		result.Queries, err = append(result.Queries, unknown(r, limit.Error())), nil
	}
	if err != nil {
		return nil, asInputError(err)
	}
	var verdicts []string
	for _, q := range result.Queries {
		verdicts = append(verdicts, q.Verdict)
	}
	result.Verdict = overall(verdicts)
	if r.Timings {
		result.LoadPeak = loadPeak
		stages.since("total", begin)
		result.Timings = stages.timings()
		result.PeakMiB = PeakMiB()
	}
	return result, nil
}

// answer adds the answers to a normalized request about a program.
func answer(ctx context.Context, r Request, program *load.Program, stages *runner, result *Result) error {
	r, err := withSettings(r, program)
	if err != nil {
		return err
	}
	all, err := entriesWithin(ctx, r, program, stages)
	if err != nil {
		return err
	}
	return runEntries(ctx, r, all, result, stages)
}

// entriesWithin is entries under the limits of a query.
func entriesWithin(ctx context.Context, r Request, program *load.Program, stages *runner) ([]harness.Entry, error) {
	limited, stop := withLimits(ctx, r.Timeout, r.Memory)
	defer stop()
	if err := query.CheckDirectives(program); err != nil {
		return nil, asInputError(err)
	}
	return run(limited, stages, "harness", func(context.Context) ([]harness.Entry, error) { return entries(r, program) })
}

// Model returns the ESL program of a request that names one query. Its errors are
// those of Run.
func Model(ctx context.Context, r Request) (*esl.Program, error) {
	if err := r.Normalize(); err != nil {
		return nil, err
	}
	stages := &runner{}
	program, err := loadProgram(ctx, r, stages)
	if err != nil {
		return nil, err
	}
	if r, err = withSettings(r, program); err != nil {
		return nil, err
	}
	all, err := entriesWithin(ctx, r, program, stages)
	if err != nil {
		return nil, asInputError(err)
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
	limited, stop := withLimits(ctx, r.Timeout, r.Memory)
	defer stop()
	m, err := a.model(limited, site)
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

// loadProgram loads the packages.
func loadProgram(ctx context.Context, r Request, stages *runner) (*load.Program, error) {
	what := strings.Join(r.Packages, " ")
	config := load.Config{
		Dir: r.Dir, Patterns: r.Packages, Tags: r.Tags, Tests: r.Tests, Opaque: knowledge.IsOpaquePackage,
		Joins: r.Joins, Locks: r.LockTypes, Make: r.Make,
	}
	if r.Tests {
		config.ParseFile = harness.ParseWithModel
	}
	limited, stop := withLimits(ctx, forLoading(r.Timeout), r.Memory)
	defer stop()
	program, err := run(limited, stages, "load", func(ctx context.Context) (*load.Program, error) {
		return load.Load(ctx, config)
	})
	if limit := new(limitError); errors.As(err, &limit) {
		return nil, limit
	}
	if wrong := new(load.SettingsError); errors.As(err, &wrong) {
		return nil, &InputError{load.SettingsFile, wrong.Why}
	}
	if err != nil {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("%s: %w", what, ctx.Err())
		}
		// The go command repeats the name that it was given.
		return nil, inputErrorf(what, "%s", strings.TrimPrefix(err.Error(), what+": "))
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
