package checker

import (
	"context"
	"slices"

	"github.com/empire-go/empire-go/cpds"
	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/scenarios"
)

// Options say what Check is to look for.
type Options struct {
	Scenarios []scenarios.Scenario // with the patterns asked for; a subset of scenarios.Table
	Engine    Engine               // required: this package cannot import its sub-packages
	Safe      []int                // scenarios that are known to be safe, by their numbers: they explain no conflict cycle
	Limits    Limits
	// LeftOut tells of which pairs of units violations are of no interest; nil: of none. It may be called
	// by several goroutines at once.
	LeftOut func(u, v esl.UnitName) bool
	// Overlooked tells which accesses of one of the two units match nothing; nil: all may. What is found then is
	// a violation all the same. It may be called by several goroutines at once.
	Overlooked func(of scenarios.Unit, at esl.Place) bool
	// Prove returns which of some scenarios are known to be safe in another way, by their numbers; nil: none. It is asked
	// about those that no directed run violates, before the engine is.
	Prove func(ctx context.Context, open []scenarios.Scenario) (safe []int)
	// Avoid tells which statements may be of no run of what the program is a model of: a violation without them is told
	// rather than one with them; nil: none. It may be called by several goroutines at once.
	Avoid   func(at esl.Place) bool
	NoRaces bool // data races are not looked for
	// AllCycles: conflict cycles are told also between units that another scenario is about.
	AllCycles bool
	AnyRun    bool // violations need not be told by short runs
	AskAll    bool // the engine is asked also about what locks alone rule out, or a directed run shows: for tests
}

// asks tells whether violations between the units of a guess are of interest.
func (o Options) asks(g cpds.Guess) bool { return o.LeftOut == nil || !o.LeftOut(g.UnitU(), g.UnitV()) }

// isSure tells whether a run has no statement that is to be avoided.
func (o Options) isSure(steps []esl.Step) bool {
	return o.Avoid == nil || !slices.ContainsFunc(steps, func(s esl.Step) bool {
		return o.Avoid(esl.Place{Function: s.Function, Index: s.Index})
	})
}

// Result is what Check found out about one ESL program.
type Result struct {
	Findings  []Finding // one for each scenario asked for, in order
	DataRace  *Race     // two accesses enabled at once, one of them a plain write; nil if there is none or it is not known
	Races     []*Race   // DataRace, and others by their pairs of accesses, the shortest first; bounded
	RaceKnown bool      // whether DataRace was decided
	RaceOpen  []int     // the locations of which it is not known, beside races that are; ascending
	Work      Work      // in total
}

// Verdict is the closed sum of outcomes: Violation, Safe or Unknown.
type Verdict interface{ verdict() }

// Violation is a run of the program that breaks a scenario. It has been replayed
// by the interpreter.
type Violation struct {
	Pattern   scenarios.Pattern
	U, V      UnitInstance
	Locations []int      // l1 and, for patterns of two locations, l2
	Steps     []esl.Step // the run, silent statements included
	Matched   []int      // for each event of the pattern the index in Steps of the step that matches it
	DataRace  bool       // one of its locations is in a data race between the two processes
	By        string     // which engine and part decided
}

// UnitInstance is a unit of work of one goroutine.
type UnitInstance struct {
	esl.Instance
	Object int    // of the program: the object the unit is on
	Label  string // the label of its UnitBegin
}

// Safe is a proof that the model has no run that breaks the scenario.
type Safe struct{ By string }

// Unknown means that a limit was passed before an answer was found.
type Unknown struct{ Reason string }

func (Violation) verdict() {}
func (Safe) verdict()      {}
func (Unknown) verdict()   {}

// Finding is the verdict on one scenario.
type Finding struct {
	Scenario scenarios.Scenario
	Verdict  Verdict
}

// Race is a data race on a location: the two instances could access it at the
// same moment after Steps.
type Race struct {
	Location int
	A, B     esl.Instance
	Steps    []esl.Step
	Accesses [2]esl.Step // of A and of B, both enabled after Steps
}
