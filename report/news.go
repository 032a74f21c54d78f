package report

import (
	"bytes"
	"fmt"
	"strings"

	empire "github.com/empire-go/empire-go"
)

// News tells of the answers to a request as they come, each in a few lines: what is printed stays,
// also if the run is ended at any moment. An answer is told when something else begins after it. So
// where there is only one query, there is only the text about the result (see Text), in which causes are
// put together and the worst comes first.
type News struct {
	options TextOptions
	ready   func() []byte // what is told when something else begins
	told    map[string]bool
}

// NewNews returns news of which nothing has been told.
func NewNews(o TextOptions) *News { return &News{options: o, told: map[string]bool{}} }

// Next returns what is to be told when an event has come, in one piece; nil if there is nothing.
func (n *News) Next(e empire.Event) []byte {
	if e.Begin != nil {
		return nil
	}
	ready := n.ready
	n.ready = nil
	switch {
	case e.Answer != nil:
		n.ready = func() []byte { return n.text(e.Answer) }
	case e.Blocked != nil && len(e.Blocked.Findings) > 0:
		n.ready = func() []byte { return n.blocking(e.Blocked) }
	}
	if ready == nil {
		return nil
	}
	text := ready()
	if n.told[string(text)] { // clients of a library come to it in several ways
		return nil
	}
	n.told[string(text)] = true
	if len(n.told) == 1 {
		text = append([]byte(newsTitle), text...)
	}
	return text
}

// HasTold tells whether anything was told.
func (n *News) HasTold() bool { return len(n.told) > 0 }

const newsTitle = "Answers as they come; what goes wrong is told in full below.\n"

// text tells of one answer.
func (n *News) text(q *empire.QueryResult) []byte {
	var b bytes.Buffer
	r := &empire.Result{Queries: []empire.QueryResult{*q}}
	t := newTextWriter(&b, r, n.options)
	q = &r.Queries[0]
	label, s := q.Verdict, yellow
	switch q.Verdict {
	case empire.VerdictViolation:
		label, s = "VIOLATION", red
	case empire.VerdictSafe:
		s = green
	}
	text := t.subject(q)
	if reason := whyUnknown(q); reason != "" {
		text += ": " + reason
	}
	t.item(label, s, text)
	for _, st := range storiesOf(q, t.names) {
		if st.scenario.Level != "note" {
			t.item("", plain, t.newsOf(st))
		}
	}
	for _, race := range q.Races {
		if race.Level == "error" {
			t.item("", plain, "data race: "+t.raceText(race.Accesses)+harmTag(race.Harm)+"; id "+race.ID)
		}
	}
	t.out.Flush()
	return b.Bytes()
}

// blocking tells of what was found about blocking.
func (n *News) blocking(found *empire.BlockingResult) []byte {
	var b bytes.Buffer
	t := newTextWriter(&b, &empire.Result{Blocking: []empire.BlockingResult{*found}}, n.options)
	t.item("VIOLATION", red, found.Entry)
	for i := range found.Findings {
		f := &found.Findings[i]
		t.item("", plain, plainSpaces(blockingHeadline(f))+harmTag(f.Harm)+"; id "+f.ID)
	}
	t.out.Flush()
	return b.Bytes()
}

// whyUnknown is the first reason why something of a query is unknown.
func whyUnknown(q *empire.QueryResult) string {
	if q.Verdict == empire.VerdictSafe {
		return ""
	}
	for _, s := range q.Scenarios {
		if s.Verdict == empire.VerdictUnknown && q.Verdict == empire.VerdictUnknown {
			return s.Reason
		}
	}
	return q.Reason
}

// newsOf tells of a violation: what it is, and what happens where.
func (t *textWriter) newsOf(st *story) string {
	text := t.inShort(st) + harmTag(st.scenario.Harm) + "; id " + st.scenario.ID
	outline := st.outline()
	if outline == "" || isByLetter(st.scenario.Harm) {
		return text
	}
	var places []string
	for _, e := range st.events() {
		places = append(places, fmt.Sprintf("(%d)%s%s", e.Event, unbroken, fileLine(e.Pos)))
	}
	return text + ". " + sentence(outline) + ": " + strings.Join(places, ", ")
}
