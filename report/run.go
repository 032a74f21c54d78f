package report

import (
	"fmt"
	"io"
	"slices"

	empire "github.com/empire-go/empire-go"
)

// RunText is Text for an answer about a run: the violations that were seen, in the same
// form, then what the run consisted of.
func RunText(w io.Writer, r *empire.Result, o TextOptions) error {
	t := newTextWriter(w, r, o)
	for i := range r.Queries {
		q := &r.Queries[i]
		stories := storiesOf(q, t.names)
		if len(stories) == 0 {
			continue
		}
		t.printf("%s\n\n", t.paint(bold, t.subject(q)))
		t.violations(stories)
	}
	t.run(r)
	return t.out.Flush()
}

// run says what a run consisted of, and how many violations were seen.
func (t *textWriter) run(r *empire.Result) {
	if s := r.Run; s != nil {
		t.item("run", bold, fmt.Sprintf("%s of %s in %s; %s of them to objects that no other goroutine could reach; at "+
			"most %s; %.1f units deep on average",
			plural(int(s.Events), "access", "accesses"), plural(int(s.Units), "unit of work", "units of work"),
			count(s.Goroutines, "goroutine"), fmt.Sprint(s.Private), count(s.MaxTuples, "tuple"), s.AverageDepth))
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

// seen says how many violations were seen.
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
	if violations == 0 {
		t.printf("no violation seen in this run, of %s%s\n", count(len(r.Queries), "atomic set"), notes)
		return
	}
	t.printf("%s seen in this run%s\n", count(violations, "violation"), notes)
}
