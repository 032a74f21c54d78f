package command

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/empire-go/empire-go/dynamic/predict"
)

// encodeJSON prints a value as all commands do.
func encodeJSON(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}

// scenarioRow is a row of the table of the paper.
type scenarioRow struct {
	Name    string  `json:"name"`
	Static  int     `json:"static"`
	Atomic  int     `json:"atomic"`
	Found   int     `json:"violated"`
	Unknown int     `json:"unknown"`
	Runs    int     `json:"runs"`
	Seconds float64 `json:"seconds"`
}

// traceTable is the table of the paper for a trace.
type traceTable struct {
	name string
	last *predict.Report // with the segment and the static check, without a bound
	rows []scenarioRow   // the first is without the segment
}

// predictTables prints the table of the paper for each trace, and then what its Fig. 8 to 10 show of all.
func predictTables(cmd *cobra.Command, names []string, f predictFlags) error {
	var all []traceTable
	for _, name := range names {
		t, err := newTraceTable(cmd, name, f)
		if err != nil {
			return err
		}
		all = append(all, t)
	}
	if f.picture != "" {
		draw := func(w io.Writer) error { return writeFigures(w, all) }
		if err := writeFile("--picture", f.picture, cmd.OutOrStdout(), draw); err != nil {
			return err
		}
	}
	if f.picture != dash {
		if err := printTables(cmd.OutOrStdout(), f.format, all); err != nil {
			return asInputError("standard output", err)
		}
	}
	worst := error(nil)
	for _, t := range all {
		worst = worstStatus(worst, predictionStatus(t.last))
	}
	return worst
}

// worstStatus is the first that applies of 2, 1, 3 and 0.
func worstStatus(a, b error) error {
	for _, s := range []status{statusFailed, statusViolation, statusUnknown} {
		if a == error(s) || b == error(s) {
			return s
		}
	}
	return nil
}

// newTraceTable runs the four scenarios of the paper on a trace.
func newTraceTable(cmd *cobra.Command, name string, f predictFlags) (traceTable, error) {
	scenarios := []struct {
		name string
		set  func(o *predict.Options)
	}{
		{"no TAS", func(o *predict.Options) { o.NoSegment, o.NoStatic = true, true }},
		{"TAS, no SP", func(o *predict.Options) { o.NoStatic = true }},
		{"TAS, SP, CS = 5", func(o *predict.Options) { o.Explore.Switches = 5 }},
		{"TAS, SP", func(o *predict.Options) {}},
	}
	t := traceTable{name: name}
	for _, s := range scenarios {
		r, _, err := predictFile(cmd, name, f, func(o *predict.Options) {
			o.Scenarios = nil
			s.set(o)
		})
		if err != nil {
			return t, err
		}
		t.rows = append(t.rows, scenarioRow{s.name, r.Static, r.Atomic, r.Violated, r.Bounded + r.Cut, r.Runs,
			r.Took.Seconds()})
		t.last = r
	}
	return t, nil
}

func printTables(out io.Writer, format string, all []traceTable) error {
	if format == "json" {
		if len(all) == 1 {
			return encodeJSON(out, tableJSON(all[0].name, all[0].last, all[0].rows))
		}
		var traces []any
		for _, t := range all {
			traces = append(traces, tableJSON(t.name, t.last, t.rows))
		}
		return encodeJSON(out, map[string]any{"schema": 1, "traces": traces})
	}
	for _, t := range all {
		if err := writeTable(out, t.name, t.last, t.rows); err != nil || len(all) == 1 {
			return err
		}
		fmt.Fprintln(out)
	}
	return writeSummary(out, all)
}

// writeSummary prints what Fig. 8 to 10 of the paper show.
func writeSummary(out io.Writer, all []traceTable) error {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "trace\tevents\tsegment\tno TAS: NV\tV\tTO\tTAS: SP\tNV\tV\tTO\tInt. TAS / no TAS\t"+
		"time TAS / no TAS\t")
	for _, of := range all {
		_, percent := averageSegment(of.last)
		without, with := of.rows[0], of.rows[len(of.rows)-1]
		fmt.Fprintf(t, "%s\t%d\t%.1f%%\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%s\t%s\t\n", of.name, of.last.Events, percent,
			without.Atomic+without.Static, without.Found, without.Unknown, with.Static, with.Atomic, with.Found,
			with.Unknown, ratio(float64(with.Runs), float64(without.Runs)), ratio(with.Seconds, without.Seconds))
	}
	return t.Flush()
}

// ratio is a number against another one.
func ratio(a, b float64) string {
	if b == 0 {
		return "-"
	}
	return fmt.Sprintf("%.3f", a/b)
}

// averageSegment is the average size of a segment, and which part of the trace that is, in percent.
func averageSegment(r *predict.Report) (size, percent float64) {
	if r.Blocks == 0 {
		return 0, 0
	}
	size = float64(r.SegmentSize) / float64(r.Blocks)
	return size, 100 * size / float64(r.Events)
}

func writeTable(w io.Writer, name string, r *predict.Report, rows []scenarioRow) error {
	size, percent := averageSegment(r)
	fmt.Fprintf(w, "%s: %s, %s; %s of %s; %s of %s; %s\n", name, count(r.Threads, "thread"), count(r.Events, "event"),
		count(r.Locks.Events, "operation"), count(r.Locks.Objects, "lock"), count(r.Accesses.Events, "access"),
		count(r.Accesses.Objects, "variable"), count(r.Waits, "wait or notify event"))
	fmt.Fprintf(w, "%s; a segment has %.1f events on average, %.1f%% of the trace\n\n", count(r.Blocks, "block"), size,
		percent)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "\tSP\tNV\tV\tTO\tInt.\tTime\t")
	for _, row := range rows {
		static := "-"
		if row.Static > 0 {
			static = fmt.Sprintf("%d (%.1f%%)", row.Static, 100*float64(row.Static)/float64(max(1, r.Blocks)))
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%d\t%d\t%.3fs\t\n", row.Name, static, row.Atomic+row.Static, row.Found, row.Unknown,
			row.Runs, row.Seconds)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w, "\nSP proved by the static check; NV no violation possible, SP included; V violated; "+
		"TO not known; Int. orders that were run")
	return err
}

func tableJSON(name string, r *predict.Report, rows []scenarioRow) any {
	size, percent := averageSegment(r)
	return map[string]any{"schema": 1, "trace": name, "threads": r.Threads, "events": r.Events,
		"lockEvents": r.Locks.Events, "locks": r.Locks.Objects, "accesses": r.Accesses.Events,
		"variables": r.Accesses.Objects, "waitEvents": r.Waits, "blocks": r.Blocks, "segment": size,
		"segmentPercent": percent, "rows": rows}
}
