// Package steer tries to make a program do what a static counterexample says. It builds the
// program instrumented, runs it with its goroutines under the control of the scheduler in
// package hook, and asks the race automata whether the scenario was there.
//
//	script     counterexample -> what the scheduler follows
//	attempts   which ways of following it are tried, in which order
//	run        one run of the program: its trace, what the scheduler chose
//	judge      is the violation in the trace?
//	search     the runs for one violation: led ones, then some with noise that nobody leads
//	schedule   the file with which a run is repeated
//	harm       does a run of two calls of a library do what no order of the calls does?
//	laboratory    carries out experiments: calls before, the two calls by a schedule or in order
//	outcome       what the orders come to, up to what varies by itself
//	harmsearch    starts and schedules that are tried
//	harmwords     what a harmful run has done, against what was to be expected
//
// A violation is confirmed only if the automata accept, on the trace of a run that happened,
// the same scenario with the same units and locations. What is not confirmed is not refuted:
// another input, more time, or a schedule that was not tried may show it.
package steer

import empire "github.com/empire-go/empire-go"

// The values of empire.Confirmation.Status.
const (
	Confirmed    = empire.Confirmed
	NotConfirmed = empire.NotConfirmed
	NotTried     = empire.NotTried
)

// Violation is one violation of a static result.
type Violation struct {
	Query    *empire.QueryResult
	Scenario *empire.ScenarioResult
}

// Violations returns the violations of a result, in their order.
func Violations(r *empire.Result) []Violation {
	var all []Violation
	for i := range r.Queries {
		q := &r.Queries[i]
		for j := range q.Scenarios {
			if s := &q.Scenarios[j]; s.Verdict == empire.VerdictViolation {
				all = append(all, Violation{q, s})
			}
		}
	}
	return all
}
