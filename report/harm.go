package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	empire "github.com/empire-go/empire-go"
)

// harmLine is a line of what shows that a violation does harm.
type harmLine struct{ Label, Text string }

// harmLines says from which start which calls do harm, what each order of them gives, and what the
// interleaving does instead. Of harm that is unknown, and of none, there is nothing to say.
func harmLines(h *empire.Harm) []harmLine {
	var lines []harmLine
	add := func(label, text string) {
		if text != "" {
			lines = append(lines, harmLine{label, text})
		}
	}
	if h == nil {
		return nil
	}
	add("start", strings.Join(h.Start, "; "))
	switch calls := slices.Compact(slices.Clone(h.Calls)); {
	case len(h.Calls) == 1:
		add("then", calls[0])
	case len(calls) == 1:
		add("at once", calls[0]+", twice")
	default:
		add("at once", and(calls))
	}
	var orders []harmLine
	for _, text := range h.Expected {
		order, outcome, ok := strings.Cut(text, " first: ")
		if ok {
			order += " first"
		} else {
			order, outcome, _ = strings.Cut(text, ": ")
		}
		orders = append(orders, harmLine{order, outcome})
	}
	if len(orders) == 2 && orders[0].Text == orders[1].Text {
		orders = []harmLine{{"either order", orders[0].Text}}
	}
	for _, o := range orders {
		add(o.Label, o.Text)
	}
	if len(orders) > 0 {
		add("interleaved", h.Actual)
	} else { // a data race is like no order anyway
		add("in a run", h.Actual)
	}
	return lines
}

// harm tells what shows that a violation does harm, before all else that is told of it.
func (t *textWriter) harm(h *empire.Harm) {
	if len(harmLines(h)) == 0 {
		return
	}
	t.printf("  %s\n", t.paint(bold, harmTitle(h)))
	t.harmLines(4, h)
	t.printf("\n")
}

// harmLines writes the lines that show harm, indented.
func (t *textWriter) harmLines(indent int, h *empire.Harm) {
	lines := harmLines(h)
	wide := 0
	for _, l := range lines {
		wide = max(wide, len(l.Label))
	}
	for _, l := range lines {
		t.paragraph(indent, wide+2, fmt.Sprintf("%-*s%s", wide+2, l.Label, l.Text))
	}
}

// harmTitle stands above what shows that a violation does harm.
func harmTitle(h *empire.Harm) string {
	if h.Status == empire.HarmSeen {
		return "The harm that a run did"
	}
	return "The harm that it can do"
}

// unshown is what is known of harm that nothing shows; "" if nobody has looked for it.
func unshown(h *empire.Harm) string {
	switch {
	case h == nil || len(harmLines(h)) > 0:
		return ""
	case isByLetter(h):
		return because("none, by the letter only", h)
	}
	return because(h.Status, h)
}

// harmInWords is harm in a sentence: "The harm that it can do: start: o := New(); at once: o.F() and o.G();
// F first: ...".
func harmInWords(h *empire.Harm) string {
	if text := unshown(h); text != "" {
		return "Harm: " + text + "."
	}
	var parts []string
	for _, l := range harmLines(h) {
		parts = append(parts, l.Label+": "+l.Text)
	}
	return harmTitle(h) + ": " + strings.Join(parts, "; ") + "."
}

// because adds the reason.
func because(text string, h *empire.Harm) string {
	if h.Reason == "" {
		return text
	}
	return text + ": " + h.Reason
}

// isByLetter tells whether a violation does no harm.
func isByLetter(h *empire.Harm) bool { return h != nil && h.Status == empire.HarmNone }

// byLetter writes a violation that does no harm: in one line.
func (t *textWriter) byLetter(place, what string, h *empire.Harm) {
	const word = "BY THE LETTER ONLY"
	lines := wrap(plainSpaces(word+place+": "+because(what, h)), t.Width, 2)
	lines[0] = t.paint(yellow, word) + lines[0][len(word):]
	t.printf("%s\n\n", strings.Join(lines, "\n"))
}

// isKnown tells whether harm was looked for.
func isKnown(stories []*story) bool {
	return slices.ContainsFunc(stories, func(st *story) bool { return st.scenario.Harm != nil })
}

// harmTag is harm in few words, behind what does it; "" if nobody has looked for it.
func harmTag(h *empire.Harm) string {
	if h == nil {
		return ""
	}
	tags := map[string]string{empire.HarmSeen: "does harm", empire.HarmPossible: "can do harm",
		empire.HarmNone: "by the letter only"}
	if tag, ok := tags[h.Status]; ok {
		return "; " + tag
	}
	return "; harm unknown"
}

// severity orders violations: notes last, and else by the harm that they do; among equals those of code of
// other modules last.
func (st *story) severity() int {
	severity := 2 * st.scenario.Harm.Severity()
	if st.isElsewhere() {
		severity++
	}
	if st.scenario.Level == "note" {
		severity += 2 * len(empire.Harms)
	}
	return severity
}

// isElsewhere tells whether a unit of work is code of another module than the checked type: a library that was
// handed what a field leads to. The user cannot mend it, and knows it least.
func (st *story) isElsewhere() bool {
	of := packagePath(st.query.Type)
	return of != "" && slices.ContainsFunc(st.scenario.Units, func(unit string) bool {
		return packagePath(unit) != "" && st.names.isInModule(of) && !st.names.isInModule(packagePath(unit))
	})
}

// packagePath returns the path of the package in a name as "(*example.com/p.T).F".
func packagePath(name string) string {
	name = strings.TrimLeft(name, "(*")
	name, _, _ = strings.Cut(name, "[")
	slash := strings.LastIndex(name, "/") + 1
	dot := strings.Index(name[slash:], ".")
	if dot < 0 {
		return ""
	}
	return name[:slash+dot]
}

// inOrder returns the queries of a result by the worst violation or data race that is told with
// each.
func inOrder(r *empire.Result, causes []*cause) []*empire.QueryResult {
	worst := worstOf(r, causes)
	var all []*empire.QueryResult
	for i := range r.Queries {
		all = append(all, &r.Queries[i])
	}
	slices.SortStableFunc(all, func(a, b *empire.QueryResult) int { return worst[a] - worst[b] })
	return all
}

// worstOf returns, as severity does, how bad the worst of each query is.
func worstOf(r *empire.Result, causes []*cause) map[*empire.QueryResult]int {
	worst := map[*empire.QueryResult]int{}
	for i := range r.Queries {
		q := &r.Queries[i]
		worst[q] = 4 * len(empire.Harms)
		for _, race := range q.Races {
			worst[q] = min(worst[q], 2*race.Severity())
		}
	}
	for _, c := range causes {
		q := c.shown().query
		worst[q] = min(worst[q], c.shown().severity())
	}
	return worst
}

// isBlockingFirst tells whether something about blocking is worse than what is told with any query.
func isBlockingFirst(r *empire.Result, causes []*cause) bool {
	worst := math.MaxInt
	for _, severity := range worstOf(r, causes) {
		worst = min(worst, severity)
	}
	return slices.ContainsFunc(openFindings(r), func(f *empire.BlockingFinding) bool {
		return 2*f.Harm.Severity() < worst
	})
}

// violationCount counts violations, by the harm that they do if somebody has looked for it:
// "2 violations do harm (1 seen), 3 of unknown harm, 4 by the letter only".
func violationCount(harms []*empire.Harm) string {
	if !slices.ContainsFunc(harms, func(h *empire.Harm) bool { return h != nil }) {
		return count(len(harms), "violation")
	}
	counts := map[string]int{}
	for _, h := range harms {
		counts[empire.Harms[h.Severity()]]++
	}
	noun, nouns := " violation", " violations" // with the first number
	var parts []string
	add := func(n int, one, many string) {
		if n == 0 {
			return
		}
		if n == 1 {
			parts = append(parts, "1"+noun+one)
		} else {
			parts = append(parts, fmt.Sprint(n)+nouns+many)
		}
		noun, nouns = "", ""
	}
	seen := ""
	if n := counts[empire.HarmSeen]; n > 0 {
		seen = fmt.Sprintf(" (%d seen)", n)
	}
	add(counts[empire.HarmSeen]+counts[empire.HarmPossible], " does harm"+seen, " do harm"+seen)
	add(counts[empire.HarmUnknown], " of unknown harm", " of unknown harm")
	add(counts[empire.HarmNone], " by the letter only", " by the letter only")
	return strings.Join(parts, ", ")
}
