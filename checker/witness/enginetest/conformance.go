package enginetest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/checker/witness"
	"github.com/empire-go/empire-go/cpds"
	"github.com/empire-go/empire-go/internal/testmain"
)

// Small is a shape that Explore can often see all of.
var Small = Shape{Components: 4, Actions: 4, Controls: 3, Symbols: 4, Rules: 12}

// Seeds calls f with 0 to testmain.Count(n)-1, or with those that are left over if EMPIRE_PART is
// "i/n": the part i, from 0, of n that long tests are cut into.
func Seeds(n int, f func(seed uint64)) {
	part, parts := 0, 1
	if _, err := fmt.Sscanf(os.Getenv("EMPIRE_PART"), "%d/%d", &part, &parts); err != nil || parts < 1 {
		part, parts = 0, 1
	}
	for seed := part; seed < testmain.Count(n); seed += parts {
		f(uint64(seed))
	}
}

// Conform compares engines with Explore, and with each other, on random systems.
// shortest says which engines promise shortest words by the value of By.
func Conform(t *testing.T, count int, random func(*rand.Rand) *cpds.System, limits checker.Limits,
	shortest func(by string) bool, engines ...checker.Engine) {
	by := map[string]int{}
	systems := 0
	Seeds(count, func(seed uint64) {
		s := random(rand.New(rand.NewPCG(seed, 1)))
		systems++
		found, complete := Explore(s, 6, 3000)
		statuses := map[string]checker.Status{}
		for _, e := range engines {
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			answers := e.Decide(ctx, s, limits)
			cancel()
			checkLabels(t, s, answers)
			for _, a := range answers {
				by[e.Name()+" "+a.Status.String()+" "+a.By+a.Reason]++
				if err := witness.Verify(s, a); err != nil {
					t.Errorf("seed %d, %s: %v", seed, e.Name(), err)
				}
				length, has := found[a.Label]
				switch {
				case has && a.Status == checker.Empty:
					t.Errorf("seed %d, %s: %q is empty by %s, but has a word of length %d", seed, e.Name(), a.Label, a.By, length)
				case !has && complete && a.Status == checker.Common:
					t.Errorf("seed %d, %s: %q has the word %v by %s, but is empty", seed, e.Name(), a.Label, a.Word, a.By)
				case has && a.Status == checker.Common && shortest(a.By) && len(a.Word) > length:
					t.Errorf("seed %d, %s: %q has a word of length %d by %s, but one of %d exists", seed, e.Name(), a.Label,
						len(a.Word), a.By, length)
				}
				if other, ok := statuses[a.Label]; ok && other+a.Status == checker.Empty+checker.Common &&
					other != checker.Undecided && a.Status != checker.Undecided {
					t.Errorf("seed %d: engines disagree on %q: %v, %v", seed, a.Label, other, a.Status)
				}
				if a.Status != checker.Undecided {
					statuses[a.Label] = a.Status
				}
			}
		}
	})
	t.Logf("%d systems, answers: %v", systems, by)
}

func checkLabels(t *testing.T, s *cpds.System, answers []checker.Answer) {
	t.Helper()
	labels := Labels(s)
	if len(labels) != len(answers) {
		t.Fatalf("%d answers for the labels %q", len(answers), labels)
	}
	for i, a := range answers {
		if a.Label != labels[i] {
			t.Errorf("answer %d is for %q instead of %q", i, a.Label, labels[i])
		}
	}
}
