// Package facttest holds what analyses of the front end claim to what random programs do when
// the interpreter runs them: a test of an analysis turns its result into facts (see package
// judge), and fails with the program, the schedule and the fact in words.
//
// EMPIRE_RANDOM is how many programs a test runs, EMPIRE_SEED the first one, EMPIRE_SHAPES=1 takes
// those that are made around one idiom, else they alternate; EMPIRE_ONLY is what they have to
// contain. EMPIRE_FACTS is in the names of the analyses that are judged; EMPIRE_KEEP is the folder
// that programs are written to in which a fact is refuted.
package facttest

import (
	"context"
	"errors"
	"fmt"
	"go/format"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/execute"
	"github.com/empire-go/empire-go/frontend/execute/judge"
	"github.com/empire-go/empire-go/frontend/execute/random"
	"github.com/empire-go/empire-go/frontend/harness"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/load"
	"github.com/empire-go/empire-go/frontend/pointsto"
)

// Program is one that is ready to be analysed and to be run.
type Program struct {
	Name, Text string
	Loaded     *load.Program
	Main       *ssa.Package
	Run        *execute.Program

	graph, insensitive *pointsto.Result
}

// Facts are what an analysis claims of a program.
type Facts func(t *testing.T, p *Program) []judge.Fact

// Analysis is one whose facts are judged.
type Analysis struct {
	Name       string
	Of         []string                                          // what claims them: exported functions of the rooms
	Facts      Facts                                             // nil: none
	Irrelevant func(t *testing.T, p *Program) []judge.Irrelevant // nil: none
	Rare       string                                            // why few programs may have none; else that is an error
}

// batch is how many programs are loaded together.
const batch = 200

// Judge runs random programs, as many as the environment says or else a few, and holds the facts
// of the analyses to them.
func Judge(t *testing.T, few int, all ...Analysis) {
	JudgeOf(t, few, programOf, all...)
}

// JudgeOf is Judge with the programs that generate returns for seeds.
func JudgeOf(t *testing.T, few int, generate func(seed int64) string, all ...Analysis) {
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	only := os.Getenv("EMPIRE_FACTS")
	all = slices.DeleteFunc(slices.Clone(all), func(a Analysis) bool { return !strings.Contains(a.Name, only) })
	count, first := few, int64(1)
	if n, err := strconv.Atoi(os.Getenv("EMPIRE_RANDOM")); err == nil {
		count = n
	} else if os.Getenv("EMPIRE_LONG") != "" {
		count = 20_000
	}
	if n, err := strconv.ParseInt(os.Getenv("EMPIRE_SEED"), 10, 64); err == nil {
		first = n
	}
	n := &tallies{of: map[row]*tally{}, skipped: map[string]int{}}
	for from := first; from < first+int64(count); from += batch {
		texts := map[string]string{}
		for seed := from; seed < min(from+batch, first+int64(count)); seed++ {
			texts[fmt.Sprintf("p%d", seed)] = textOf(t, seed, generate)
		}
		for _, p := range Load(t, texts) {
			n.judge(t, p, all)
		}
	}
	n.print(t, all, only == "" && os.Getenv("EMPIRE_ONLY") == "" && count >= few)
}

// programOf returns the program of a seed.
func programOf(seed int64) string {
	if os.Getenv("EMPIRE_SHAPES") == "1" || os.Getenv("EMPIRE_SHAPES") == "" && seed%2 == 0 {
		return random.Shape(seed)
	}
	return random.Program(seed)
}

// textOf returns the program of a seed, "" if it is not wanted.
func textOf(t *testing.T, seed int64, generate func(seed int64) string) string {
	text := generate(seed)
	if !strings.Contains(text, os.Getenv("EMPIRE_ONLY")) {
		return ""
	}
	formatted, err := format.Source([]byte(text))
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, text)
	}
	return string(formatted)
}

// Load loads programs, which are given by their names, in order.
func Load(t *testing.T, texts map[string]string) []*Program {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), "module example.com/random\n\ngo 1.26\n")
	wanted := false
	for name, text := range texts {
		if text != "" {
			write(t, filepath.Join(dir, name, "main.go"), text)
			wanted = true
		}
	}
	if !wanted {
		return nil
	}
	loaded, err := load.Load(t.Context(), load.Config{Dir: dir, Patterns: []string{"./..."}})
	if err != nil {
		t.Fatal(err)
	}
	var all []*Program
	for _, main := range loaded.Mains() {
		own := loaded.Only(main.Pkg.Path())
		name := filepath.Base(main.Pkg.Path())
		entry := harness.Mains(own)[0]
		p := &Program{Name: name, Text: texts[name], Loaded: own, Main: entry.Main, Run: execute.New(entry.Main, nil)}
		all = append(all, p)
	}
	return all
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// row is a kind of fact that an analysis claims: a line of the table.
type row struct{ analysis, kind string }

// tally counts over all programs.
type tally struct {
	facts, checked, checks, refuted int
}

// tallies are those of the kinds of facts, and of the programs.
type tallies struct {
	of             map[row]*tally
	programs, runs int
	skipped        map[string]int
}

// rowOf returns the line of the table for a fact.
func (n *tallies) rowOf(a Analysis, f judge.Fact) *tally {
	r := row{a.Name, strings.TrimPrefix(fmt.Sprintf("%T", f), "judge.")}
	if n.of[r] == nil {
		n.of[r] = &tally{}
	}
	return n.of[r]
}

// print prints the table. If the programs are enough, it is an error that runs have not come to a
// single fact of a kind.
func (n *tallies) print(t *testing.T, all []Analysis, enough bool) {
	var text strings.Builder
	fmt.Fprintf(&text, "%d programs, %d runs; cut short: %v\n", n.programs, n.runs, n.skipped)
	fmt.Fprintf(&text, "%-32s %-14s %9s %9s %11s %7s\n",
		"analysis", "kind of fact", "claimed", "reached", "checks", "refuted")
	for _, a := range all {
		rows := slices.DeleteFunc(slices.Collect(maps.Keys(n.of)), func(r row) bool { return r.analysis != a.Name })
		slices.SortFunc(rows, func(r, s row) int { return strings.Compare(r.kind, s.kind) })
		never := ""
		if len(rows) == 0 {
			never = "nothing is claimed"
			fmt.Fprintf(&text, "%-32s %-14s %9d  %s\n", a.Name, "-", 0, a.Rare)
		}
		for _, r := range rows {
			of := n.of[r]
			fmt.Fprintf(&text, "%-32s %-14s %9d %9d %11d %7d\n", a.Name, r.kind, of.facts, of.checked, of.checks, of.refuted)
			if of.checked == 0 {
				never = "no run came to a fact of kind " + r.kind
			}
		}
		if never != "" && a.Rare == "" && enough {
			t.Errorf("%s: %s", a.Name, never)
		}
	}
	t.Log(text.String())
}

// schedules is how many a program is run under.
const schedules = 10

func (n *tallies) judge(t *testing.T, p *Program, all []Analysis) {
	var facts []judge.Fact
	var by []*tally
	var names []string
	for _, a := range all {
		if a.Irrelevant != nil {
			n.compare(t, p, a)
		}
		if a.Facts == nil {
			continue
		}
		for _, f := range a.Facts(t, p) {
			facts, by, names = append(facts, f), append(by, n.rowOf(a, f)), append(names, a.Name)
		}
	}
	v, err := judge.Check(p.Run, facts, judge.Small(schedules))
	var unsupported *execute.Unsupported
	switch {
	case errors.As(err, &unsupported):
		n.skipped[err.Error()]++
	case err != nil:
		t.Errorf("%s: %v", p.Name, err)
	}
	n.programs++
	n.add(t, p, v, by, names)
}

// attempts is how hard claims of irrelevance are tried.
var attempts = judge.Attempts{Schedules: 16, Reads: 3, Values: 6}

// compare judges claims about two runs.
func (n *tallies) compare(t *testing.T, p *Program, a Analysis) {
	facts := a.Irrelevant(t, p)
	v, err := judge.CheckRelevance(p.Run, facts, attempts)
	if err != nil {
		n.skipped[err.Error()]++
	}
	by, names := make([]*tally, len(facts)), make([]string, len(facts))
	for i, f := range facts {
		by[i], names[i] = n.rowOf(a, f), a.Name
	}
	n.add(t, p, v, by, names)
}

// add counts what became of facts, of analyses by and names, and reports those that are refuted.
func (n *tallies) add(t *testing.T, p *Program, v *judge.Verdict, by []*tally, names []string) {
	n.runs += v.Runs
	for i, checks := range v.Checks {
		by[i].facts++
		by[i].checks += checks
		if checks > 0 {
			by[i].checked++
		}
	}
	for i, r := range v.Refuted {
		if i == 0 {
			p.keep(t)
			t.Errorf("%s:\n%s", p.Name, p.Text)
		}
		by[r.Number].refuted++
		t.Errorf("%s: %s: %v", p.Name, names[r.Number], r)
	}
}

// keep writes the program into the folder that EMPIRE_KEEP names.
func (p *Program) keep(t *testing.T) {
	if dir := os.Getenv("EMPIRE_KEEP"); dir != "" {
		write(t, filepath.Join(dir, p.Name, "main.go"), p.Text)
	}
}

// Graph returns the call graph and the points-to sets of the program, with each function of its
// own and of package sync analysed once per receiver and call.
func (p *Program) Graph(t *testing.T) *pointsto.Result {
	t.Helper()
	if p.graph == nil {
		own := func(f *ssa.Function) bool {
			f = knowledge.Outermost(f)
			return f.Pkg != nil && (f.Pkg == p.Main || f.Pkg.Pkg.Path() == "sync")
		}
		p.graph = p.Analyze(t, pointsto.Sensitivity{Receiver: own, CallSite: own})
	}
	return p.graph
}

// Insensitive returns the same with one node for each function, but for those that the compiler makes.
func (p *Program) Insensitive(t *testing.T) *pointsto.Result {
	t.Helper()
	if p.insensitive == nil {
		p.insensitive = p.Analyze(t, pointsto.Sensitivity{})
	}
	return p.insensitive
}

// Analyze returns the same with another sensitivity.
func (p *Program) Analyze(t *testing.T, s pointsto.Sensitivity) *pointsto.Result {
	t.Helper()
	r, err := pointsto.Analyze(context.Background(), pointsto.Config{
		Program: p.Loaded.SSA, Roots: []*ssa.Function{p.Main.Func("init"), p.Main.Func("main")}, Sensitivity: s,
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// IsOwn tells whether a function is one of the program's own, which is run as it is written.
func (p *Program) IsOwn(f *ssa.Function) bool {
	f = knowledge.Outermost(f)
	return f.Pkg == p.Main && f.Synthetic == ""
}

// Instructions calls f for each instruction of the program's own nodes.
func (p *Program) Instructions(r *pointsto.Result, f func(n *pointsto.Node, i ssa.Instruction)) {
	for _, n := range r.Nodes() {
		if !p.IsOwn(n.Func) {
			continue
		}
		for _, b := range n.Func.Blocks {
			for _, i := range b.Instrs {
				if _, ok := i.(*ssa.DebugRef); !ok {
					f(n, i)
				}
			}
		}
	}
}
