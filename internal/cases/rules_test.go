package cases_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/empire-go/empire-go/frontend/rules"
	"github.com/empire-go/empire-go/internal/cases"
)

// TestRules holds each precision rule to its two programs: what is safe in the one rests on the
// rule, and the other, which looks alike, has a violation.
func TestRules(t *testing.T) {
	names := map[string]bool{}
	for _, r := range rules.Table {
		for what, text := range map[string]string{
			"name": r.Name, "claim": r.Claim, "reason": r.Reason, "room": r.Room, "case": r.Case, "near miss": r.NearMiss,
		} {
			if text == "" {
				t.Errorf("%s: the rule has no %s: write one in frontend/rules", r.Name, what)
			}
		}
		if names[r.Name] || strings.Contains(r.Name, ",") {
			t.Errorf("%s: the name is not its own, or has a comma", r.Name)
		}
		names[r.Name] = true
		t.Run(r.Name, func(t *testing.T) {
			t.Parallel()
			if used := rulesOf(t, r.Case); !slices.Contains(used, r.Name) {
				t.Errorf("nothing in testdata/%s rests on the rule, but on %q", r.Case, used)
			}
			c, err := cases.Read("testdata/" + r.NearMiss + "/case.yaml")
			if err != nil {
				t.Fatal(err)
			}
			if !slices.ContainsFunc(c.Queries, func(q cases.Query) bool { return len(q.Expect) > 0 }) {
				t.Errorf("testdata/%s has no violation: it is no near miss", r.NearMiss)
			}
		})
	}
}

// rulesOf returns the rules that the models of a case rest on.
func rulesOf(t *testing.T, name string) (used []string) {
	t.Helper()
	for _, a := range answers(t, "testdata/"+name+"/case.yaml") {
		if a.Err != nil {
			t.Fatal(a.Err)
		}
		for _, got := range a.Result.Queries {
			used = append(used, got.RestsOn...)
		}
	}
	slices.Sort(used)
	return slices.Compact(used)
}
