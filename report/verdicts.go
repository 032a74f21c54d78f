package report

import (
	"fmt"
	"slices"
	"strings"

	empire "github.com/empire-go/empire-go"
)

const labelWidth = 11 // of the labels of what is known of a query

// verdicts writes what is known besides the violations, and what it relies on.
func (t *textWriter) verdicts(q *empire.QueryResult) {
	var safe []int
	for _, s := range q.Scenarios {
		if s.Verdict == empire.VerdictSafe {
			safe = append(safe, s.Scenario)
		}
	}
	t.toldElsewhere(q)
	t.accepted(q)
	t.unknown(q)
	if len(safe) > 0 {
		t.item("safe", green, t.safeText(safe))
	}
	t.race(q)
	if len(q.RestsOn) > 0 {
		t.item("rests on", plain, strings.Join(q.RestsOn, ", "))
	}
	if len(q.SwitchedOff) > 0 {
		t.item("", plain, "switched off by a bound: "+strings.Join(q.SwitchedOff, ", "))
	}
	t.assumptions(q)
	t.model(q)
}

// unknown says which scenarios are unknown and why, each reason once.
func (t *textWriter) unknown(q *empire.QueryResult) {
	var reasons []string
	undecided := map[string][]int{}
	for _, s := range q.Scenarios {
		if s.Verdict != empire.VerdictSafe && s.Verdict != empire.VerdictViolation {
			if _, ok := undecided[s.Reason]; !ok {
				reasons = append(reasons, s.Reason)
			}
			undecided[s.Reason] = append(undecided[s.Reason], s.Scenario)
		}
	}
	for _, reason := range reasons {
		t.item("unknown", yellow, scenarioList(undecided[reason])+": "+reason)
	}
	if _, said := undecided[q.Reason]; !said && (q.Reason != "" || len(q.Scenarios) == 0) {
		t.item(q.Verdict, yellow, q.Reason)
	}
}

// scenarioList is "scenario 9" or "scenarios 1 to 3".
func scenarioList(numbers []int) string {
	if len(numbers) == 1 {
		return fmt.Sprintf("scenario %d", numbers[0])
	}
	return "scenarios " + ranges(numbers)
}

// item writes a labelled paragraph.
func (t *textWriter) item(label string, s style, text string) {
	lines := wrap(strings.Repeat(" ", labelWidth)+text, t.Width, labelWidth)
	lines[0] = t.paint(s, label) + lines[0][len(label):]
	t.printf("%s\n", strings.Join(lines, "\n"))
}

// safeText says which scenarios are safe.
func (t *textWriter) safeText(safe []int) string {
	text := scenarioList(safe)
	if patterns := t.result.Invocation.Patterns; len(patterns) > 0 {
		text += fmt.Sprintf(", of which only pattern %s was looked for", ranges(patterns))
	}
	return text
}

// model writes the size of the model.
func (t *textWriter) model(q *empire.QueryResult) {
	if text := modelText(q.Model); text != "" {
		t.item("model", plain, text)
	}
}

// modelText says how large a model is; "" if there is none.
func modelText(m empire.ModelSize) string {
	if m == (empire.ModelSize{}) {
		return ""
	}
	sizes := []string{count(m.Goroutines, "goroutine"), count(m.Locks, "lock")}
	if m.Channels > 0 {
		sizes = append(sizes, count(m.Channels, "channel"))
	}
	text := strings.Join(append(sizes, count(m.Locations, "location"), count(m.Units, "unit")), ", ")
	if m.CallGraphNodes > 0 {
		text = fmt.Sprintf("%d of %s, %d of %s; ", m.KeptNodes, count(m.CallGraphNodes, "function"), m.KeptInstructions,
			count(m.Instructions, "instruction")) + text
	}
	return text
}

// timings writes how long the stages took, where that was measured.
func (t *textWriter) timings() {
	if m := t.result.Timings; m != nil {
		reused := ""
		if m.Reused > 0 {
			reused = "; kept from an earlier run: " + count(m.Reused, "answer")
		}
		t.item("time", plain, fmt.Sprintf("load %.0f ms, ssa %.0f ms, points-to %.0f ms, reduce %.0f ms, lower %.0f ms, "+
			"check %.0f ms, in all %.0f ms; peak %.0f MiB%s",
			m.Load, m.SSA, m.PointsTo, m.Reduce, m.Lower, m.Check, m.Total, t.result.PeakMiB, reused))
	}
}

// countLine is the last line: how many of which verdicts, how many of the violations do which
// harm, and of how many causes they are if they are several.
func countLine(r *empire.Result, causes []*cause) string {
	if len(r.Queries) > 0 && asksAboutRaces(&r.Queries[0]) {
		return racesCount(r)
	}
	notes, safe, unknown, races, accepted := 0, 0, 0, 0, 0
	var found []int
	var harms []*empire.Harm
	for _, q := range r.Queries {
		if len(q.Scenarios) == 0 && q.Verdict == empire.VerdictUnknown {
			unknown++
		}
		if q.DataRace && !isRaceAccepted(&q) {
			races++
		}
		for _, s := range q.Scenarios {
			switch s.Verdict {
			case empire.VerdictSafe:
				safe++
			case empire.VerdictUnknown:
				unknown++
			}
		}
		for _, s := range q.Violations() {
			switch {
			case s.Accepted != nil:
				accepted++
			case s.Level == "note":
				notes++
			default:
				found, harms = append(found, s.Scenario), append(harms, s.Harm)
			}
		}
	}
	text := plural(len(r.Queries), "query", "queries") + ": " + violationCount(harms)
	if slices.Sort(found); len(found) > 0 {
		text += " (" + scenarioList(slices.Compact(found)) + ")"
	}
	if notes > 0 {
		text += ", " + count(notes, "note")
	}
	text += fmt.Sprintf(", %d safe, %d unknown", safe, unknown)
	if accepted > 0 {
		text += fmt.Sprintf(", %d accepted", accepted)
	}
	if len(harms) > 1 {
		text += "; " + count(countErrors(causes), "cause")
	}
	if races > 0 {
		text += "; a data race in " + plural(races, "query", "queries")
	}
	if len(r.Errors) > 0 {
		text += "; " + count(len(r.Errors), "error")
	}
	return text + besideCount(r)
}

// count is "1 lock", "2 locks".
func count(n int, noun string) string { return plural(n, noun, noun+"s") }

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// ranges writes ascending numbers in words: "1 to 8, 10 and 12".
func ranges(numbers []int) string {
	var parts []string
	for i := 0; i < len(numbers); {
		j := i
		for j+1 < len(numbers) && numbers[j+1] == numbers[j]+1 {
			j++
		}
		if j-i >= 2 {
			parts = append(parts, fmt.Sprintf("%d to %d", numbers[i], numbers[j]))
		} else {
			for _, n := range numbers[i : j+1] {
				parts = append(parts, fmt.Sprint(n))
			}
		}
		i = j + 1
	}
	return and(parts)
}

// shorten joins at most limit of the words and says how many are left out.
func shorten(words []string, limit int) string {
	if len(words) <= limit {
		return strings.Join(words, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(words[:limit], ", "), len(words)-limit)
}
