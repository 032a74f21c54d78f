package checker_test

import (
	"flag"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/checker/blocking"
	"github.com/empire-go/empire-go/checker/refine"
	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/esl/interp"
	"github.com/empire-go/empire-go/esl/random"
)

var (
	nested     = flag.Int("nested", 400, "random programs with nested locks in which deadlocks are looked for")
	nestedFrom = flag.Uint64("nested-from", 0, "the seed of the first of them")
)

// TestDeadlocks: the pushdown systems, the explicit search and the interpreter say the same of where instances of
// programs with nested locks can wait for ever. All loops of these programs can be left.
func TestDeadlocks(t *testing.T) {
	compared, blocked, chains, systems, open := 0, 0, 0, 0, 0
	reasons := map[string]int{}
	engine := refine.New()
	for seed := *nestedFrom; seed < *nestedFrom+uint64(*nested); seed++ {
		p := random.Nested(seed, false)
		if err := esl.Validate(p); err != nil {
			t.Fatalf("seed %d: %v\n%v", seed, err, p)
		}
		want := interp.Stuck(t.Context(), p, 20_000)
		if !want.Complete {
			continue
		}
		got, err := checker.FindDeadlocks(t.Context(), p, checker.DeadlockOptions{Engine: engine, Everybody: true})
		if err != nil {
			t.Fatalf("seed %d: %v\n%v", seed, err, p)
		}
		places := heads(got)
		systems += got.Systems
		if !got.Complete {
			open++
			reasons[got.Reason]++
			for at := range places {
				if !want.Blocked[at] {
					t.Fatalf("seed %d: nobody is blocked at %v\n%v", seed, at, p)
				}
			}
			continue
		}
		compared++
		blocked += min(1, len(want.Blocked))
		chains += len(got.Chains)
		if diff := cmp.Diff(want.Blocked, places); diff != "" {
			t.Fatalf("seed %d: blocked (-interpreter +pushdown systems):\n%s\n%v", seed, diff, p)
		}
		explicit, err := blocking.Search(t.Context(), p, blocking.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if explicit.Complete && (len(explicit.Findings) > 0) != (len(places) > 0) {
			t.Fatalf("seed %d: the search finds %v\n%v", seed, explicit.Findings, p)
		}
	}
	t.Logf("%d of %d programs compared, of which %d can block, at %d places; %d systems; %d left open: %v", compared,
		*nested, blocked, chains, systems, open, reasons)
	if open*20 > *nested {
		t.Error("more than one in twenty is left open")
	}
}

// TestDeepDeadlocks: of recursive programs, the pushdown systems find all that a search of bounded depth finds.
func TestDeepDeadlocks(t *testing.T) {
	compared, found, open, more := 0, 0, 0, 0
	reasons := map[string]int{}
	engine := refine.New()
	for seed := *nestedFrom + 1<<32; seed < *nestedFrom+1<<32+uint64(*nested); seed++ {
		p := random.Nested(seed, true)
		bounded, err := blocking.Search(t.Context(), p, blocking.Options{Depth: 5, States: 20_000})
		if err != nil {
			t.Fatal(err)
		}
		got, err := checker.FindDeadlocks(t.Context(), p, checker.DeadlockOptions{Engine: engine, Everybody: true,
			Limits: checker.Limits{States: 50_000, Rounds: 100}})
		if err != nil {
			t.Fatalf("seed %d: %v\n%v", seed, err, p)
		}
		if !got.Complete {
			open++
			reasons[got.Reason]++
			continue
		}
		compared++
		places := heads(got)
		for _, f := range bounded.Findings {
			for _, w := range slices.Concat(f.Waits, f.Also) {
				if found++; !places[interp.Place{Process: w.Process, Function: w.Function, Index: w.Index}] {
					t.Fatalf("seed %d: not found: %v\n%v", seed, w, p)
				}
			}
		}
		if len(bounded.Findings) == 0 && len(places) > 0 {
			more++
		}
	}
	t.Logf("%d programs compared, %d places, %d programs with findings of these systems only; %d left open: %v", compared,
		found, more, open, reasons)
}

func heads(d *checker.Deadlocks) map[interp.Place]bool {
	all := map[interp.Place]bool{}
	for _, c := range d.Chains {
		all[interp.Place{Process: c.Links[0].Process, Function: c.Links[0].Function, Index: c.Links[0].Index}] = true
	}
	return maps.Clone(all)
}
