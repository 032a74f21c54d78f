package report

import (
	"fmt"
	"slices"

	empire "github.com/empire-go/empire-go"
)

// isFolded tells whether some violations are not told in full, since one is that has the
// same cause.
func (t *textWriter) isFolded() bool {
	return !t.All && slices.ContainsFunc(t.causes, func(c *cause) bool { return len(c.stories) > 1 })
}

// countErrors counts the causes that lead to more than notes.
func countErrors(causes []*cause) int {
	n := 0
	for _, c := range causes {
		if !c.isNote() {
			n++
		}
	}
	return n
}

// causeList lists the causes of all violations, if they are several: what has to be
// mended.
func (t *textWriter) causeList() {
	if len(t.causes) < 2 {
		return
	}
	t.printf("%s\n", t.paint(bold, t.causeCount()))
	for _, c := range t.causes {
		t.paragraph(0, 8, fmt.Sprintf("%4d  %s: %s%s", c.number, c.headline(t.names), t.extent(c),
			harmTag(c.shown().scenario.Harm)))
	}
	t.printf("\n")
}

// causeCount is "22 violations of 2 causes, and 3 notes".
func (t *textWriter) causeCount() string {
	violations, notes := 0, 0
	for _, c := range t.causes {
		if c.isNote() {
			notes += len(c.stories)
		} else {
			violations += len(c.stories)
		}
	}
	if violations == 0 {
		return count(notes, "note") + " of " + count(len(t.causes), "cause")
	}
	text := count(violations, "violation") + " of " + count(countErrors(t.causes), "cause")
	if notes > 0 {
		text += ", and " + count(notes, "note")
	}
	return text
}

// extent says what a cause leads to, in few words.
func (t *textWriter) extent(c *cause) string {
	s := c.shown().scenario
	text := fmt.Sprintf("%s%s(%d)", s.Name, unbroken, s.Scenario)
	if len(s.Locations) > 0 {
		text += " on " + and(fieldsOf(s))
	}
	if n := len(c.stories); n > 1 {
		return fmt.Sprintf("%s, as %s", count(n, c.kind()), text)
	}
	if c.isNote() {
		text += ", a note"
	}
	return text
}

// tellCauses tells the violations of a query that stand for their causes.
func (t *textWriter) tellCauses(q *empire.QueryResult) {
	if len(t.result.Queries) == 1 {
		t.causeList()
	}
	for _, c := range t.causes {
		if c.shown().query != q {
			continue
		}
		place := ""
		if len(t.causes) > 1 {
			place = fmt.Sprintf(", cause %d of %d", c.number, len(t.causes))
		}
		if h := c.shown().scenario.Harm; isByLetter(h) {
			t.byLetter(place, c.headline(t.names)+": "+t.extent(c), h)
		} else {
			t.violation(c.shown(), place, c)
		}
	}
}

// sameCause says which other violations have the cause of the one that was told, if there
// are any.
func (t *textWriter) sameCause(c *cause) {
	if c == nil || len(c.stories) == 1 {
		return
	}
	t.printf("  %s\n", t.paint(bold, "The cause"))
	t.paragraph(4, 0, fmt.Sprintf("%s. It leads to %s (--all shows each):", c.headline(t.names),
		count(len(c.stories)-1, "more "+c.kind())))
	for _, line := range c.others(t.names) {
		t.paragraph(4, 2, "- "+line)
	}
	t.printf("\n")
}

// kind is "violation" or "note".
func (c *cause) kind() string {
	if c.isNote() {
		return "note"
	}
	return "violation"
}

// toldElsewhere says which scenarios are violated for a cause that is told with another
// query.
func (t *textWriter) toldElsewhere(q *empire.QueryResult) {
	if !t.isFolded() {
		return
	}
	var parts []string
	for _, c := range t.causes {
		if c.shown().query == q {
			continue
		}
		mine := slices.DeleteFunc(slices.Clone(c.stories), func(st *story) bool { return st.query != q })
		if len(mine) == 0 {
			continue
		}
		by := "the cause above"
		if len(t.causes) > 1 {
			by = fmt.Sprintf("cause %d", c.number)
		}
		parts = append(parts, scenarioList(numbersOf(mine))+" by "+by)
	}
	if len(parts) > 0 {
		t.item("violated", red, and(parts))
	}
}
