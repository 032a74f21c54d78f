package blocking

import (
	"context"
	"flag"
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/esl/interp"
	"github.com/empire-go/empire-go/esl/random"
)

var (
	programs = flag.Int("programs", 600, "random programs that the search and the interpreter are asked about")
	from     = flag.Uint64("from", 0, "the seed of the first random program")
)

// TestAgainstInterpreter holds the search, with and without reduction, to the definition: where instances can be
// blocked for ever, and where they can end the program.
func TestAgainstInterpreter(t *testing.T) {
	asked, blocked, crashed, whole, reduced := 0, 0, 0, 0, 0
	for seed := *from; seed < *from+uint64(*programs); seed++ {
		p := random.Blocking(seed)
		if err := esl.Validate(p); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, p)
		}
		want := interp.Stuck(t.Context(), p, 20_000)
		if !want.Complete {
			continue
		}
		asked++
		blocked += min(1, len(want.Blocked))
		crashed += min(1, len(want.Crashes))
		few, err := Search(context.Background(), p, Options{States: 24})
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, p)
		}
		for at := range few.blocked {
			if !want.Blocked[interp.Place{Process: at.process, Function: at.function, Index: at.index}] {
				t.Fatalf("seed %d: %v is blocked by a search of few states\n%s", seed, at, p)
			}
		}
		for _, isWhole := range []bool{true, false} {
			got, err := Search(context.Background(), p, Options{Whole: isWhole})
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, p)
			}
			if !got.Complete {
				continue // counters without bound
			}
			if isWhole {
				whole += got.States
			} else {
				reduced += got.States
			}
			if diff := cmp.Diff(want.Blocked, places(got.blocked)); diff != "" {
				t.Fatalf("seed %d, whole %t: blocked (-interpreter +search):\n%s\n%s", seed, isWhole, diff, p)
			}
			if diff := cmp.Diff(want.Possible, places(got.possible)); diff != "" {
				t.Fatalf("seed %d, whole %t: possible (-interpreter +search):\n%s\n%s", seed, isWhole, diff, p)
			}
			if diff := cmp.Diff(want.Crashes, places(got.crashes)); diff != "" {
				t.Fatalf("seed %d, whole %t: crashes (-interpreter +search):\n%s\n%s", seed, isWhole, diff, p)
			}
		}
	}
	t.Logf("%d of %d programs compared, of which %d can block and %d end the program; %d states, with reduction %d",
		asked, *programs, blocked, crashed, whole, reduced)
}

// TestFirst: random programs, by their seeds, in which something was missed as a step was taken to come first.
func TestFirst(t *testing.T) {
	for name, seed := range map[string]uint64{
		// What can wait for another instance to be done is not alone: its other ways do not come first.
		"join": 2_006_202,
		// Who tries to take a lock goes on while it is held, so that its release does not come first.
		"try": 4_820_651,
	} {
		t.Run(name, func(t *testing.T) {
			p := random.Blocking(seed)
			got, err := Search(t.Context(), p, Options{})
			if err != nil {
				t.Fatal(err)
			}
			want := interp.Stuck(t.Context(), p, 20_000)
			if !maps.Equal(want.Crashes, places(got.crashes)) {
				t.Errorf("crashes %v, not %v", places(got.crashes), want.Crashes)
			}
			if !maps.Equal(want.Blocked, places(got.blocked)) {
				t.Errorf("blocked %v, not %v", places(got.blocked), want.Blocked)
			}
		})
	}
}

func places(all map[place]bool) map[interp.Place]bool {
	found := map[interp.Place]bool{}
	for at := range maps.Keys(all) {
		found[interp.Place{Process: at.process, Function: at.function, Index: at.index}] = true
	}
	return found
}
