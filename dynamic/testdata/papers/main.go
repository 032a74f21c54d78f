// Command papers prints what two papers report beside what comes of our programs (testdata/cooperable/papers.yaml):
// points of interference and intended yields, and what further runs add (Fig. 7 and 8 of "Cooperative Reasoning for
// Preemptive Execution"), and what is predicted from a run (Table I and Fig. 8 to 10 of the paper on the trace atomicity
// segment).
//
//	go run ./dynamic/testdata/papers
//	go run ./dynamic/testdata/papers -table predicted -only cooperable/philo
//
// Rows come when they are known, and all takes some minutes. The programs are smaller than the papers', so that only
// the shape can be compared. What recording and checking cost (Fig. 9) is measured by dynamic/testdata/overhead.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/empire-go/empire-go/cmd/empire-go/command"
)

var (
	table = flag.String("table", "all", "interference, runs, predicted or all")
	only  = flag.String("only", "", "one program")
	runs  = flag.Int("runs", 4, "how many runs of a program are looked at, in the table of runs")
	// Without the segment the search for units takes hours where they wait for each other, as it did for the paper.
	blocks = flag.String("blocks", "sections", "what is to be atomic in the table of predictions: sections, as in "+
		"the paper, or units")
)

// interfered is a row of Fig. 7: what the paper reports, or what comes of a run of ours.
type interfered struct {
	Goroutines, Lines, Preemptive, Atomic, Cooperative, Intended, Errors, Races int
}

// rows are what the papers report, and of which programs.
type rows struct {
	Cooperability []struct {
		Program, Paper string
		Args           []string
		interfered     `yaml:",inline"`
	}
	Prediction []struct {
		Program, Paper                                           string
		Threads, Events, Blocks, Static, Safe, Violated, Unknown int
		Segment                                                  float64
		Args                                                     []string
	}
}

func main() {
	flag.Parse()
	if err := tables(); err != nil {
		fmt.Fprintln(os.Stderr, "papers:", err)
		os.Exit(1)
	}
}

func tables() error {
	work, err := os.MkdirTemp("", "papers")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	var all rows
	text, err := os.ReadFile("testdata/cooperable/papers.yaml")
	if err == nil {
		err = yaml.Unmarshal(text, &all)
	}
	if err != nil {
		return err
	}
	parts := map[string]func(rows, string) error{
		"interference": interference, "runs": furtherRuns, "predicted": predicted}
	if *table != "all" {
		part := parts[*table]
		if part == nil {
			return fmt.Errorf("-table: no table %q; write interference, runs, predicted or all", *table)
		}
		return part(all, work)
	}
	return errors.Join(interference(all, work), furtherRuns(all, work), predicted(all, work))
}

// isAsked tells whether a program is looked at.
func isAsked(program string) bool { return *only == "" || *only == program }

// interference is Fig. 7, with the densities for each hundred lines.
func interference(all rows, work string) error {
	columns := "%-16s %-6s %10s %6s %10s %7s %6s %7s %11s %7s %8s %6s %5s\n"
	fmt.Printf(columns, "program", "of", "goroutines", "lines", "preemptive", "", "atomic", "", "cooperative", "",
		"intended", "errors", "races")
	row := func(name, of string, r interfered) {
		racing := ""
		if of == "ours" {
			racing = strconv.Itoa(r.Races) // the paper does not count them
		}
		n, density := strconv.Itoa, func(points int) string {
			return strconv.FormatFloat(100*float64(points)/float64(max(1, r.Lines)), 'f', 2, 64) + "%"
		}
		fmt.Printf(columns, name, of, n(r.Goroutines), n(r.Lines), n(r.Preemptive), density(r.Preemptive), n(r.Atomic),
			density(r.Atomic), n(r.Cooperative), density(r.Cooperative), n(r.Intended), n(r.Errors), racing)
	}
	var paper, ours interfered
	for _, r := range all.Cooperability {
		if !isAsked(r.Program) {
			continue
		}
		if r.Paper != "" {
			row(r.Paper, "paper", r.interfered)
			paper.add(r.interfered)
		}
		var result struct{ Programs []interfered }
		err := empireGo(work, &result, r.Args, "run", "--cooperable", "--seed", "1", "--table", dir(r.Program))
		if err != nil {
			return err
		}
		row(r.Program, "ours", result.Programs[0])
		if r.Paper != "" {
			ours.add(result.Programs[0])
		}
	}
	row("these together", "paper", paper)
	row("these together", "ours", ours)
	fmt.Println()
	return nil
}

func (r *interfered) add(other interfered) {
	r.Goroutines += other.Goroutines
	r.Lines += other.Lines
	r.Preemptive += other.Preemptive
	r.Atomic += other.Atomic
	r.Cooperative += other.Cooperative
	r.Intended += other.Intended
	r.Errors += other.Errors
	r.Races += other.Races
}

// furtherRuns is Fig. 8: how many yields each run adds to those before it. Yields that are in the source are not
// among them.
func furtherRuns(all rows, work string) error {
	fmt.Println("yields that each run adds, beside those of the source")
	for _, r := range all.Cooperability {
		if !isAsked(r.Program) {
			continue
		}
		var result struct {
			Traces []struct{ Places []struct{} }
		}
		if err := empireGo(work, &result, r.Args, "run", "--cooperable", "--seed", "1", "--runs", strconv.Itoa(*runs),
			dir(r.Program)); err != nil {
			return err
		}
		fmt.Printf("%-16s", r.Program)
		for _, t := range result.Traces {
			fmt.Printf(" %4d", len(t.Places))
		}
		fmt.Println()
	}
	fmt.Println()
	return nil
}

// prediction is what is predicted from a trace.
type prediction struct {
	Threads, Events, Blocks    int
	SegmentPercent             float64
	LockEvents, Locks          int
	Accesses, Variables, Waits int
	Rows                       []struct {
		Name                                    string
		Static, Atomic, Violated, Unknown, Runs int
		Seconds                                 float64
	}
}

// predicted is Table I, with what Fig. 8 to 10 show of it.
func predicted(all rows, work string) error {
	columns := "%-26s %-16s %7v %7v %6v %8v %6v %6v %5v %5v %9v %8v\n"
	fmt.Printf(columns, "trace", "of", "threads", "events", "blocks", "segment", "static", "no", "yes", "open",
		"orders", "seconds")
	for _, r := range all.Prediction {
		if !isAsked(r.Program) {
			continue
		}
		if r.Paper != "" {
			fmt.Printf(columns, r.Paper, "paper", r.Threads, r.Events, r.Blocks, percent(r.Segment), r.Static, r.Safe,
				r.Violated, r.Unknown, "", "")
		}
		trace := filepath.Join(work, "trace")
		if err := empireGo(work, nil, r.Args, "run", "--predict", "--seed", "1", "--scenario", "1", "--trace", trace,
			"./testdata/"+r.Program); err != nil {
			return err
		}
		var p prediction
		if err := empireGo(work, &p, nil, "trace", "predict", "--blocks", *blocks, "--table", trace); err != nil {
			return err
		}
		for _, row := range p.Rows {
			fmt.Printf(columns, r.Program, row.Name, p.Threads, p.Events, p.Blocks, percent(p.SegmentPercent),
				row.Static, row.Static+row.Atomic, row.Violated, row.Unknown, row.Runs,
				strconv.FormatFloat(row.Seconds, 'f', 3, 64))
		}
	}
	fmt.Println("\nstatic: blocks of which the static check proves that no violation is possible; no, yes: of which " +
		"none is possible, or one is;\nopen: not known; orders: that were run; segment: its average size, of the trace")
	return nil
}

func dir(program string) string { return "./testdata/cooperable/" + program }

func percent(x float64) string { return strconv.FormatFloat(x, 'f', 1, 64) + "%" }

// empireGo runs the command, and reads the report that it writes, or its output, into result.
func empireGo(work string, result any, programArgs []string, args ...string) error {
	report := filepath.Join(work, "report.json")
	os.Remove(report)
	isTrace := args[0] == "trace"
	all := append([]string{}, args...)
	if result != nil {
		all = append(all[:len(all)-1], "--format", "json")
		if !isTrace {
			all = append(all, "--report", report)
		}
		all = append(all, args[len(args)-1])
	}
	var stdout, stderr strings.Builder
	command.Run(append(all, programArgs...), &stdout, &stderr)
	if result == nil {
		return nil
	}
	text, err := []byte(stdout.String()), error(nil)
	if !isTrace {
		text, err = os.ReadFile(report)
	}
	if err == nil {
		err = json.Unmarshal(text, result)
	}
	if err != nil {
		return fmt.Errorf("%v: %w: %s", args, err, stderr.String())
	}
	return nil
}
