package dynamic

import (
	"runtime"

	empire "github.com/empire-go/empire-go"
)

// nothingSeen is why nothing is known where no violation was seen.
const nothingSeen = "no pattern occurs in this run; another one may have it"

// nothingRead is the same where the record of the run could not be read to its end.
const nothingRead = "no pattern occurs in the part of the run that could be read"

// Result puts a report into the form that is rendered: an answer for each set that was
// watched. Notes have no effect on its verdict.
func (r *Report) Result() *empire.Result {
	result := &empire.Result{
		Schema: 1, Tool: empire.Tool{Name: empire.Name, Version: empire.Version},
		Invocation: empire.Invocation{
			Dir: ".", Packages: []string{}, Go: r.Header.GoVersion,
			Policies: empire.Policies{Units: r.Plan.Policy.Units, UnitFor: r.Plan.Policy.UnitFor, Strict: r.Plan.Policy.Strict},
		},
		ModuleRoot: r.Plan.Module, ModuleRootDir: r.Header.Root, Verdict: empire.VerdictUnknown,
		Errors: []string{}, Queries: []empire.QueryResult{}, Run: &r.Stats,
	}
	if result.Invocation.Go == "" {
		result.Invocation.Go = runtime.Version()
	}
	reason := nothingSeen
	if !r.Stats.IsWhole() {
		reason = nothingRead
	}
	for i, set := range r.Plan.Sets {
		q := empire.QueryResult{
			Type: set.Type, Fields: set.Fields, Verdict: empire.VerdictUnknown, Reason: reason,
			Assumptions: []empire.Assumption{}, Scenarios: []empire.ScenarioResult{},
		}
		if r.Plan.NoFacts != "" {
			q.Assumptions = append(q.Assumptions, empire.Assumption{Kind: "facts", Text: "every read counts as long as its " +
				"unit lasts, because nothing is known of the code: " + r.Plan.NoFacts})
		}
		if r.Races == nil {
			q.Assumptions = append(q.Assumptions, empire.Assumption{Kind: "data race", Text: "a run is not searched for data " +
				"races here; --class atomicity,data-race does that, too"})
		}
		for _, f := range r.Findings {
			if f.Set != i {
				continue
			}
			q.Scenarios, q.Reason = append(q.Scenarios, f.Violation), ""
			if f.Violation.Level != "note" {
				q.Verdict, result.Verdict = empire.VerdictViolation, empire.VerdictViolation
			}
		}
		result.Queries = append(result.Queries, q)
	}
	if r.Races != nil {
		result.Blocking = []empire.BlockingResult{*DataRaces(r.Races, r.Header.Root)}
		if result.Blocking[0].Verdict == empire.VerdictViolation {
			result.Verdict = empire.VerdictViolation
		}
	}
	return result
}
