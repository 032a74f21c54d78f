package report

import (
	"fmt"
	"slices"
	"strings"

	empire "github.com/empire-go/empire-go"
)

// asksAboutRaces tells whether data races are all that a query asks about, of all memory that goroutines share.
func asksAboutRaces(q *empire.QueryResult) bool { return q.Class == dataRace }

// racing returns the fields of a query that are in a data race.
func racing(q *empire.QueryResult) (fields []string) {
	for _, r := range q.Races {
		for _, a := range r.Accesses {
			name := strings.TrimSuffix(strings.TrimSuffix(a.Location, empire.PartSuffix), empire.HeldSuffix)
			if slices.Contains(q.Fields, name) && !slices.Contains(fields, name) {
				fields = append(fields, name)
			}
		}
	}
	slices.Sort(fields)
	return fields
}

// raceQuery writes the answer to a query about data races: what is in one, and what is not, or is not known to be.
func (t *textWriter) raceQuery(q *empire.QueryResult) {
	told := *q
	if q.Verdict == empire.VerdictViolation {
		if fields := racing(q); len(fields) > 0 {
			told.Fields = fields
		}
	}
	t.printf("%s\n", t.paint(bold, t.subject(&told)))
	if source := t.sources.line(q.Site); source != "" {
		t.printf("  %s  %s\n", fileLine(q.Site), source)
	}
	t.printf("\n")
	t.toldElsewhere(q)
	t.accepted(q)
	if q.Verdict == empire.VerdictUnknown {
		t.item("unknown", yellow, q.Reason)
	}
	t.race(q)
	if len(q.Open) > 0 {
		t.item("unknown", yellow, and(q.Open)+": not decided in the work that there was")
	}
	safe := slices.DeleteFunc(slices.Clone(q.Fields), func(f string) bool {
		return slices.Contains(told.Fields, f) || slices.Contains(q.Open, f)
	})
	if len(safe) > 0 {
		t.item("safe", green, and(safe))
	}
	t.assumptions(q)
	t.printf("\n")
}

// withoutRaces lists what is not in a data race, by all queries about that.
func (t *textWriter) withoutRaces() {
	var all []string
	for i := range t.result.Queries {
		if q := &t.result.Queries[i]; asksAboutRaces(q) && q.Verdict == empire.VerdictSafe {
			if text := t.inOneRace(q); !slices.Contains(all, text) {
				all = append(all, text)
			}
		}
	}
	if len(all) > 0 {
		t.item("safe", green, strings.Join(all, "; "))
		t.printf("\n")
	}
}

// inOneRace names the subject of a query about data races in short.
func (t *textWriter) inOneRace(q *empire.QueryResult) string {
	switch {
	case len(q.Fields) == 0:
		return entryOf(q)
	case q.Type != "":
		return t.names.of(q.Type) + "." + strings.Join(q.Fields, ","+unbroken)
	case q.Site != "":
		return fmt.Sprintf("%s (%s)", q.Fields[0], fileLine(q.Site))
	}
	return strings.Join(q.Fields, ", ")
}

// entryOf names the program of a query that has no subject: of one about data races, if its goroutines share nothing.
func entryOf(q *empire.QueryResult) string {
	if asksAboutRaces(q) && q.Verdict == empire.VerdictSafe {
		return q.Entry + ": its goroutines share nothing that one of them writes"
	}
	return q.Entry
}

// racesCount is the last line of an answer about data races.
func racesCount(r *empire.Result) string {
	racing, safe, unknown := 0, 0, 0
	for i := range r.Queries {
		switch q := &r.Queries[i]; {
		case q.Verdict == empire.VerdictUnknown:
			unknown++
		case q.Verdict == empire.VerdictSafe || isRaceAccepted(q):
			safe++
		default:
			racing++
		}
	}
	text := fmt.Sprintf("%s: a data race in %d, %d safe, %d unknown", plural(len(r.Queries), "query", "queries"), racing,
		safe, unknown)
	if len(r.Errors) > 0 {
		text += "; " + count(len(r.Errors), "error")
	}
	return text + besideCount(r)
}
