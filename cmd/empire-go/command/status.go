package command

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/scenarios"
)

// exitStatus is the outcome for a verdict: nil for safe.
func exitStatus(verdict string) error {
	switch verdict {
	case empire.VerdictSafe:
		return nil
	case empire.VerdictViolation:
		return status(statusViolation)
	}
	return status(statusUnknown)
}

// verdictOf is the verdict of a result, without the violations that have been accepted.
func verdictOf(r *empire.Result) string {
	if r.Verdict != empire.VerdictViolation {
		return r.Verdict
	}
	verdict := empire.VerdictSafe
	if len(r.Errors) > 0 {
		verdict = empire.VerdictUnknown
	}
	for _, q := range r.Queries {
		switch verdictOfQuery(q) {
		case empire.VerdictViolation:
			return empire.VerdictViolation
		case empire.VerdictUnknown:
			verdict = empire.VerdictUnknown
		}
	}
	for _, b := range r.Blocking {
		switch {
		case slices.ContainsFunc(b.Findings, func(f empire.BlockingFinding) bool { return f.Accepted == nil }):
			return empire.VerdictViolation
		case b.Verdict == empire.VerdictUnknown:
			verdict = empire.VerdictUnknown
		}
	}
	return verdict
}

// verdictOfQuery is that of one query.
func verdictOfQuery(q empire.QueryResult) string {
	if q.Verdict != empire.VerdictViolation {
		return q.Verdict
	}
	isOpen := func(r empire.Race) bool { return r.Accepted == nil }
	if q.Class == scenarios.DataRaceClass && slices.ContainsFunc(q.Races, isOpen) {
		return empire.VerdictViolation
	}
	verdict := empire.VerdictSafe
	for _, s := range q.Violations() {
		if s.Level != "note" && s.Accepted == nil {
			return empire.VerdictViolation
		}
	}
	for _, s := range q.Scenarios {
		if s.Verdict == empire.VerdictUnknown {
			verdict = empire.VerdictUnknown
		}
	}
	return verdict
}

// failOn is a flag value: the least harm that makes the exit status 1. Any harm is that of each
// violation.
type failOn string

const failOnAny failOn = "any"

func (f *failOn) String() string { return string(*f) }
func (f *failOn) Type() string   { return "harm" }
func (f *failOn) Set(text string) error {
	if text != string(failOnAny) && (text == empire.HarmNone || !slices.Contains(empire.Harms, text)) {
		return fmt.Errorf("%q is no harm; write seen, possible, unknown or any", text)
	}
	*f = failOn(text)
	return nil
}

// includes tells whether harm of that severity is enough.
func (f failOn) includes(severity int) bool {
	return f == failOnAny || severity <= slices.Index(empire.Harms, string(f))
}

// addFailOn defines the flag of a command, and returns what the exit status for a result is: by
// verdict where the query is named and the flag is not given, else by harm.
func addFailOn(cmd *cobra.Command, query *queryFlags) func(*empire.Result) error {
	least := failOn(empire.HarmPossible)
	cmd.Flags().Var(&least, "fail-on", "exit with 1 if a violation does this `harm` or worse: seen, possible, unknown, "+
		"or any; that is what it is with --strict, and where flags such as --type say what to check")
	return func(r *empire.Result) error {
		switch {
		case query.isGiven("fail-on"):
		case query.isNamed():
			return exitStatus(verdictOf(r))
		case query.request.Strict:
			least = failOnAny
		}
		return exitStatus(verdictByHarm(r, least, !query.isGiven("scenario") && !query.isGiven("pattern")))
	}
}

// naming is the flags that name a query.
var naming = []string{"type", "fields", "vars", "site", "scenario", "pattern"}

// isNamed tells whether the flags name a query.
func (q *queryFlags) isNamed() bool { return slices.ContainsFunc(naming, q.isGiven) }

// verdictByHarm is VerdictViolation if a violation or something about blocking does the least harm or
// worse, or if races count and one is an error; else VerdictUnknown if there is anything that is
// unknown, or that does less harm but some; else VerdictSafe. Notes have no effect.
func verdictByHarm(r *empire.Result, least failOn, races bool) string {
	found, unknown := false, false
	add := func(severity int) {
		found = found || least.includes(severity)
		unknown = unknown || severity < slices.Index(empire.Harms, empire.HarmNone)
	}
	for _, q := range r.Queries {
		unknown = unknown || q.Verdict == empire.VerdictUnknown
		for _, s := range q.Scenarios {
			unknown = unknown || s.Verdict == empire.VerdictUnknown
		}
		for _, s := range q.Violations() {
			if s.Level != "note" && s.Accepted == nil {
				add(s.Harm.Severity())
			}
		}
		if races && q.DataRace {
			unknown = unknown || len(q.Races) == 0
			for _, race := range q.Races {
				if race.Accepted == nil {
					unknown = true
					add(race.Severity())
				}
			}
		}
	}
	for _, b := range r.Blocking {
		for _, f := range b.Findings {
			if f.Accepted == nil {
				add(f.Harm.Severity())
			}
		}
	}
	switch {
	case found:
		return empire.VerdictViolation
	case unknown:
		return empire.VerdictUnknown
	}
	return empire.VerdictSafe
}
