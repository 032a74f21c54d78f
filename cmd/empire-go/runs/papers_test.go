package runs

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"text/tabwriter"

	"go.yaml.in/yaml/v3"

	"github.com/empire-go/empire-go/cmd/empire-go/command"
	"github.com/empire-go/empire-go/dynamic/record"
)

// paperRows are what the papers report, and of which programs.
type paperRows struct {
	Cooperability []struct {
		Program, Paper                                           string
		Lines, Preemptive, Atomic, Cooperative, Intended, Errors int
		Slowdown, Empty                                          float64
		Args, Timed                                              []string
	}
	Prediction []struct {
		Program, Paper                                           string
		Threads, Events, Blocks, Static, Safe, Violated, Unknown int
		Segment                                                  float64
	}
}

// TestPapers prints what the papers report beside what comes of our programs: points of interference and intended
// yields (Fig. 7), what further runs add (Fig. 8), how much slower a program is when it is recorded and checked
// (Fig. 9), and what is predicted from a run (Table I and Fig. 8 to 10 of the other paper). The programs are smaller
// than theirs, so that only the shape can be compared.
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
			"added by runs 1 to 4", "slower recorded", "checked", "-race")
		for _, r := range rows.Cooperability {
			dir := root + "/cooperable/" + r.Program
			if r.Paper != "" {
				table.line(r.Paper, "paper", r.Lines, r.Preemptive, r.Atomic, r.Cooperative, r.Intended, r.Errors, "",
					ratio(r.Empty), ratio(r.Slowdown), "")
			}
			p := interference(t, dir, r.Args)
			recorded, checked, race := slowdown(t, dir, r.Timed)
			table.line(r.Program, "ours", p.Lines, p.Preemptive, p.Atomic, p.Cooperative, p.Intended, p.Errors,
				added(t, dir, 4, r.Args), ratio(recorded), ratio(checked), ratio(race))
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
			p := predicted(t, root+"/"+r.Program)
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

func ratio(x float64) string {
	if x == 0 {
		return ""
	}
	return strconv.FormatFloat(x, 'f', 1, 64)
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

// slowdown is how much slower a program is when it is recorded, recorded and checked, and built with -race. How long
// the builds take does not count.
func slowdown(t *testing.T, dir string, args []string) (recorded, checked, race float64) {
	work := t.TempDir()
	plain := timed(t, dir, work+"/plain", args)
	raced := timed(t, dir, work+"/race", args, "-race")
	trace := work + "/trace"
	recorded, checked = recordedTimes(t, dir, trace, args)
	return recorded / plain, (recorded + checked) / plain, raced / plain
}

// timed is how many seconds of the processor a run of a program takes.
func timed(t *testing.T, dir, file string, args []string, flags ...string) float64 {
	if out, err := exec.Command("go", append(append([]string{"build", "-o", file}, flags...), "./"+dir)...).
		CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	begin := used()
	exec.Command(file, args...).Run() // its status does not matter
	return used() - begin
}

type predictedTable struct {
	Threads, Events, Blocks int
	SegmentPercent          float64
	Rows                    []struct{ Static, Atomic, Violated, Unknown, Runs int }
}

// predicted is the table of the paper for a run of a program.
func predicted(t *testing.T, dir string) (p predictedTable) {
	trace := filepath.Join(t.TempDir(), "trace")
	empireGo(t, nil, "run", "--predict", "--seed", "1", "--trace", trace, "./"+dir)
	empireGo(t, &p, "trace", "predict", "--blocks", "units", "--table", "--format", "json", trace)
	return p
}

// recordedTimes are the seconds of the processor that a run takes when all that it shares is recorded, and that
// checking takes.
func recordedTimes(t *testing.T, dir, name string, args []string) (recorded, checked float64) {
	p, err := record.Make(context.Background(), record.Build{Dir: ".", Packages: []string{"./" + dir}, Full: true})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	file, err := p.Main(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	begin := used()
	run := record.Run{File: file, Args: args, Trace: f, Stdout: io.Discard, Stderr: io.Discard}
	_, err = p.Record(context.Background(), run,
		func(in io.Reader) error {
			_, err := io.Copy(io.Discard, in)
			return err
		})
	if err != nil {
		t.Fatal(err)
	}
	recorded = used() - begin
	begin = used()
	empireGo(t, nil, "trace", "cooperable", "--format", "json", name)
	return recorded, used() - begin
}
