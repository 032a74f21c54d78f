// Command overhead measures what recording and checking cost, as Fig. 9 of "Cooperative Reasoning for Preemptive
// Execution" (PPoPP 2011) does: the programs of testdata/cooperable run plain, recorded without a checker (the paper's
// EMPTY; beside it, what recording only the candidates of "empire-go check" costs), recorded and checked for conflict serializability of their functions (VELODROME) and for cooperability (COPPER),
// and with the race detector, which the paper does not have. It prints the paper's rows beside ours, from papers.yaml.
//
//	go run ./dynamic/testdata/overhead
//
// Times are seconds of the processor, of the program and of the checker, which reads the trace after the run; memory is
// the sum of both peaks, as if the two ran at once. Slowdowns are against the plain run. Of size A the arrays would be
// recorded for minutes: the sizes are those of papers.yaml (timed).
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"go.yaml.in/yaml/v3"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/dynamic/record"
	"github.com/empire-go/empire-go/dynamic/trace"
)

const programs = "testdata/cooperable/"

var (
	runs  = flag.Int("runs", 3, "how often each is run; the median counts")
	only  = flag.String("only", "", "one program")
	child = flag.String("child", "", "what this process does: build, record, "+serialMode+" or "+cooperableMode)
	work  = flag.String("work", "", "the directory of the files")
)

// row is one program of papers.yaml. The paper's slowdown is that of cooperability.
type row struct {
	Program, Paper             string
	Timed                      []string
	Empty, Velodrome, Slowdown float64
	Memory                     []float64
}

func main() {
	flag.Parse()
	var err error
	switch *child {
	case "":
		err = table()
	case "build":
		err = build(flag.Arg(0))
	case "record":
		err = recordRun(flag.Arg(0), flag.Args()[1:])
	default:
		err = checkTrace(*child)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "overhead:", err)
		os.Exit(1)
	}
}

func table() error {
	var all struct{ Cooperability []row }
	text, err := os.ReadFile(programs + "papers.yaml")
	if err == nil {
		err = yaml.Unmarshal(text, &all)
	}
	if err != nil {
		return err
	}
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "program\tof\tplain s\tsets only\trecorded\tserializable\tcooperable\t-race\tplain MiB\tsets only\t"+
		"recorded\tserializable\tcooperable\t-race\tMevents\t")
	var paper, ours []*measured // of the programs that the paper has
	n := 0
	for _, r := range all.Cooperability {
		if r.Timed == nil || *only != "" && *only != r.Program {
			continue
		}
		fmt.Fprintln(os.Stderr, r.Program, strings.Join(r.Timed, " ")) // it takes minutes
		m, err := r.measure()
		if err != nil {
			return fmt.Errorf("%s: %w", r.Program, err)
		}
		if len(r.Memory) == 3 {
			paper, ours = append(paper, r.reported()), append(ours, m)
			fmt.Fprintf(out, "%s\tpaper\t\t%s\t\t%s\t\t\n", r.Paper, r.reported().factors(cpu), r.reported().factors(memory))
		}
		fmt.Fprintf(out, "%s\tours\t%.3f\t%s\t%.0f\t%s\t%.1f\t\n", strings.Join(append([]string{r.Program}, r.Timed...), " "),
			m.plain.CPU, m.factors(cpu), m.plain.Memory, m.factors(memory), m.events/1e6)
		n++
	}
	if n == 0 {
		return fmt.Errorf("no such program")
	}
	fmt.Fprintln(out, "average\tpaper, all\t\t\t5.2\t11.1\t11.6\t\t\t\t2.3\t4.3\t5.0\t\t\t")
	if len(ours) > 0 {
		for i, name := range []string{"average", "geometric mean"} {
			for _, of := range []struct {
				name string
				all  []*measured
			}{{"paper, these", paper}, {"ours", ours}} {
				m := means(of.all)[i]
				fmt.Fprintf(out, "%s\t%s\t\t%s\t\t%s\t\t\n", name, of.name, m.factors(cpu), m.factors(memory))
			}
		}
	}
	return out.Flush()
}

// reported is what the paper reports. It has no race detector, and no sets.
func (r row) reported() *measured {
	m := &measured{}
	for i, c := range []float64{r.Empty, r.Velodrome, r.Slowdown} {
		m.by[1+i] = cost{c, r.Memory[i]}
	}
	return m
}

// cost is seconds and MiB.
type cost struct{ CPU, Memory float64 }

func cpu(c cost) float64    { return c.CPU }
func memory(c cost) float64 { return c.Memory }

// measured are the costs of one program; those of checking are with recording.
type measured struct {
	plain  cost
	by     [5]cost // sets only, recorded, serializable, cooperable, -race: as factors of plain; 0 where there are none
	events float64
}

func (m *measured) factors(of func(cost) float64) string {
	var all []string
	for _, c := range m.by {
		text := ""
		if factor := of(c); factor > 0 {
			text = fmt.Sprintf("%.1f", factor)
		}
		all = append(all, text)
	}
	return strings.Join(all, "\t")
}

// means are the arithmetic and the geometric ones, in each column of those that have something there.
func means(all []*measured) [2]*measured {
	mean, geometric := &measured{}, &measured{}
	for i := range mean.by {
		sum, logs, n := cost{}, cost{}, 0.0
		for _, m := range all {
			if c := m.by[i]; c.CPU > 0 {
				sum, logs, n = plus(sum, c), plus(logs, cost{math.Log(c.CPU), math.Log(c.Memory)}), n+1
			}
		}
		if n > 0 {
			mean.by[i] = cost{sum.CPU / n, sum.Memory / n}
			geometric.by[i] = cost{math.Exp(logs.CPU / n), math.Exp(logs.Memory / n)}
		}
	}
	return [2]*measured{mean, geometric}
}

func (r row) measure() (*measured, error) {
	dir, err := os.MkdirTemp("", "overhead")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	self := func(mode string, args ...string) []string {
		return append([]string{os.Args[0], "-work", dir, "-child", mode}, args...)
	}
	// In a process of its own: the peak of a process counts for those that it starts.
	if _, err := execute(self("build", r.Program)); err != nil {
		return nil, err
	}
	m := &measured{}
	if m.plain, err = median(append([]string{filepath.Join(dir, "plain")}, r.Timed...)); err != nil {
		return nil, err
	}
	race, err := median(append([]string{filepath.Join(dir, "race")}, r.Timed...))
	if err != nil {
		return nil, err
	}
	var sets cost
	if _, err := os.Stat(filepath.Join(dir, "sets")); err == nil {
		if sets, err = median(self("record", append([]string{"sets"}, r.Timed...)...)); err != nil {
			return nil, err
		}
	}
	recorded, err := median(self("record", append([]string{"hooked"}, r.Timed...)...))
	if err != nil {
		return nil, err
	}
	serial, err := median(self(serialMode))
	if err != nil {
		return nil, err
	}
	cooperable, err := median(self(cooperableMode))
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(dir, "events"))
	if err == nil {
		_, err = fmt.Sscan(string(text), &m.events)
	}
	for i, c := range []cost{sets, recorded, plus(recorded, serial), plus(recorded, cooperable), race} {
		m.by[i] = cost{c.CPU / max(m.plain.CPU, 1e-3), c.Memory / m.plain.Memory}
	}
	return m, err
}

func plus(a, b cost) cost { return cost{a.CPU + b.CPU, a.Memory + b.Memory} }

// build builds a program plain, with the race detector and with hooks.
func build(name string) error {
	dir, ctx := "./"+programs+name, context.Background()
	for file, flags := range map[string][]string{"plain": nil, "race": {"-race"}} {
		args := append(append([]string{"build", "-o", filepath.Join(*work, file)}, flags...), dir)
		if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
	}
	request := empire.Request{Packages: []string{dir}}
	session, err := empire.Open(ctx, request)
	if err != nil {
		return err
	}
	plan, err := session.Watch(ctx, request)
	if nothing := (*empire.InputError)(nil); err != nil && !errors.As(err, &nothing) {
		return err
	}
	if err == nil {
		if err := hook(ctx, "sets", record.Build{Dir: ".", Packages: []string{dir}, Plan: plan}); err != nil {
			return err
		}
	}
	return hook(ctx, "hooked", record.Build{Dir: ".", Packages: []string{dir}, Full: true})
}

// hook builds a program with hooks into a file, and writes its header beside it.
func hook(ctx context.Context, name string, b record.Build) error {
	program, err := record.Make(ctx, b)
	if err != nil {
		return err
	}
	defer program.Close()
	file, err := program.Main(ctx)
	if err != nil {
		return err
	}
	header, err := json.Marshal(program.Header)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(*work, name+".json"), header, 0o600); err != nil {
		return err
	}
	return os.Rename(file, filepath.Join(*work, name))
}

// recordRun runs a program with hooks and keeps its trace.
func recordRun(name string, args []string) error {
	text, err := os.ReadFile(filepath.Join(*work, name+".json"))
	var h trace.Header
	if err == nil {
		err = json.Unmarshal(text, &h)
	}
	if err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(*work, "trace"))
	if err != nil {
		return err
	}
	defer f.Close()
	program := &record.Program{Header: h}
	run := record.Run{File: filepath.Join(*work, name), Args: args, Trace: f, Stderr: os.Stderr}
	_, err = program.Record(context.Background(), run, func(in io.Reader) error {
		_, err := io.Copy(io.Discard, in)
		return err
	})
	if err != nil {
		return err
	}
	return printUsage()
}

// median runs a command several times; the run with the median time counts.
func median(args []string) (cost, error) {
	var all []cost
	for range *runs {
		c, err := execute(args)
		if err != nil {
			return c, err
		}
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b cost) int { return int(math.Copysign(1, a.CPU-b.CPU)) })
	return all[len(all)/2], nil
}
