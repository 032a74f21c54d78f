// Package report renders an empire.Result: as text for people, as JSON for
// scripts, as SARIF for code hosts, as an HTML page, as a DOT graph for Graphviz.
// Each format is a function from the one
// result value to bytes; a result that was saved as JSON can be read and rendered
// again.
//
// Rendering is deterministic: the same result gives the same bytes. The only
// input besides the result is the source files below Result.ModuleRootDir, whose
// lines are shown beside the steps of a counterexample; files that cannot be read
// are left out. The package knows no Go semantics and decides nothing.
package report

import (
	"encoding/json"
	"fmt"
	"io"

	empire "github.com/empire-go/empire-go"
)

// Schema is the version of the JSON form that this package writes and reads.
const Schema = 1

// JSON writes r as one indented JSON object and a newline, with the causes of its
// violations.
func JSON(w io.Writer, r *empire.Result) error {
	filled := withoutNulls(*r)
	SetCauses(&filled)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false) // source text and type names hold < and >
	enc.SetIndent("", "  ")
	return enc.Encode(filled)
}

// SetCauses puts the causes of the violations into r: of those that have not been accepted.
func SetCauses(r *empire.Result) {
	r.Causes = nil
	for _, c := range causesOf(r, newNames(r), false) {
		told := empire.Cause{
			ID: c.id(), Type: c.shown().query.Type, Unit: c.unit, Level: c.shown().scenario.Level, Violations: len(c.stories),
			Shown: c.shown().scenario.ID,
		}
		if h := c.shown().scenario.Harm; h != nil {
			told.Harm = h.Status
		}
		r.Causes = append(r.Causes, told)
		for _, st := range c.stories {
			st.scenario.Cause = c.id()
		}
	}
}

// fromJSON reads what JSON wrote. Unknown fields are ignored, because fields may
// be added. ModuleRootDir is not part of the JSON: set it to have source lines.
func fromJSON(text []byte) (*empire.Result, error) {
	var r empire.Result
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, fmt.Errorf("not a saved result: %w", err)
	}
	if r.Schema != Schema {
		return nil, fmt.Errorf("not a saved result: schema is %d; write a result of schema %d, as printed by --format json",
			r.Schema, Schema)
	}
	return &r, nil
}

// withoutNulls returns r with empty lists in the place of nil ones, which JSON
// would write as null. It copies what it changes.
func withoutNulls(r empire.Result) empire.Result {
	r.Errors = list(r.Errors)
	r.Invocation.Packages = list(r.Invocation.Packages)
	r.Queries = append([]empire.QueryResult{}, r.Queries...)
	for i := range r.Queries {
		q := &r.Queries[i]
		q.Fields = list(q.Fields)
		q.Assumptions = list(q.Assumptions)
		q.Race = stepsWithoutNulls(q.Race)
		q.Races = append([]empire.Race(nil), q.Races...)
		for j := range q.Races {
			q.Races[j].Accesses = stepsWithoutNulls(q.Races[j].Accesses)
		}
		q.Scenarios = append([]empire.ScenarioResult{}, q.Scenarios...)
		for j := range q.Scenarios {
			q.Scenarios[j].Others = append([]empire.ScenarioResult(nil), q.Scenarios[j].Others...)
		}
		for j := range q.Scenarios {
			q.Scenarios[j].Counterexample = stepsWithoutNulls(q.Scenarios[j].Counterexample)
		}
		for _, v := range q.Violations() {
			v.Counterexample = stepsWithoutNulls(v.Counterexample)
		}
	}
	return r
}

func stepsWithoutNulls(steps []empire.Step) []empire.Step {
	steps = append([]empire.Step(nil), steps...)
	for i := range steps {
		steps[i].Stack = list(steps[i].Stack)
	}
	return steps
}

func list[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
