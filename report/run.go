package report

import (
	"fmt"
	"io"
	"slices"

	empire "github.com/empire-go/empire-go"
)

// RunText is Text for an answer about a run: the violations that were seen, in the same
// form, one for each cause, then what the run consisted of.
func RunText(w io.Writer, r *empire.Result, o TextOptions) error {
	t := newTextWriter(w, r, o)
	t.causes = causesOf(r, t.names, false)
	if t.isFolded() && len(r.Queries) > 1 {
		t.causeList()
	}
	for _, q := range inOrder(r, t.causes) {
		if stories := storiesOf(q, t.names); len(stories) > 0 && t.hasToldIn(q) {
			t.printf("%s\n\n", t.paint(bold, t.subject(q)))
			t.told(q, stories)
		}
	}
	t.dataRaces()
	t.run(r)
	return t.out.Flush()
}

// run says what a run consisted of, and how many violations were seen.
func (t *textWriter) run(r *empire.Result) {
	if s := r.Run; s != nil {
		t.item("run", bold, consisted(s))
	}
	var known []empire.Assumption
	for _, q := range r.Queries {
		for _, a := range q.Assumptions {
			if a.Kind != "data race" && !slices.Contains(known, a) {
				known = append(known, a)
				t.item("assumed", yellow, a.Text)
			}
		}
	}
	t.seen(r)
}

// dataRaces tells the data races of the run.
func (t *textWriter) dataRaces() {
	for i := range t.result.Blocking {
		open := openIn(&t.result.Blocking[i])
		for k, f := range open {
			t.blockingFinding(f, k, len(open))
		}
	}
}

// consisted says what a run consisted of, as far as it was recorded.
func consisted(s *empire.RunStats) string {
	left := ""
	if s.Reduced {
		if s.Events == 0 {
			return fmt.Sprintf("%s; no access was recorded, as the program leaves out those that can be a part of no pattern",
				count(s.Goroutines, "goroutine"))
		}
		left = ", without those that the program has left out, as they can be a part of no pattern"
	}
	return fmt.Sprintf("%s of %s in %s%s; %d of them to objects that no other goroutine could reach; at most %s; "+
		"%.1f units deep on average",
		plural(int(s.Events), "access", "accesses"), plural(int(s.Units), "unit of work", "units of work"),
		count(s.Goroutines, "goroutine"), left, s.Private, count(s.MaxTuples, "tuple"), s.AverageDepth)
}

// hasToldIn tells whether a violation of a query is told in full.
func (t *textWriter) hasToldIn(q *empire.QueryResult) bool {
	return !t.isFolded() || slices.ContainsFunc(t.causes, func(c *cause) bool { return c.shown().query == q })
}

// seen says how many violations were seen, of how many causes, and in how much of the run.
func (t *textWriter) seen(r *empire.Result) {
	violations, n, notes := 0, 0, ""
	for _, q := range r.Queries {
		for _, s := range q.Scenarios {
			switch {
			case s.Level == "note":
				n++
			case s.Verdict == empire.VerdictViolation:
				violations++
			}
		}
	}
	if n > 0 {
		notes = ", " + count(n, "note")
	}
	where := "this run"
	if !r.Run.IsWhole() {
		where = "the part of this run that could be read"
	}
	races := ""
	if len(r.Blocking) > 0 {
		if races = "no data race"; len(openFindings(r)) > 0 {
			races = count(len(openFindings(r)), "data race")
		}
		if len(r.Queries) == 0 {
			t.printf("%s seen in %s\n", races, where)
			return
		}
		races = "; " + races
	}
	if violations == 0 {
		t.printf("no violation seen in %s; %s watched%s%s\n", where, count(len(r.Queries), "atomic set"), notes, races)
		return
	}
	of := ""
	if n := countErrors(t.causes); n < violations {
		of = " of " + count(n, "cause")
	}
	t.printf("%s%s seen in %s%s%s\n", count(violations, "violation"), of, where, notes, races)
}
