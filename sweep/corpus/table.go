package corpus

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	empire "github.com/empire-go/empire-go"
)

// Table is what was found out about modules, in their order.
type Table struct {
	Rows        []Row
	Interrupted bool // some modules are not there
	Timings     bool // print what two sweeps differ in: times, memory, and what was checked before
}

// Totals counts the rows.
type Totals struct {
	Modules    int            `json:"modules"`
	Results    map[string]int `json:"results"`
	Queries    int            `json:"queries"`
	Safe       int            `json:"safe"`
	Violations int            `json:"violations"`
	Harmful    int            `json:"harmful"`
	Unknown    int            `json:"unknown"`
	Internal   int            `json:"internal"`
}

// Totals counts the rows.
func (t *Table) Totals() Totals {
	sum := Totals{Modules: len(t.Rows), Results: map[string]int{}}
	for _, r := range t.Rows {
		sum.Results[r.Result]++
		sum.Queries += r.Queries
		sum.Safe += r.Safe
		sum.Violations += r.Violations
		sum.Harmful += r.Harmful
		sum.Unknown += r.Unknown
		sum.Internal += r.Internal
	}
	return sum
}

// Verdict is that of all modules together: of what was not checked nothing is known.
func (t *Table) Verdict() string {
	switch sum := t.Totals(); {
	case sum.Violations > 0:
		return empire.VerdictViolation
	case sum.Unknown > 0 || t.Interrupted || sum.Results[Checked] < sum.Modules || sum.Modules == 0:
		return empire.VerdictUnknown
	}
	return empire.VerdictSafe
}

// Text writes the table for people.
func (t *Table) Text(w io.Writer) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	columns := []string{"module", "version", "queries", "safe", "violated", "harmful", "unknown"}
	if t.Timings {
		columns = append(columns, "seconds", "peak MiB")
	}
	fmt.Fprintln(out, strings.Join(append(columns, "result"), "\t"))
	before := 0
	for _, r := range t.Rows {
		fmt.Fprintf(out, "%s\t%s\t%d\t%d\t%d\t%d\t%d\t", r.Module, r.Version, r.Queries, r.Safe, r.Violations, r.Harmful,
			r.Unknown)
		if t.Timings {
			fmt.Fprintf(out, "%.0f\t%.0f\t", r.Seconds, r.PeakMiB)
		}
		result := r.Result
		if r.Reason != "" {
			result += ": " + r.Reason
		}
		fmt.Fprintln(out, result)
		if r.Stored {
			before++
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	sum := t.Totals()
	var results []string
	for result, n := range sum.Results {
		results = append(results, fmt.Sprintf("%d %s", n, result))
	}
	slices.Sort(results)
	text := fmt.Sprintf("%d modules (%s); %d queries: %d safe, %d violated, %d unknown", sum.Modules,
		strings.Join(results, ", "), sum.Queries, sum.Safe, sum.Violations, sum.Unknown)
	if sum.Internal > 0 {
		text += fmt.Sprintf("; %d for a defect of the check", sum.Internal)
	}
	if before > 0 && t.Timings {
		text += fmt.Sprintf("; %d checked before", before)
	}
	if t.Interrupted {
		text += "; interrupted: sweep again to go on"
	}
	_, err := fmt.Fprintf(w, "\n%s\n", text)
	return err
}

// JSON writes the table for scripts.
func (t *Table) JSON(w io.Writer) error {
	type row struct { // what two sweeps differ in comes later in the list
		Row
		Seconds *float64 `json:"seconds,omitempty"`
		PeakMiB *float64 `json:"peakMiB,omitempty"`
		Stored  *bool    `json:"stored,omitempty"`
	}
	rows := []row{}
	for i, r := range t.Rows {
		one := row{Row: r}
		if t.Timings {
			own := &t.Rows[i]
			one.Seconds, one.PeakMiB, one.Stored = &own.Seconds, &own.PeakMiB, &own.Stored
		}
		rows = append(rows, one)
	}
	out := json.NewEncoder(w)
	out.SetIndent("", "  ")
	out.SetEscapeHTML(false)
	return out.Encode(struct {
		Schema      int         `json:"schema"`
		Tool        empire.Tool `json:"tool"`
		Verdict     string      `json:"verdict"`
		Totals      Totals      `json:"totals"`
		Interrupted bool        `json:"interrupted"`
		Rows        []row       `json:"rows"`
	}{1, empire.Tool{Name: empire.Name, Version: empire.Version}, t.Verdict(), t.Totals(), t.Interrupted, rows})
}

// CSV writes a line for each module, with a header. Without Timings the columns of seconds and memory are empty.
func (t *Table) CSV(w io.Writer) error {
	lines := [][]string{{"module", "version", "result", "queries", "safe", "violations", "harmful", "unknown", "internal",
		"seconds", "peakMiB", "reason"}}
	for _, r := range t.Rows {
		line := []string{r.Module, r.Version, r.Result}
		for _, n := range []int{r.Queries, r.Safe, r.Violations, r.Harmful, r.Unknown, r.Internal} {
			line = append(line, strconv.Itoa(n))
		}
		seconds, peak := "", ""
		if t.Timings {
			seconds, peak = strconv.FormatFloat(r.Seconds, 'f', 1, 64), strconv.FormatFloat(r.PeakMiB, 'f', 0, 64)
		}
		lines = append(lines, append(line, seconds, peak, r.Reason))
	}
	out := csv.NewWriter(w)
	return out.WriteAll(lines)
}
