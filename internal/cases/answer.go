package cases

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/empire-go/empire-go/internal/pipeline"
	"github.com/empire-go/empire-go/scenarios"
)

// Answer is a query of a case file with what the pipeline says.
type Answer struct {
	Query  Query
	Result *pipeline.Result
	Err    error
}

// Ask answers the queries of a case file about the programs beside it.
func (p Programs) Ask(ctx context.Context, file, engine string) (all []Answer, err error) {
	c, err := Read(file)
	if err != nil {
		return nil, err
	}
	for _, q := range c.Queries {
		r := q.Request(file)
		r.Engine = engine
		r.Memory = 4 * pipeline.DefaultMemory // it is that of the process, which has many programs
		if q.Long && os.Getenv("EMPIRE_LONG") == "" {
			r.Scenarios = slices.DeleteFunc(slices.Clone(scenarios.Table), func(s scenarios.Scenario) bool {
				_, violated := q.Expect[s.Number]
				return !violated
			})
		}
		a := Answer{Query: q, Err: r.Normalize()}
		if a.Err == nil {
			a.Result, a.Err = pipeline.AnswerAbout(ctx, r, p.Of(file))
		}
		all = append(all, a)
	}
	return all, nil
}

// Differences tells where the answer is not what the case file expects.
func (a Answer) Differences() (all []string) {
	if a.Err != nil {
		return []string{fmt.Sprintf("%s at %s: %v", a.Query.Type, a.Query.Site, a.Err)}
	}
	for _, got := range a.Result.Queries {
		all = append(all, a.Query.differences(got)...)
	}
	if len(a.Result.Queries) == 0 {
		all = append(all, fmt.Sprintf("%s at %s: no query was answered: %v", a.Query.Type, a.Query.Site, a.Result.Errors))
	}
	return all
}

// differences tells where an answer is not what is expected.
func (q Query) differences(got pipeline.QueryResult) (all []string) {
	differ := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	at := fmt.Sprintf("%s {%s} at %s", got.Type, strings.Join(got.Fields, ","), got.Site)
	if q.DataRace != nil && *q.DataRace != got.DataRace {
		differ("%s: dataRace is %v, want %v", at, got.DataRace, *q.DataRace)
	}
	counts := slices.ContainsFunc(got.Races, func(r pipeline.Race) bool { return r.Level == "error" })
	if q.Counts != nil && *q.Counts != counts {
		differ("%s: that a data race counts is %v, want %v", at, counts, *q.Counts)
	}
	if q.Verdict != "" && q.Verdict != got.Verdict {
		differ("%s: the verdict is %s, want %s", at, got.Verdict, q.Verdict)
	}
	for _, s := range got.Scenarios {
		verdict := pipeline.VerdictSafe
		expected, violated := q.Expect[s.Scenario]
		if violated {
			verdict = pipeline.VerdictViolation
		} else if _, beyond := q.Unknown[s.Scenario]; beyond {
			verdict = pipeline.VerdictUnknown
		}
		if s.Verdict != verdict {
			differ("%s: scenario %d is %s, want %s%s", at, s.Scenario, s.Verdict, verdict, Evidence(s))
			continue
		}
		if !violated {
			continue
		}
		if expected.Pattern != 0 && (s.Pattern == nil || *s.Pattern != expected.Pattern) {
			differ("%s: scenario %d by pattern %d, want %d", at, s.Scenario, deref(s.Pattern), expected.Pattern)
		}
		if level := cmp.Or(expected.Level, "error"); s.Level != level {
			differ("%s: scenario %d has level %s, want %s%s", at, s.Scenario, s.Level, level, Evidence(s))
		}
		if expected.Harm != "" && (s.Harm.Status != expected.Harm || !strings.Contains(s.Harm.Actual, expected.Does)) {
			differ("%s: scenario %d has harm %s %q, want %s %q%s", at, s.Scenario, s.Harm.Status, s.Harm.Actual+s.Harm.Reason,
				expected.Harm, expected.Does, Evidence(s))
		}
		if units := ShortNames(s.Units); len(expected.Units) > 0 && !slices.Equal(units, expected.Units) {
			differ("%s: scenario %d between %q, want %q%s", at, s.Scenario, units, expected.Units, Evidence(s))
		}
	}
	return all
}

// deref returns the number of a pattern, 0 for none.
func deref(pattern *int) int {
	if pattern == nil {
		return 0
	}
	return *pattern
}
