package checker_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/checker/prefix"
	"github.com/empire-go/empire-go/checker/refine"
	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/esl/interp"
	"github.com/empire-go/empire-go/esl/random"
	"github.com/empire-go/empire-go/internal/testmain"
	"github.com/empire-go/empire-go/scenarios"
)

// TestExamples checks the example programs, those of the interpreter too, with both
// engines. Their headers say
// what is expected: "# expect: violation 1 3" (exactly these scenarios) or
// "# expect: safe", and, if they say so, "# race: yes" or "# race: no". The engine
// prefix may leave questions open.
func TestExamples(t *testing.T) {
	var files []string
	for _, pattern := range []string{"../testdata/esl/*.esl", "../esl/interp/testdata/*.esl"} {
		more, err := filepath.Glob(pattern)
		if err != nil || len(more) == 0 {
			t.Fatal("no examples", pattern, err)
		}
		files = append(files, more...)
	}
	for _, file := range files {
		for _, e := range []checker.Engine{refine.New(), prefix.New()} {
			t.Run(filepath.Base(file)+"/"+e.Name(), func(t *testing.T) { example(t, file, e) })
		}
	}
}

func example(t *testing.T, file string, e checker.Engine) {
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p, err := esl.Parse(file, src)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	limits := checker.Limits{}
	if e.Name() == "prefix" {
		limits = checker.Limits{Rounds: 8, States: 30_000}
	}
	r, err := checker.Check(ctx, p, checker.Options{Scenarios: scenarios.Table, Engine: e, Limits: limits})
	if err != nil {
		t.Fatal(err)
	}
	want := header(src, "expect")
	for _, f := range r.Findings {
		wanted := slices.Contains(strings.Fields(want), strconv.Itoa(f.Scenario.Number))
		switch v := f.Verdict.(type) {
		case checker.Violation:
			if !wanted {
				t.Errorf("scenario %d: a violation, want %s", f.Scenario.Number, want)
			}
		case checker.Safe:
			if wanted {
				t.Errorf("scenario %d: safe, want %s", f.Scenario.Number, want)
			}
		case checker.Unknown:
			if e.Name() != "prefix" {
				t.Errorf("scenario %d: %s", f.Scenario.Number, v.Reason)
			}
		}
	}
	race := map[bool]string{true: "yes", false: "no"}[r.DataRace != nil]
	if want := header(src, "race"); want != "" && r.RaceKnown && race != want {
		t.Errorf("race: got %s, want %s", race, want)
	}
}

// TestRefineAgainstInterpreter compares the verdicts with the default engine with
// an exploration by the interpreter, on random programs, recursive ones among them.
func TestRefineAgainstInterpreter(t *testing.T) {
	count := testmain.Count(60)
	compared, decided := 0, 0
	for seed := range uint64(count) {
		p := random.Program(seed+5_000_000, random.Shape{Recursion: 0.2})
		x := interp.Explore(context.Background(), p, interp.Bounds{States: 50_000, Depth: 5})
		r, err := checker.Check(context.Background(), p,
			checker.Options{Scenarios: scenarios.Table, Engine: refine.New(),
				Limits: checker.Limits{States: 100_000, Rounds: 200}})
		if err != nil {
			t.Fatal(err)
		}
		got, unknown := verdict(r)
		if strings.Contains(unknown, "replay") {
			t.Errorf("seed %d: %s", seed, unknown)
		}
		if unknown == "" {
			decided++
			if want := expected(x); x.Complete && got != want {
				t.Errorf("seed %d: got %s, want %s", seed, got, want)
			} else if got == "safe" && want != "safe" {
				t.Errorf("seed %d: got %s, and the interpreter finds %s", seed, got, want)
			}
		}
		if x.Complete {
			compared++
		}
		if t.Failed() {
			t.Fatal(p)
		}
	}
	t.Logf("%d programs: %d decided, %d explored in full", count, decided, compared)
}

func expected(x interp.Exploration) string {
	numbers := x.Scenarios()
	if len(numbers) == 0 {
		return "safe"
	}
	return "violation " + strings.Trim(fmt.Sprint(numbers), "[]")
}

// TestDeterministic: two runs give the same result.
func TestDeterministic(t *testing.T) {
	for seed := range uint64(10) {
		p := random.Program(seed, random.Shape{Processes: 3})
		var results [2]*checker.Result
		for i := range results {
			r, err := checker.Check(context.Background(), p, checker.Options{Scenarios: scenarios.Table, Engine: refine.New()})
			if err != nil {
				t.Fatal(err)
			}
			results[i] = r
		}
		if diff := cmp.Diff(results[0], results[1]); diff != "" {
			t.Errorf("seed %d: -first +second\n%s", seed, diff)
		}
	}
}

// verdict sums up a result like a header does.
func verdict(r *checker.Result) (verdict, unknown string) {
	verdict = "violation"
	for _, f := range r.Findings {
		switch v := f.Verdict.(type) {
		case checker.Violation:
			verdict += fmt.Sprintf(" %d", f.Scenario.Number)
		case checker.Unknown:
			unknown = v.Reason
		}
	}
	if verdict == "violation" {
		verdict = "safe"
	}
	return verdict, unknown
}

// header returns the value of a "# key: value" line.
func header(src []byte, key string) string {
	for line := range strings.Lines(string(src)) {
		if value, ok := strings.CutPrefix(line, "# "+key+":"); ok {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
