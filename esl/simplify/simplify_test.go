package simplify_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/esl/interp"
	"github.com/empire-go/empire-go/esl/random"
	"github.com/empire-go/empire-go/esl/simplify"
)

// TestSameVerdicts compares random programs with what becomes of them: explored in
// full by the interpreter, the same scenarios and data races occur in both, and the
// shortest runs are as long. EMPIRE_LONG=n multiplies the programs.
func TestSameVerdicts(t *testing.T) {
	n := 300
	if f, err := strconv.Atoi(os.Getenv("EMPIRE_LONG")); err == nil && f > 0 {
		n *= f
	}
	compared, before, after := 0, 0, 0
	for seed := range uint64(n) {
		p := random.Program(seed, random.Shape{})
		q, origin, err := simplify.Program(t.Context(), p, func(f, g int) bool { return true })
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
		if !slices.Equal(want, got) {
			t.Fatalf("seed %d: %v, simplified %v\n%s\n%s", seed, want, got, text(p), text(q))
		}
	}
	t.Logf("%d of %d programs compared; %d statements, simplified %d", compared, n, before, after)
	if compared < n/2 {
		t.Errorf("only %d of %d programs were explored in full", compared, n)
	}
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
		q, _, err := simplify.Program(t.Context(), p, func(f, g int) bool { return true })
		if err != nil {
			t.Fatal(err)
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
