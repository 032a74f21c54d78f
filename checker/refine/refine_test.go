package refine

import (
	"context"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/checker/prefix"
	"github.com/empire-go/empire-go/checker/witness"
	"github.com/empire-go/empire-go/checker/witness/enginetest"
	"github.com/empire-go/empire-go/cpds"
)

func shortest(by string) bool { return by != "bounded" }

func TestRandom(t *testing.T) {
	random := func(r *rand.Rand) *cpds.System {
		s := enginetest.Random(r, enginetest.Small)
		if r.IntN(3) > 0 { // a third may recurse
			for _, c := range s.Components {
				acyclic(c)
			}
		}
		return s
	}
	enginetest.Conform(t, 1000, random, checker.Limits{Rounds: 6, States: 20000}, shortest, New(), prefix.New())
}

func TestPrograms(t *testing.T) {
	random := func(r *rand.Rand) *cpds.System {
		return enginetest.Program(r, enginetest.Threads{
			Threads: 2, Procedures: 1 + r.IntN(3), Nodes: 3 + r.IntN(4), Locks: r.IntN(3), Variables: 2,
			Patterns: 3, Recursive: r.IntN(2) == 0, Accesses: 0.5,
		})
	}
	enginetest.Conform(t, 100, random, checker.Limits{Rounds: 6, States: 20000}, shortest, New(), prefix.New())
}

func TestClassics(t *testing.T) {
	for _, c := range enginetest.Classics() {
		t.Run(c.Name, func(t *testing.T) {
			a := New().Decide(context.Background(), c.System, checker.Limits{Rounds: 20, States: 50000})[0]
			t.Log(a.Status, a.By, a.Reason, a.Word, a.Work)
			if err := witness.Verify(c.System, a); err != nil {
				t.Error(err)
			}
			want := c.Status
			if c.Open && !c.Counts {
				want = checker.Undecided
			}
			if a.Status != want {
				t.Errorf("%v, want %v", a.Status, want)
			}
			if word := spell(c.System, a.Word); word != c.Word {
				t.Errorf("word %q, want %q", word, c.Word)
			}
		})
	}
}

func spell(s *cpds.System, word []int) string {
	var b strings.Builder
	for _, a := range word {
		b.WriteString(s.Actions[a])
	}
	return b.String()
}

// TestRepeatable decides twice, and compares everything.
func TestRepeatable(t *testing.T) {
	for seed := range uint64(100) {
		s := enginetest.Random(rand.New(rand.NewPCG(seed, 6)), enginetest.Small)
		decide := func() []checker.Answer {
			return New().Decide(context.Background(), s, checker.Limits{Rounds: 4, States: 20000})
		}
		if a, b := decide(), decide(); !reflect.DeepEqual(a, b) {
			t.Errorf("seed %d: %v, then %v", seed, a, b)
		}
	}
}

// TestLimits ends with Undecided and a reason, whichever limit is passed.
func TestLimits(t *testing.T) {
	s := enginetest.Classics()[0].System
	done, cancel := context.WithCancel(context.Background())
	cancel()
	soon, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	for name, c := range map[string]struct {
		ctx    context.Context
		limits checker.Limits
	}{
		"cancelled": {done, checker.Limits{}},
		"time":      {soon, checker.Limits{}},
		"states":    {context.Background(), checker.Limits{States: 3}},
		"rounds":    {context.Background(), checker.Limits{Rounds: 2}},
	} {
		a := New().Decide(c.ctx, s, c.limits)[0]
		if a.Status != checker.Undecided || a.Reason == "" {
			t.Errorf("%s: %v, reason %q", name, a.Status, a.Reason)
		}
	}
}
