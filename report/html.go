package report

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"io"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/scenarios"
)

//go:embed page.html
var pageSource string

var page = template.Must(template.New("page").Parse(pageSource))

// HTML writes r as one page that needs nothing else: no script, no style sheet and
// no picture from elsewhere. For each violation it has the interleaving as a table
// with a column for each goroutine.
func HTML(w io.Writer, r *empire.Result) error {
	t := newTextWriter(io.Discard, r, TextOptions{})
	causes := causesOf(r, t.names, false)
	p := htmlPage{Tool: r.Tool, Module: r.ModuleRoot, Verdict: r.Verdict, Count: countLine(r, causes)}
	for i, q := range inOrder(r, causes) {
		p.Queries = append(p.Queries, t.htmlQuery(i+1, q))
	}
	var b bytes.Buffer // so that nothing is written if rendering fails
	if err := page.Execute(&b, p); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

// htmlPage and the types below are what page.html shows, as text.
type htmlPage struct {
	Tool                   empire.Tool
	Module, Verdict, Count string
	Queries                []htmlQuery
}

type htmlQuery struct {
	Number                           int
	Subject, Source, Verdict, Reason string
	Violations                       []htmlViolation
	Races                            []htmlRace
	Accepted                         []string
	Scenarios                        []htmlScenario // those that are not violated
	Assumptions                      []empire.Assumption
	Model                            string
}

type htmlScenario struct{ Name, Verdict, Note string }

type htmlViolation struct {
	Level, Name, Numbers, Harm, Outline, Consequence, Locks, Class, ID string
	DataRace, ByLetter                                                 bool
	Does                                                               *htmlHarm // what shows that it does harm
	Unshown                                                            string    // harm that nothing shows
	Units                                                              []htmlUnit
	Background, Columns                                                []string
	Rows                                                               []htmlRow
}

type htmlRace struct {
	Text, Unshown string
	Does          *htmlHarm
}

type htmlHarm struct {
	Title string
	Lines []harmLine
}

type htmlUnit struct{ Name, Goroutine, Pos string }

// htmlRow is a step: a cell in one of the columns.
type htmlRow struct {
	Number, Event int
	Cells         []htmlCell
}

type htmlCell struct{ Mark, Action, Place, Source, Class string }

// htmlQuery prepares the answer to a query.
func (t *textWriter) htmlQuery(number int, q *empire.QueryResult) htmlQuery {
	h := htmlQuery{
		Number: number, Subject: t.subject(q), Source: t.sources.line(q.Site), Verdict: q.Verdict, Reason: q.Reason,
		Assumptions: q.Assumptions, Model: modelText(q.Model),
	}
	for _, st := range storiesOf(q, t.names) {
		h.Violations = append(h.Violations, t.htmlViolation(st))
	}
	for _, group := range acceptedIn(q, t.names) {
		h.Accepted = append(h.Accepted, group.what+", "+group.why)
	}
	for _, race := range q.Races {
		if race.Accepted != nil {
			continue
		}
		h.Races = append(h.Races, htmlRace{t.raceText(race.Accesses), unshownRace(race), htmlHarmOf(race.Harm)})
	}
	for _, s := range q.Scenarios {
		if s.Verdict != empire.VerdictViolation {
			h.Scenarios = append(h.Scenarios, htmlScenario{fmt.Sprintf("%s (%d)", s.Name, s.Scenario), s.Verdict, s.Reason})
		}
	}
	return h
}

// htmlHarmOf prepares what shows harm, if anything does.
func htmlHarmOf(h *empire.Harm) *htmlHarm {
	lines := harmLines(h)
	if len(lines) == 0 {
		return nil
	}
	return &htmlHarm{harmTitle(h), lines}
}

// htmlViolation prepares a violation.
func (t *textWriter) htmlViolation(st *story) htmlViolation {
	s := st.scenario
	h := htmlViolation{
		Level: s.Level, Name: s.Name, Numbers: numbers(s), Class: s.Class, ID: s.ID, DataRace: s.DataRace,
		Outline: sentence(plainSpaces(st.outline())), Consequence: plainSpaces(st.consequence()),
		Locks: plainSpaces(st.lockHint()),
		Does:  htmlHarmOf(s.Harm), Unshown: unshown(s.Harm), ByLetter: isByLetter(s.Harm),
	}
	if known, ok := scenarios.ByNumber(s.Scenario); ok {
		h.Harm = known.Harm
	}
	for _, a := range st.actors {
		h.Units = append(h.Units, htmlUnit{t.names.of(a.unit), st.lanes[a.lane].name, fileLine(st.beginOf(a))})
	}
	for _, line := range st.background() {
		h.Background = append(h.Background, plainSpaces(line))
	}
	for _, lane := range st.columns {
		h.Columns = append(h.Columns, st.lanes[lane].name)
	}
	for _, i := range st.shownIndices() {
		for _, e := range t.entries(st, i) {
			h.Rows = append(h.Rows, st.htmlRow(i, e))
		}
	}
	return h
}

// htmlRow puts an entry of step i into the column of its goroutine.
func (st *story) htmlRow(i int, e entry) htmlRow {
	classes := map[style]string{bold: "boundary", dim: "call", red: "event"}
	row := htmlRow{Number: e.number, Event: st.steps[i].Event, Cells: make([]htmlCell, len(st.columns))}
	if e.number == 0 {
		row.Event = 0
	}
	row.Cells[st.columnOf(st.steps[i].lane)] = htmlCell{e.mark, plainSpaces(e.action), e.place, e.source, classes[e.look]}
	return row
}
