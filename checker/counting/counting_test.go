package counting_test

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/checker/automaton"
	"github.com/empire-go/empire-go/checker/counting"
	"github.com/empire-go/empire-go/checker/poststar"
	"github.com/empire-go/empire-go/checker/prefix"
	"github.com/empire-go/empire-go/checker/witness/enginetest"
	"github.com/empire-go/empire-go/cpds"
)

// TestNeverWrong holds counting against the engine prefix, which does not count: what
// has a common word is not disjoint.
func TestNeverWrong(t *testing.T) {
	common, disjoint := 0, 0
	for seed := range enginetest.Count(300) {
		s := enginetest.Random(rand.New(rand.NewPCG(uint64(seed), 11)), enginetest.Shape{Components: 2, Actions: 2, Controls: 2, Symbols: 3, Rules: 8})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		answers := prefix.New().Decide(ctx, s, checker.Limits{States: 2000, Rounds: 6})
		cancel()
		labels := automaton.LabelsOf(s)
		systems := poststar.Compile(s, labels)
		for i, a := range answers {
			is := counting.Disjoint(t.Context(), systems, labels, i)
			if is {
				disjoint++
			}
			if a.Status == checker.Common {
				common++
				if is {
					t.Fatalf("seed %d: %v is common to what counting calls disjoint", seed, a.Word)
				}
			}
		}
	}
	t.Logf("%d have a common word, %d are disjoint by counting", common, disjoint)
	if common < 20 || disjoint < 20 {
		t.Errorf("too few: %d have a common word, %d are disjoint", common, disjoint)
	}
}

// TestDisjoint has languages that no regular one separates.
func TestDisjoint(t *testing.T) {
	for _, c := range []struct {
		name, grammars string
		want           bool
	}{
		{"more b than a", `(S -> ["a" S "b", []]) (T -> ["a" T "b", U]; U -> ["b" U, "b"])`, true},
		{"as many", `(S -> ["a" S "b", []]) (T -> ["a" T "b", U]; U -> ["b" U, []])`, false},
		{"brackets", `(S -> ["(" S ")" S, []]) (T -> ["(" T, "(" U]; U -> ["(" U ")" U, []])`, true},
		{"twice as many", `(S -> ["a" S "b", "a" "b"]) (T -> ["a" T "b" "b", "a" "b" "b"])`, true},
		{"order is not seen", `(S -> ["a" "b"]) (T -> ["b" "a"])`, false},
		{"three", `(S -> ["a" S "b", "c"]) (T -> ["b" T "d", "c" V]; V -> ["d" V, []]) (A -> ["a" A, "b" A, "c" A, "d" A, []])`, false},
	} {
		s, err := cpds.ParseGrammars(c.name, []byte(c.grammars))
		if err != nil {
			t.Fatal(err)
		}
		labels := automaton.LabelsOf(s)
		if got := counting.Disjoint(t.Context(), poststar.Compile(s, labels), labels, 0); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
