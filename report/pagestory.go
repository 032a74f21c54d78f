package report

import (
	"encoding/json"
	"strings"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/scenarios"
)

// htmlViolation is a violation, or a data race, of which there is less to tell.
type htmlViolation struct {
	ID                                string // of the element
	Known                             string // by which the violation is known
	Scenario                          int    // 0 of a data race
	Level, Name, Numbers, Short       string
	Type, Class, HarmStatus, HarmTag  string // what it can be filtered by
	Harm, Outline, Consequence, Locks string
	Confirmation                      string
	Fix                               *empire.Fix
	DataRace, ByLetter, Open          bool
	Does                              *htmlHarm // what shows that it does harm
	Unshown                           string    // harm that nothing shows
	Units                             []htmlUnit
	Background, Columns               []string
	Rows                              []htmlRow
	State                             *htmlState
	Waits                             *htmlWaits
}

// HarmKnown tells whether anybody has looked for harm.
func (v *htmlViolation) HarmKnown() bool { return v.HarmStatus != notLookedFor }

// notLookedFor stands in the place of a status of harm.
const notLookedFor = "not looked for"

type htmlHarm struct {
	Title string
	Lines []harmLine
}

type htmlUnit struct {
	Name, Goroutine string
	Place           htmlPlace
}

// htmlRow is a row of the interleaving: a cell in one of the columns.
type htmlRow struct {
	Number int    // of the step; 0 of a row that is no step
	Change string // of the state, as JSON: pairs of a cell and its text
	Waits  string // the wait-for picture from now on, as JSON: its arrows, and it in words; "" if it stays as it is
	Said   string // the step in words
	Cells  []htmlCell
}

type htmlCell struct {
	Goroutine, Mark, Action, Source, Class string
	Place                                  htmlPlace
}

// races prepares the data races of all queries.
func (b *pageBuilder) races() (all []*htmlViolation) {
	for i := range b.result.Queries {
		q := &b.result.Queries[i]
		known := q.Races
		if q.DataRace && len(known) == 0 { // nobody has asked what it does
			known = []empire.Race{{Accesses: q.Race, Level: "error"}}
		}
		for _, race := range known {
			if race.Accepted != nil {
				continue
			}
			v := &htmlViolation{ID: b.unique("r" + race.ID), Known: race.ID, Level: race.Level, Name: "data race",
				Short: b.raceText(race.Accesses), Type: b.typeOf(q), Class: "data race", HarmStatus: harmStatus(race.Harm),
				HarmTag: harmLabel(race.Harm), DataRace: true, Does: htmlHarmOf(race.Harm), Unshown: unshownRace(race)}
			for _, access := range race.Accesses {
				v.Units = append(v.Units, htmlUnit{b.names.of(access.Function), access.Goroutine,
					b.place(access.Pos, fileLine(access.Pos))})
			}
			all = append(all, v)
		}
	}
	return all
}

// typeOf is the type that a query is about.
func (b *pageBuilder) typeOf(q *empire.QueryResult) string {
	switch {
	case q.Type == "" && q.Site != "":
		return "variables of functions"
	case q.Type == "":
		return "package variables"
	}
	return b.names.of(q.Type)
}

// harmStatus and harmLabel are harm to filter by, and what stands for it.
func harmStatus(h *empire.Harm) string {
	if h == nil {
		return notLookedFor
	}
	return h.Status
}

func harmLabel(h *empire.Harm) string {
	if h == nil {
		return harmStatus(h)
	}
	return harmTag(h)[len("; "):]
}

// htmlHarmOf prepares what shows harm, if anything does.
func htmlHarmOf(h *empire.Harm) *htmlHarm {
	lines := harmLines(h)
	if len(lines) == 0 {
		return nil
	}
	return &htmlHarm{harmTitle(h), lines}
}

// violation prepares a violation.
func (b *pageBuilder) violation(st *story) *htmlViolation {
	s := st.scenario
	h := &htmlViolation{
		ID: b.unique("v" + s.ID), Known: s.ID, Scenario: s.Scenario, Level: s.Level, Name: s.Name, Numbers: numbers(s),
		Short: plainSpaces(b.inShort(st)), Type: b.typeOf(st.query), Class: s.Class, HarmStatus: harmStatus(s.Harm),
		HarmTag: harmLabel(s.Harm), DataRace: s.DataRace, Outline: sentence(plainSpaces(st.outline())),
		Consequence: plainSpaces(st.consequence()), Locks: plainSpaces(st.lockHint()), Confirmation: confirmation(s),
		Fix:  s.Fix,
		Does: htmlHarmOf(s.Harm), Unshown: unshown(s.Harm), ByLetter: isByLetter(s.Harm),
	}
	if known, ok := scenarios.ByNumber(s.Scenario); ok {
		h.Harm = known.Harm
	}
	for _, a := range st.actors {
		pos := st.beginOf(a)
		h.Units = append(h.Units, htmlUnit{b.names.of(a.unit), st.lanes[a.lane].name, b.place(pos, fileLine(pos))})
	}
	for _, line := range st.background() {
		h.Background = append(h.Background, plainSpaces(line))
	}
	for _, lane := range st.columns {
		h.Columns = append(h.Columns, st.lanes[lane].name)
	}
	state, changes := stateOf(st)
	h.State = state
	waits, pictures := waitsOf(st).drawn(st)
	h.Waits = waits
	for _, i := range st.shownIndices() {
		for _, e := range b.entries(st, i) {
			row := b.row(st, i, e, changes[i])
			if row.Number > 0 {
				row.Waits = pictures[i]
			}
			h.Rows = append(h.Rows, row)
		}
	}
	return h
}

// row puts an entry of step i into the column of its goroutine.
func (b *pageBuilder) row(st *story, i int, e entry, change []stateChange) htmlRow {
	classes := map[style]string{bold: "boundary", dim: "call", red: "event"}
	row := htmlRow{Number: e.number, Cells: make([]htmlCell, len(st.columns))}
	goroutine := st.lanes[st.steps[i].lane].name
	if e.number > 0 {
		row.Said = goroutine + ": " + plainSpaces(e.action)
		if text, err := json.Marshal(change); err == nil && len(change) > 0 {
			row.Change = string(text)
		}
	}
	cell := htmlCell{Goroutine: goroutine, Mark: strings.TrimSpace(e.mark), Action: plainSpaces(e.action),
		Source: e.source, Class: classes[e.look]}
	if pos := st.steps[i].Pos; e.place != "" || e.number > 0 {
		if n := len(st.steps[i].Stack); n > 0 && e.place != "" && e.place != st.place(pos) {
			_, pos = splitCall(st.steps[i].Stack[n-1]) // it is told where it is called
		}
		cell.Place = b.place(pos, e.place)
	}
	row.Cells[st.columnOf(st.steps[i].lane)] = cell
	return row
}
