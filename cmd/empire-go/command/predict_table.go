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

// predictTable runs the four scenarios of the paper on a trace.
func predictTable(cmd *cobra.Command, name string, f predictFlags) error {
	scenarios := []struct {
		name string
		set  func(o *predict.Options)
	}{
		{"no TAS", func(o *predict.Options) { o.NoSegment, o.NoStatic = true, true }},
		{"TAS, no SP", func(o *predict.Options) { o.NoStatic = true }},
		{"TAS, SP, CS = 5", func(o *predict.Options) { o.Explore.Switches = 5 }},
		{"TAS, SP", func(o *predict.Options) {}},
	}
	var rows []scenarioRow
	var last *predict.Report
	for _, s := range scenarios {
		r, _, err := predictFile(cmd, name, f, func(o *predict.Options) {
			o.Scenarios = nil
			s.set(o)
		})
		if err != nil {
			return err
		}
		rows = append(rows, scenarioRow{s.name, r.Static, r.Atomic, r.Violated, r.Bounded + r.Cut, r.Runs, r.Took.Seconds()})
		last = r
	}
	out := cmd.OutOrStdout()
	var err error
	if f.format == "json" {
		err = encodeJSON(out, tableJSON(name, last, rows))
	} else {
		err = writeTable(out, name, last, rows)
	}
	if err != nil {
		return asInputError("standard output", err)
	}
	return predictionStatus(last)
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
