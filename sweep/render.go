package sweep

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	empire "github.com/empire-go/empire-go"
)

// Totals counts queries by verdict.
type Totals struct {
	Queries    int            `json:"queries"`
	Safe       int            `json:"safe"`
	Violations int            `json:"violations"`
	Unknown    int            `json:"unknown"`
	Reasons    map[string]int `json:"reasons"` // of unknown verdicts
	Stored     int            `json:"stored"`
	Seconds    float64        `json:"seconds"` // that all answers together took, when they were answered
}

// Totals counts the rows.
func (t *Table) Totals() Totals {
	totals := Totals{Queries: len(t.Rows), Reasons: map[string]int{}}
	for _, r := range t.Rows {
		switch r.Query.Verdict {
		case empire.VerdictSafe:
			totals.Safe++
		case empire.VerdictViolation:
			totals.Violations++
		default:
			totals.Unknown++
			totals.Reasons[reason(r.Query)]++
		}
		if r.Stored {
			totals.Stored++
		}
		totals.Seconds += r.Milliseconds / 1000
	}
	return totals
}

// Verdict is that of all rows together. Of nothing, or of what was not finished, nothing
// is known.
func (t *Table) Verdict() string {
	totals := t.Totals()
	switch {
	case totals.Violations > 0:
		return empire.VerdictViolation
	case totals.Unknown > 0 || t.Interrupted || len(t.Errors) > 0 || totals.Queries == 0:
		return empire.VerdictUnknown
	}
	return empire.VerdictSafe
}

// reason says why a query is unknown: the reason of its first scenario that is.
func reason(q empire.QueryResult) string {
	if q.Reason != "" {
		return q.Reason
	}
	for _, s := range q.Scenarios {
		if s.Verdict == empire.VerdictUnknown {
			return s.Reason
		}
	}
	return "not decided"
}

// Text writes the table for people: the columns of the Empire report's Table 2, a line for
// each scenario that is violated, or one for a query that is safe.
func (t *Table) Text(w io.Writer) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	columns := []string{"type", "fields", "site", "nodes", "insts", "kept nodes", "kept insts", "goroutines"}
	if t.Timings {
		columns = append(columns, "time")
	}
	fmt.Fprintln(out, strings.Join(append(columns, "scenario", "length", "verdict"), "\t"))
	for _, r := range t.Rows {
		q, m := r.Query, r.Query.Model
		head := fmt.Sprintf("%s\t%s\t%s\t%d\t%d\t%d\t%d\t%d", cmp.Or(r.Name, short(q.Type)), strings.Join(q.Fields, ","),
			short(q.Site),
			m.CallGraphNodes, m.Instructions, m.KeptNodes, m.KeptInstructions, m.Goroutines)
		if t.Timings {
			head += "\t" + seconds(r.Milliseconds)
		}
		found := violated(q)
		if len(found) == 0 {
			note := q.Verdict
			if q.Verdict == empire.VerdictUnknown {
				note += ": " + reason(q)
			}
			fmt.Fprintf(out, "%s\t-\t-\t%s\n", head, note)
		}
		for i, s := range found {
			if i > 0 {
				head = strings.Repeat("\t", len(columns)-1)
			}
			fmt.Fprintf(out, "%s\t%d\t%d\t%s\n", head, s.Scenario, len(s.Counterexample), verdict(s))
		}
		if ref := r.Reference; ref != nil {
			cells := []string{"  " + ref.Name, "", "", ref.Nodes, ref.Instructions, ref.KeptNodes, ref.KeptInstructions,
				ref.Goroutines}
			if t.Timings {
				cells = append(cells, ref.Time)
			}
			fmt.Fprintln(out, strings.Join(append(cells, ref.Scenario, ref.Length, ref.Verdict), "\t"))
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%s\n", t.countLine())
	return err
}

// verdict is that of a scenario, in words.
func verdict(s empire.ScenarioResult) string {
	text := s.Verdict
	if s.Level == "note" {
		text = "note"
	}
	if s.DataRace {
		text += ", data race"
	}
	return text
}

// violated returns the scenarios that are.
func violated(q empire.QueryResult) []empire.ScenarioResult {
	var all []empire.ScenarioResult
	for _, s := range q.Scenarios {
		if s.Verdict == empire.VerdictViolation {
			all = append(all, s)
		}
	}
	return all
}

// countLine is the last line.
func (t *Table) countLine() string {
	totals := t.Totals()
	noun := "queries"
	if totals.Queries == 1 {
		noun = "query"
	}
	text := fmt.Sprintf("%d %s: %d safe, %d violated, %d unknown", totals.Queries, noun, totals.Safe, totals.Violations,
		totals.Unknown)
	var reasons []string
	for why, n := range totals.Reasons {
		reasons = append(reasons, fmt.Sprintf("%d: %s", n, why))
	}
	if slices.Sort(reasons); len(reasons) > 0 {
		text += " (" + strings.Join(reasons, "; ") + ")"
	}
	if totals.Stored > 0 && t.Timings {
		text += fmt.Sprintf("; %d answered before", totals.Stored)
	}
	if t.Interrupted {
		text += "; interrupted: sweep again to go on"
	}
	return text
}

// short is the name of a type with that of its package, or a site with the name of its file.
func short(name string) string {
	if name == "" {
		return "-"
	}
	return path.Base(name)
}

func seconds(ms float64) string { return strconv.FormatFloat(ms/1000, 'f', 2, 64) + "s" }

// JSON writes the table with all that is known of each query. Without Timings it leaves out what two sweeps differ in.
func (t *Table) JSON(w io.Writer) error {
	var rows, totals any = t.Rows, t.Totals()
	if t.Rows == nil {
		rows = []Row{}
	}
	if !t.Timings {
		type row struct {
			Name  string             `json:"name,omitempty"`
			Query empire.QueryResult `json:"query"`
		}
		lasting := []row{}
		for _, r := range t.Rows {
			lasting = append(lasting, row{r.Name, r.Query})
		}
		type lastingTotals struct {
			Queries    int            `json:"queries"`
			Safe       int            `json:"safe"`
			Violations int            `json:"violations"`
			Unknown    int            `json:"unknown"`
			Reasons    map[string]int `json:"reasons"`
		}
		all := t.Totals()
		rows, totals = lasting, lastingTotals{all.Queries, all.Safe, all.Violations, all.Unknown, all.Reasons}
	}
	errors := t.Errors
	if errors == nil {
		errors = []string{}
	}
	out := json.NewEncoder(w)
	out.SetIndent("", "  ")
	out.SetEscapeHTML(false)
	return out.Encode(struct {
		Schema      int         `json:"schema"`
		Tool        empire.Tool `json:"tool"`
		ModuleRoot  string      `json:"moduleRoot"`
		Verdict     string      `json:"verdict"`
		Totals      any         `json:"totals"`
		Interrupted bool        `json:"interrupted"`
		Errors      []string    `json:"errors"`
		Rows        any         `json:"rows"`
	}{1, empire.Tool{Name: empire.Name, Version: empire.Version}, t.ModuleRoot, t.Verdict(), totals, t.Interrupted,
		errors, rows})
}

// CSV writes a line for each query and scenario, with a header. Without Timings the column of seconds is empty.
func (t *Table) CSV(w io.Writer) error {
	out := csv.NewWriter(w)
	lines := [][]string{{
		"entry", "type", "fields", "site", "callGraphNodes", "instructions", "keptNodes", "keptInstructions", "goroutines",
		"seconds",
		"scenario", "pattern", "verdict", "level", "length", "dataRace", "decidedBy", "reason", "id",
	}}
	for _, r := range t.Rows {
		q, m := r.Query, r.Query.Model
		head := []string{q.Entry, q.Type, strings.Join(q.Fields, " "), q.Site}
		for _, n := range []int{m.CallGraphNodes, m.Instructions, m.KeptNodes, m.KeptInstructions, m.Goroutines} {
			head = append(head, strconv.Itoa(n))
		}
		took := ""
		if t.Timings {
			took = strconv.FormatFloat(r.Milliseconds/1000, 'f', 3, 64)
		}
		head = append(head, took)
		if len(q.Scenarios) == 0 {
			lines = append(lines, append(head, "", "", q.Verdict, "", "", "", "", q.Reason, ""))
		}
		for _, s := range q.Scenarios {
			pattern, length := "", ""
			if s.Pattern != nil {
				pattern = strconv.Itoa(*s.Pattern)
			}
			if s.Verdict == empire.VerdictViolation {
				length = strconv.Itoa(len(s.Counterexample))
			}
			lines = append(lines, append(head[:len(head):len(head)], strconv.Itoa(s.Scenario), pattern, s.Verdict, s.Level,
				length,
				strconv.FormatBool(s.DataRace), s.DecidedBy, s.Reason, s.ID))
		}
	}
	return out.WriteAll(lines)
}
