// Package empire checks Go programs for interleavings of two goroutines that break
// an atomic set: fields of a struct that belong together.
//
// # Bird's-eye view
//
// This package is the door: its types and calls are those of internal/pipeline, which sends
// a request through the stages in the order below. Each stage is one exported function from
// its input value to its output value.
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
//	harm          does a run do what no order of the units does? frontend/harm, frontend/execute, frontend/atomicity
//	races         which data races are certain by lock sets?     frontend/races
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
//	keys      still matter
//	   └──────┴───────┴──> lower, segments, notes: the finished model
//
// keys tells the entries of one map apart. A model in which they are is made only where the one
// in which a map is one location has a violation, and no data race.
//
// rules is the table of the precision rules that these rooms allow, with the reason why each is
// sound (empire-go explain --rules); a safe answer names those that it rests on. What the rooms
// claim is held to runs of random programs in frontend/execute, fact by fact
// (frontend/execute/judge, frontend/facttest).
//
// internal/answers keeps what was found out for the next time, under hashes of what it depends on: the
// answer to a whole request, which is found before anything is loaded, and that to each query, which is
// found when its call graph is there.
//
// Many queries are asked by package sweep, which hands them out by a queue (sweep/queue): to goroutines of one
// process, or to workers on many machines (sweep/pool, by sweep/jetstream), which answer them in child processes
// (sweep/child). Package sweep/corpus checks many modules of others.
//
// Runs of a program are checked in folder dynamic: Session.Watch says what to watch, and
// package dynamic lists its stages.
//
// Package waits is no stage: it compares two versions of a program by what may be
// waited for while which locks are held, for the fixes of internal/mend.
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

	"github.com/empire-go/empire-go/dynamic/watch"
	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/internal/pipeline"
)

// Run carries out a request. An error means that nothing could be checked; an
// *InputError says what to write instead. What goes wrong with one query is in
// Result.Errors or is an unknown verdict.
func Run(ctx context.Context, r Request) (*Result, error) { return pipeline.Run(ctx, r) }

// Open loads the packages of a request, for many requests about them. Its errors are those
// of Run.
func Open(ctx context.Context, r Request) (*Session, error) { return pipeline.Open(ctx, r) }

// Watch returns what a run of the programs of a request is watched for, and the directory of their module, which
// positions are relative to. It is Session.Watch, but for that nothing is loaded if Request.Answers has the plan. The
// errors are those of both.
func Watch(ctx context.Context, r Request) (*watch.Plan, string, error) {
	return pipeline.Watch(ctx, r)
}

// Candidates finds what is worth checking in the programs that a request is about: the
// atomic sets, the best first, with the evidence for each. Its errors are those of Run.
func Candidates(ctx context.Context, r Request) (*CandidateResult, error) {
	return pipeline.Candidates(ctx, r)
}

// LockDisciplines finds out which lock guards which fields of the types in the packages of a request. Its errors
// are those of Run.
func LockDisciplines(ctx context.Context, r Request) (*DisciplineResult, error) {
	return pipeline.LockDisciplines(ctx, r)
}

// Model returns the ESL program of a request that names one query. Its errors are those of
// Run.
func Model(ctx context.Context, r Request) (*esl.Program, error) { return pipeline.Model(ctx, r) }
