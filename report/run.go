package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"

	empire "github.com/empire-go/empire-go"
)

// RunText is Text for an answer about a run: the violations that were seen, in the same
// form, then what the run consisted of.
func RunText(w io.Writer, r *empire.Result, o TextOptions) error {
	if o.Width == 0 {
		o.Width = DefaultWidth
	}
	o.Width = max(o.Width, MinWidth)
	out := bufio.NewWriter(w)
	t := &textWriter{out, r, o, newNames(r), newSources(r.ModuleRootDir)}
	for i := range r.Queries {
		q := &r.Queries[i]
		if q.Verdict != empire.VerdictViolation {
			continue
		}
		t.printf("%s\n\n", t.paint(bold, t.subject(q)))
		stories := storiesOf(q, t.names)
		if len(stories) >= manyViolations {
			t.overview(stories)
		}
		for i, st := range stories {
			t.violation(st, i+1, len(stories))
		}
	}
	t.run(r)
	return out.Flush()
}

// run says what a run consisted of, and how many violations were seen.
func (t *textWriter) run(r *empire.Result) {
	if s := r.Run; s != nil {
		t.item("run", bold, fmt.Sprintf("%s of %s in %s; %s of them to objects that no other goroutine could reach; at most %s; %.1f units deep on average",
			plural(int(s.Events), "access", "accesses"), plural(int(s.Units), "unit of work", "units of work"), count(s.Goroutines, "goroutine"), fmt.Sprint(s.Private), count(s.MaxTuples, "tuple"), s.AverageDepth))
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
	seen, sets := 0, 0
	for _, q := range r.Queries {
		for _, s := range q.Scenarios {
			if s.Verdict == empire.VerdictViolation {
				seen++
			}
		}
		sets++
	}
	if seen == 0 {
		t.printf("no violation seen in this run, of %s\n", count(sets, "atomic set"))
		return
	}
	t.printf("%s seen in this run\n", count(seen, "violation"))
}
