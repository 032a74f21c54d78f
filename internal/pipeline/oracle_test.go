package pipeline_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/empire-go/empire-go/frontend/execute"
	"github.com/empire-go/empire-go/frontend/harness"
	"github.com/empire-go/empire-go/frontend/query"
	"github.com/empire-go/empire-go/internal/cases"
	"github.com/empire-go/empire-go/internal/sample"
	"github.com/empire-go/empire-go/scenarios"
)

// oracleCount is what the oracle did with the cases.
type oracleCount struct {
	programs, queries, expected, seen int
	skipped                           map[string]int
	missed                            []string
}

// TestOracle runs the cases under many schedules. What they are seen to do may not be
// called safe: TestCases holds the checker to the expectations that are compared here. It takes
// one case of four, with EMPIRE_LONG set or EMPIRE_ORACLE all of them, and with EMPIRE_LONG more
// than twenty times as many schedules of each.
func TestOracle(t *testing.T) {
	budget := execute.Budget{Runs: 60, Random: 40, Time: 40 * time.Millisecond}
	if os.Getenv("EMPIRE_LONG") != "" {
		budget = execute.Budget{Runs: 1500, Random: 1500, Time: 500 * time.Millisecond}
	}
	count := oracleCount{skipped: map[string]int{}}
	for _, group := range []struct {
		pattern string
		load    func() (cases.Programs, error)
	}{
		{cases.Own, cases.OwnPrograms},
		{cases.Contest, func() (cases.Programs, error) { return cases.Load(cases.Contest) }},
	} {
		pattern, load := group.pattern, sync.OnceValues(group.load)
		if only := os.Getenv("EMPIRE_ORACLE"); only != "" { // a name, or a pattern for several
			pattern = strings.Replace(pattern, "*/", only+"/", 1)
			load = sync.OnceValues(func() (cases.Programs, error) { return cases.Load(pattern) })
		}
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if os.Getenv("EMPIRE_ORACLE") == "" && !sample.Has(t.Name(), file, 4) {
				continue
			}
			count.check(t, file, load, budget)
		}
	}
	count.log(t)
}

func (c *oracleCount) log(t *testing.T) {
	t.Logf("%d programs, %d queries executed; %d of %d violations seen", c.programs, c.queries, c.seen, c.expected)
	var reasons []string
	for why, n := range c.skipped {
		reasons = append(reasons, fmt.Sprintf("%4d %s", n, why))
	}
	slices.Sort(reasons)
	slices.Reverse(reasons)
	t.Logf("queries skipped:\n%s", strings.Join(reasons, "\n"))
	t.Logf("violations not seen:\n%s", strings.Join(c.missed, "\n"))
}

// check runs the program of one case file.
func (c *oracleCount) check(t *testing.T, file string, load func() (cases.Programs, error),
	budget execute.Budget) {
	asked := read(t, file)
	if asked.Oracle != "" {
		c.skipped[asked.Oracle]++
		return
	}
	ran := false
	for _, q := range asked.Queries {
		entries := programsOf(t, file, load)
		if why := beyondOracle(asked, q, entries); why != "" {
			c.skipped[why]++
			continue
		}
		report, err := executeQuery(q, entries[0], budget)
		var unsupported *execute.Unsupported
		if errors.As(err, &unsupported) {
			c.skipped[unsupported.Error()]++
			if os.Getenv("EMPIRE_ORACLE") != "" {
				t.Logf("%s: %s", file, err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if report.Objects == 0 {
			c.skipped["no object was made at the site"]++
			if os.Getenv("EMPIRE_ORACLE") != "" {
				t.Logf("%s: %s no object", file, q.Site)
			}
			continue
		}
		ran = true
		c.queries++
		c.compare(t, file, q, report)
	}
	if ran {
		c.programs++
	}
}

// beyondOracle says why the oracle does not run a query, "" if it does.
func beyondOracle(c cases.File, q cases.Query, entries []harness.Entry) string {
	switch {
	case len(entries) != 1 || len(entries[0].Limits) > 0:
		return "not a main package"
	case c.Tests:
		return "tests"
	case q.Units != "" && q.Units != "auto":
		return "other units"
	case q.Site == "" && len(q.Vars) == 0:
		return "no site"
	case len(q.Concurrent) > 0:
		return "callbacks that the user names"
	}
	return ""
}

// executeQuery searches the runs of a program for the scenarios of a query.
func executeQuery(q cases.Query, e harness.Entry, budget execute.Budget) (*execute.Report, error) {
	s := &execute.Subject{Strict: q.Strict}
	if len(q.Vars) > 0 {
		subject, err := query.ResolveVars(e.Program, q.Vars)
		if err != nil {
			return nil, err
		}
		s.Fields = subject.Fields
		for _, f := range subject.Fields {
			s.Vars = append(s.Vars, subject.Vars[f])
		}
	} else {
		subject, err := query.ResolveSubject(e.Program, q.Type, q.Fields)
		if err != nil {
			return nil, err
		}
		s.Type, s.Fields = subject.Type, subject.Fields
	}
	if err := placeOf(s, q.Site); err != nil {
		return nil, err
	}
	return execute.Search(execute.New(e.Main, e.Program.Embedded), s, budget)
}

// placeOf fills in where the object is made.
func placeOf(s *execute.Subject, site string) error {
	place, path, _ := strings.Cut(site, "#")
	parts := strings.Split(place, ":")
	s.Path = path
	switch {
	case site == "":
	case len(parts) == 1:
		s.Global = place
	case len(parts) > 2:
		return &execute.Unsupported{What: "a site with a column"}
	default:
		line, err := strconv.Atoi(parts[1])
		if err != nil {
			return err
		}
		s.File, s.Line = parts[0], line
	}
	return nil
}

// compare reports what was seen though it should be safe.
func (c *oracleCount) compare(t *testing.T, file string, q cases.Query, r *execute.Report) {
	for _, s := range scenarios.Table {
		_, expected := q.Expect[s.Number]
		_, beyond := q.Unknown[s.Number]
		f, seen := r.Findings[s.Number]
		switch {
		case expected:
			c.expected++
			if seen {
				c.seen++
			} else {
				c.missed = append(c.missed, fmt.Sprintf("%s %s: %d (%d runs, %d objects, %d events, %v)", file, q.Site, s.Number,
					r.Runs, r.Objects, r.Events, r.Ended))
			}
		case seen && !beyond && (s.Number != scenarios.ConflictCycle || len(q.Expect) == 0):
			t.Errorf("%s: %s at %s: scenario %d should be safe, and happens with the schedule %v:%s", file, q.Type, q.Site,
				s.Number, f.Schedule, f.Text)
		}
	}
}
