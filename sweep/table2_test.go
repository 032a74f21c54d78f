package sweep

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	empire "github.com/empire-go/empire-go"
)

// TestTable2 answers the queries of the Empire report's Table 2 for the Go versions of its
// programs: each true violation of the report is found in the same scenario, the programs
// that ran out of memory there come to their ends, and reduction leaves less than 5 % of
// the instructions. The table in README.md is this one.
func TestTable2(t *testing.T) {
	text, err := os.ReadFile("../testdata/contest/table2.yaml")
	if err != nil {
		t.Fatal(err)
	}
	spec, err := ParseSpec(text)
	if err != nil {
		t.Fatal(err)
	}
	r := empire.Request{Dir: "..", Packages: spec.Packages}
	session, err := empire.Open(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	var items []Item
	for _, q := range spec.Queries {
		requests, err := q.Requests(r)
		if err != nil || len(requests) != 1 {
			t.Fatalf("%s: %v, %d requests", q.Name, err, len(requests))
		}
		items = append(items, Item{Request: requests[0], Name: q.Name, Reference: q.Reference})
	}
	table, err := Run(t.Context(), session, items, Options{})
	if err != nil || len(table.Errors) > 0 || len(table.Rows) != 10 {
		t.Fatalf("%v, %d rows, errors %q", err, len(table.Rows), table.Errors)
	}
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range table.Rows {
		q, ref := row.Query, row.Reference
		var found []string
		for _, s := range violated(q) {
			found = append(found, strconv.Itoa(s.Scenario))
		}
		if q.Verdict != empire.VerdictViolation {
			t.Errorf("%s: %s", row.Name, q.Verdict)
		}
		if ref.Verdict == "T" && !slices.Contains(found, ref.Scenario) {
			t.Errorf("%s: scenarios %v, in the report %s", row.Name, found, ref.Scenario)
		}
		if m := q.Model; 20*m.KeptInstructions >= m.Instructions {
			t.Errorf("%s: %d of %d instructions are left", row.Name, m.KeptInstructions, m.Instructions)
		}
		// How many instructions a program has depends on the version of the standard library.
		want := fmt.Sprintf("| %s | %s | %s of %s | %s | %s | %d of %d,000 | %s |", row.Name, ref.Name, ref.KeptInstructions,
			ref.Instructions,
			ref.Time, ref.Scenario, q.Model.KeptInstructions, (q.Model.Instructions+500)/1000, strings.Join(found, ", "))
		if !strings.Contains(string(readme), want) {
			t.Errorf("README.md has no line\n%s", want)
		}
	}
}
