package command

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	empire "github.com/empire-go/empire-go"
)

// TestStatus checks the exit status by harm. A case is the answers: the harm of a violation, "nil"
// where nobody has looked for it, "safe", "undecided", "note", or a data race with its level and
// harm; and what is expected for --fail-on seen, possible, unknown and any.
func TestStatus(t *testing.T) {
	for answers, want := range map[string]string{
		"":                            "0 0 0 0",
		"safe":                        "0 0 0 0",
		"undecided":                   "3 3 3 3",
		"seen":                        "1 1 1 1",
		"possible":                    "3 1 1 1",
		"unknown":                     "3 3 1 1",
		"nil":                         "3 3 1 1",
		"none":                        "0 0 0 1",
		"safe none none":              "0 0 0 1",
		"none undecided":              "3 3 3 1",
		"unknown possible":            "3 1 1 1",
		"none seen":                   "1 1 1 1",
		"note":                        "0 0 0 0",
		"note undecided":              "3 3 3 3",
		"known-seen":                  "0 0 0 0",
		"known-seen undecided":        "3 3 3 3",
		"known-seen possible":         "3 1 1 1",
		"race":                        "3 3 3 3",
		"race-error-seen":             "1 1 1 1",
		"race-error-possible":         "3 1 1 1",
		"race-error-unknown":          "3 1 1 1",
		"race-warning-unknown":        "3 3 1 1",
		"none race-warning-unknown":   "3 3 1 1",
		"unknown race-error-possible": "3 1 1 1",
	} {
		r := answered(strings.Fields(answers))
		var got []string
		for _, text := range []string{"seen", "possible", "unknown", "any"} {
			var least failOn
			if err := least.Set(text); err != nil {
				t.Fatal(err)
			}
			got = append(got, statusNumber(exitStatus(verdictByHarm(r, least, true))))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %s, want %s", answers, strings.Join(got, " "), want)
		}
		if !strings.Contains(answers, "race") && statusNumber(exitStatus(verdictOf(r))) != got[3] {
			t.Errorf("%q: any violation is %s, the verdict is %s", answers, got[3], r.Verdict)
		}
		if strings.HasPrefix(answers, "race") && verdictByHarm(r, failOnAny, false) != empire.VerdictSafe {
			t.Errorf("%q: counts where it must not", answers)
		}
	}
}

// TestStatusRule checks which flags decide by verdict, and what --strict implies: for a violation
// that does no harm, and a data race.
func TestStatusRule(t *testing.T) {
	for line, want := range map[string]string{
		"":                                "0 1",
		"--strict":                        "1 1",
		"--strict --fail-on possible":     "0 1",
		"--fail-on any":                   "1 1",
		"--type T":                        "1 0",
		"--fields a":                      "1 0",
		"--vars p.a":                      "1 0",
		"--site f.go:3":                   "1 0",
		"--scenario 9":                    "1 0",
		"--pattern 11":                    "1 0",
		"--type T --strict":               "1 0",
		"--type T --fail-on possible":     "0 1",
		"--scenario 9 --fail-on possible": "0 0",
		"--unit p.F --copies 3":           "0 1",
	} {
		var got []string
		for _, answers := range []string{"none", "race-error-possible"} {
			cmd := &cobra.Command{}
			query := addQueryFlags(cmd)
			statusOf := addFailOn(cmd, query)
			if err := cmd.ParseFlags(strings.Fields(line)); err != nil {
				t.Fatal(err)
			}
			got = append(got, statusNumber(statusOf(answered([]string{answers}))))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("check %s: %s, want %s", line, strings.Join(got, " "), want)
		}
	}
}

// statusNumber is the exit status in digits.
func statusNumber(err error) string {
	var s status
	errors.As(err, &s)
	return strconv.Itoa(int(s))
}

// answered is a result with one query for each answer.
func answered(answers []string) *empire.Result {
	r := &empire.Result{Verdict: empire.VerdictSafe}
	for _, answer := range answers {
		q := empire.QueryResult{Verdict: empire.VerdictSafe}
		s := empire.ScenarioResult{Verdict: empire.VerdictViolation, Level: "error"}
		switch race := strings.Split(answer, "-"); {
		case race[0] == "race":
			s.Verdict, q.DataRace = empire.VerdictSafe, true
			if len(race) == 3 {
				q.Races = []empire.Race{{Level: race[1], Harm: &empire.Harm{Status: race[2]}}}
			}
		case race[0] == "known":
			q.Verdict, s.Harm = empire.VerdictViolation, &empire.Harm{Status: race[1]}
			s.Accepted = &empire.Acceptance{By: empire.AcceptedByBaseline}
		case answer == "safe":
			s.Verdict = empire.VerdictSafe
		case answer == "undecided":
			s.Verdict, q.Verdict = empire.VerdictUnknown, empire.VerdictUnknown
		case answer == "note":
			s.Level, s.Harm = "note", &empire.Harm{Status: empire.HarmSeen}
		case answer == "nil":
			q.Verdict = empire.VerdictViolation
		default:
			q.Verdict, s.Harm = empire.VerdictViolation, &empire.Harm{Status: answer}
		}
		q.Scenarios = []empire.ScenarioResult{s}
		r.Queries = append(r.Queries, q)
		switch {
		case q.Verdict == empire.VerdictViolation || r.Verdict == empire.VerdictViolation:
			r.Verdict = empire.VerdictViolation
		case q.Verdict == empire.VerdictUnknown:
			r.Verdict = empire.VerdictUnknown
		}
	}
	return r
}
