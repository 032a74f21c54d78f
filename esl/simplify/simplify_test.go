package simplify_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/esl/interp"
	"github.com/empire-go/empire-go/esl/random"
	"github.com/empire-go/empire-go/esl/simplify"
	"github.com/empire-go/empire-go/internal/testmain"
)

// TestSameVerdicts compares random programs with what becomes of them: explored in
// full by the interpreter, the same scenarios and data races occur in both, and the
// shortest runs are as long. EMPIRE_LONG=n multiplies the programs.
func TestSameVerdicts(t *testing.T) {
	n := testmain.Count(300)
	compared, before, after := 0, 0, 0
	for seed := range uint64(n) {
		p := random.Program(seed, random.Shape{})
		q, origin, err := simplify.Program(t.Context(), p, func(int) string { return "" })
		if err != nil {
			t.Fatal(err)
		}
		if err := esl.Validate(q); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text(q))
		}
		if len(origin) != len(q.Functions) {
			t.Fatalf("seed %d: %d origins of %d functions", seed, len(origin), len(q.Functions))
		}
		before, after = before+statements(p), after+statements(q)
		want, ok1 := outcomes(p)
		got, ok2 := outcomes(q)
		if !ok1 || !ok2 {
			continue
		}
		compared++
		if !slices.Equal(want, got) && standsStill(q) {
			countAsUpdates(p) // which of them commute is told from code that is cut off, too
			countAsUpdates(q)
			want, ok1 = outcomes(p)
			got, ok2 = outcomes(q)
		}
		if ok1 && ok2 && !slices.Equal(want, got) {
			t.Fatalf("seed %d: %v, simplified %v\n%s\n%s", seed, want, got, text(p), text(q))
		}
	}
	t.Logf("%d of %d programs compared; %d statements, simplified %d", compared, n, before, after)
	if compared < n/2 {
		t.Errorf("only %d of %d programs were explored in full", compared, n)
	}
}

// TestStarters lets library goroutines start the goroutines of random programs: they
// go, and nothing that can happen is lost. Where there is one copy of each goroutine,
// nothing is new either.
func TestStarters(t *testing.T) {
	collapsed := 0
	for seed := range uint64(200) {
		p := random.Program(seed, random.Shape{})
		copies := addStarters(p)
		if err := esl.Validate(p); err != nil {
			t.Fatal(err)
		}
		q, _, err := simplify.Program(t.Context(), p, func(int) string { return "" })
		if err != nil {
			t.Fatal(err)
		}
		if err := esl.Validate(q); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text(q))
		}
		if len(q.Processes) < len(p.Processes) {
			collapsed++
		}
		want, ok1 := outcomes(p)
		got, ok2 := outcomes(q)
		lost := slices.ContainsFunc(want, func(o string) bool { return !slices.Contains(got, o) })
		if ok1 && ok2 && (lost || copies == 1 && !slices.Equal(want, got)) {
			t.Fatalf("seed %d: %v, simplified %v\n%s\n%s", seed, want, got, text(p), text(q))
		}
	}
	if collapsed < 50 {
		t.Errorf("only %d of 200 programs have a goroutine less", collapsed)
	}
}

// TestRelocks lets functions of random programs call others in the middle, many of which take locks that are held there
// already: what is cut off behind that could never happen.
func TestRelocks(t *testing.T) {
	n := testmain.Count(300)
	compared, cut := 0, 0
	for seed := range uint64(n) {
		p := random.Program(seed, random.Shape{})
		addCalls(p, rand.New(rand.NewPCG(seed, 1)))
		countAsUpdates(p)
		q, _, err := simplify.Program(t.Context(), p, func(int) string { return "" })
		if err != nil {
			t.Fatal(err)
		}
		if err := esl.Validate(q); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text(q))
		}
		want, ok1 := outcomes(p)
		got, ok2 := outcomes(q)
		if !ok1 || !ok2 {
			continue
		}
		compared++
		if standsStill(q) && !standsStill(p) {
			cut++
		}
		if !slices.Equal(want, got) {
			t.Fatalf("seed %d: %v, simplified %v\n%s\n%s", seed, want, got, text(p), text(q))
		}
	}
	t.Logf("%d of %d programs compared, of which %d have something cut off", compared, n, cut)
	if compared < n/2 || cut < n/20 {
		t.Errorf("only %d of %d programs were explored in full, and %d have something cut off", compared, n, cut)
	}
}

// addCalls puts up to four calls into functions of a program, behind statements that take locks where there are some.
func addCalls(p *esl.Program, r *rand.Rand) {
	for range 1 + r.IntN(4) {
		f := &p.Functions[r.IntN(len(p.Functions))]
		var places []int
		for i, s := range f.Body {
			if s.Op == esl.LockOp || s.Op == esl.RLock {
				places = append(places, i+1)
			}
		}
		at := r.IntN(len(f.Body) + 1)
		if len(places) > 0 && r.IntN(4) > 0 {
			at = places[r.IntN(len(places))]
		}
		f.Body = slices.Insert(f.Body, at, esl.Stmt{Op: esl.Call, Arg: r.IntN(len(p.Functions))})
		for i := range f.Body {
			for j, to := range f.Body[i].Targets {
				if to >= at && i != at {
					f.Body[i].Targets[j]++
				}
			}
		}
	}
}

// countAsUpdates makes increments updates like any: that they commute is a fact about all code of a unit, also where
// that comes after a lock that the unit holds already.
func countAsUpdates(p *esl.Program) {
	for _, f := range p.Functions {
		for i, s := range f.Body {
			if s.Op == esl.Access && s.Access == esl.Increment {
				f.Body[i].Access = esl.RMW
			}
		}
	}
}

// standsStill tells whether the program has a statement at which a process is stuck for ever.
func standsStill(p *esl.Program) bool {
	return slices.ContainsFunc(p.Functions, func(f esl.Function) bool {
		return slices.ContainsFunc(f.Body, func(s esl.Stmt) bool { return s.Op == esl.Choice && len(s.Targets) == 0 })
	})
}

// addStarters has each goroutine that nobody waits for started by one of the library,
// and returns how many copies there are of the goroutine with most.
func addStarters(p *esl.Program) (copies int) {
	joined := map[int]bool{}
	for _, f := range p.Functions {
		for _, s := range f.Body {
			if s.Op == esl.Join {
				joined[s.Arg] = true
			}
		}
	}
	starter := map[int]int{}
	functions := len(p.Functions)
	for i, q := range p.Processes {
		copies = max(copies, q.Copies)
		if q.Initial || joined[i] {
			continue
		}
		starter[i] = len(p.Processes)
		p.Processes = append(p.Processes, esl.Process{
			Name: fmt.Sprint("starter", i), Entry: len(p.Functions), Copies: q.Copies,
			Pos: esl.Pos{File: "$GOROOT/src/net/http/server.go", Line: i + 1}})
		p.Functions = append(p.Functions, esl.Function{
			Name: fmt.Sprint("starter ", i), Body: []esl.Stmt{{Op: esl.Start, Arg: i}, {Op: esl.Return}}})
	}
	for f := range functions {
		for i, s := range p.Functions[f].Body {
			if by, ok := starter[s.Arg]; ok && s.Op == esl.Start {
				p.Functions[f].Body[i].Arg = by
			}
		}
	}
	return copies
}

func statements(p *esl.Program) (n int) {
	for _, f := range p.Functions {
		n += len(f.Body)
	}
	return n
}

// outcomes describes all that the interpreter finds, without names of functions. ok
// is false if it did not end.
func outcomes(p *esl.Program) (all []string, ok bool) {
	x := interp.Explore(context.Background(), p, interp.Bounds{States: 20_000, Depth: 4})
	for _, f := range x.Occurrences {
		all = append(all, fmt.Sprint(f.Scenario, f.U.UnitName, f.V.UnitName))
	}
	for _, r := range x.Races {
		all = append(all, fmt.Sprint("race on ", r.Location))
	}
	slices.Sort(all)
	return slices.Compact(all), x.Complete
}

var update = flag.Bool("update", false, "rewrite the expected programs in testdata")

// TestSimplify shows what becomes of the programs in testdata/*.txtar, each of which
// holds before.esl and after.esl.
func TestSimplify(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil || len(archive.Files) != 2 {
			t.Fatalf("%s: %v; want before.esl and after.esl", path, err)
		}
		p, err := esl.Parse(path, archive.Files[0].Data)
		if err != nil {
			t.Fatal(err)
		}
		q, _, err := simplify.Program(t.Context(), p, func(int) string { return "" })
		if err != nil {
			t.Fatal(err)
		}
		if err := esl.Validate(q); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		if got := text(q); got != string(archive.Files[1].Data) {
			if !*update {
				t.Errorf("%s: -update accepts\n%s", path, cmp.Diff(string(archive.Files[1].Data), got))
				continue
			}
			archive.Files[1].Data = []byte(got)
			if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func text(p *esl.Program) string {
	var b strings.Builder
	if err := esl.Print(&b, p); err != nil {
		return err.Error()
	}
	return b.String()
}
