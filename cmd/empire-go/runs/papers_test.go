package runs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"text/tabwriter"

	"go.yaml.in/yaml/v3"

	"github.com/empire-go/empire-go/cmd/empire-go/command"
)

// paperRows are what the papers report, and of which programs.
type paperRows struct {
	Cooperability []struct {
		Program, Paper                                           string
		Lines, Preemptive, Atomic, Cooperative, Intended, Errors int
		Args                                                     []string
	}
	Prediction []struct {
		Program, Paper                                           string
		Threads, Events, Blocks, Static, Safe, Violated, Unknown int
		Segment                                                  float64
		Args                                                     []string
	}
}

// TestPapers prints what the papers report beside what comes of our programs: points of interference and intended
// yields (Fig. 7), what further runs add (Fig. 8), and what is predicted from a run (Table I and Fig. 8 to 10 of the
// other paper). The programs are smaller than theirs, so that only the shape can be compared. What recording and
// checking cost (Fig. 9) is measured by dynamic/testdata/overhead.
//
//	EMPIRE_LONG=1 go test ./cmd/empire-go/runs -run TestPapers -v
func TestPapers(t *testing.T) {
	if os.Getenv("EMPIRE_LONG") == "" {
		t.Skip("takes minutes")
	}
	const root = "../../../testdata"
	text, err := os.ReadFile(root + "/cooperable/papers.yaml")
	var rows paperRows
	if err == nil {
		err = yaml.Unmarshal(text, &rows)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Run("cooperability", func(t *testing.T) {
		table := newPaperTable("program", "of", "lines", "preemptive", "atomic", "cooperative", "intended", "errors",
			"added by runs 1 to 4")
		for _, r := range rows.Cooperability {
			dir := root + "/cooperable/" + r.Program
			if r.Paper != "" {
				table.line(r.Paper, "paper", r.Lines, r.Preemptive, r.Atomic, r.Cooperative, r.Intended, r.Errors, "")
			}
			p := interference(t, dir, r.Args)
			table.line(r.Program, "ours", p.Lines, p.Preemptive, p.Atomic, p.Cooperative, p.Intended, p.Errors,
				added(t, dir, 4, r.Args))
		}
		t.Log(table)
	})
	t.Run("prediction", func(t *testing.T) {
		table := newPaperTable("trace", "of", "threads", "events", "blocks", "segment", "static", "safe", "violated",
			"unknown", "orders run", "without the segment")
		for _, r := range rows.Prediction {
			if r.Paper != "" {
				table.line(r.Paper, "paper", r.Threads, r.Events, r.Blocks, percent(r.Segment), r.Static, r.Safe, r.Violated,
					r.Unknown, "", "")
			}
			p := predicted(t, root+"/"+r.Program, r.Args)
			last, first := p.Rows[len(p.Rows)-1], p.Rows[0]
			table.line(r.Program, "ours", p.Threads, p.Events, p.Blocks, percent(p.SegmentPercent), last.Static,
				last.Static+last.Atomic, last.Violated, last.Unknown, last.Runs, first.Runs)
		}
		t.Log(table)
	})
}

// paperTable is a table with columns of the width that they need.
type paperTable struct {
	text bytes.Buffer
	w    *tabwriter.Writer
}

func newPaperTable(heads ...any) *paperTable {
	p := &paperTable{}
	p.w = tabwriter.NewWriter(&p.text, 0, 0, 2, ' ', tabwriter.AlignRight)
	p.line(heads...)
	return p
}

func (p *paperTable) line(cells ...any) {
	for _, c := range cells {
		fmt.Fprintf(p.w, "%v\t", c)
	}
	fmt.Fprintln(p.w)
}

func (p *paperTable) String() string {
	p.w.Flush()
	return "\n" + p.text.String()
}

func percent(x float64) string { return strconv.FormatFloat(x, 'f', 1, 64) + "%" }

// empireGo runs the command, with a report or a result in JSON that is read into result.
func empireGo(t *testing.T, result any, args ...string) {
	t.Helper()
	var stdout, stderr strings.Builder
	command.Run(args, &stdout, &stderr)
	if i := strings.Index(stdout.String(), "{\n"); result != nil && (i < 0 ||
		json.Unmarshal([]byte(stdout.String()[i:]), result) != nil) {
		t.Fatalf("%v: %s%s", args, stdout.String(), stderr.String())
	}
}

type interferenceRow struct {
	Lines, Preemptive, Atomic, Cooperative, Intended, Errors int
}

// interference counts the points of interference of a run.
func interference(t *testing.T, dir string, args []string) interferenceRow {
	var result struct{ Programs []interferenceRow }
	report := filepath.Join(t.TempDir(), "report.json")
	empireGo(t, nil, append([]string{"run", "--cooperable", "--seed", "1", "--table", "--format", "json", "--report",
		report, dir}, args...)...)
	text, err := os.ReadFile(report)
	if err == nil {
		err = json.Unmarshal(text, &result)
	}
	if err != nil || len(result.Programs) != 1 {
		t.Fatal(dir, err)
	}
	return result.Programs[0]
}

// added is how many yields each of some runs adds to those before it.
func added(t *testing.T, dir string, runs int, args []string) string {
	var result struct {
		Traces []struct{ Places []struct{} }
	}
	report := filepath.Join(t.TempDir(), "report.json")
	empireGo(t, nil, append([]string{"run", "--cooperable", "--seed", "1", "--runs", strconv.Itoa(runs), "--format",
		"json", "--report", report, dir}, args...)...)
	text, err := os.ReadFile(report)
	if err == nil {
		err = json.Unmarshal(text, &result)
	}
	if err != nil {
		t.Fatal(dir, err)
	}
	var all []string
	for _, r := range result.Traces {
		all = append(all, strconv.Itoa(len(r.Places)))
	}
	return strings.Join(all, " ")
}

type predictedTable struct {
	Threads, Events, Blocks int
	SegmentPercent          float64
	Rows                    []struct{ Static, Atomic, Violated, Unknown, Runs int }
}

// predicted is the table of the paper for a run of a program.
func predicted(t *testing.T, dir string, args []string) (p predictedTable) {
	trace := filepath.Join(t.TempDir(), "trace")
	empireGo(t, nil, append([]string{"run", "--predict", "--seed", "1", "--scenario", "1", "--trace", trace, "./" + dir},
		args...)...)
	empireGo(t, &p, "trace", "predict", "--blocks", "units", "--table", "--format", "json", trace)
	return p
}
