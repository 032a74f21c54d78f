package counting_test

import (
	"math/rand/v2"
	"testing"

	"github.com/empire-go/empire-go/checker/automaton"
	"github.com/empire-go/empire-go/checker/counting"
	"github.com/empire-go/empire-go/checker/poststar"
	"github.com/empire-go/empire-go/checker/witness/enginetest"
	"github.com/empire-go/empire-go/cpds"
	"github.com/empire-go/empire-go/internal/testmain"
)

// TestNeverWrong holds counting against explicit search: what has a common word is not
// disjoint. The systems have finals of all kinds, and stacks to begin with.
func TestNeverWrong(t *testing.T) {
	common, disjoint := 0, 0
	for seed := range testmain.Count(600) {
		s := enginetest.Random(rand.New(rand.NewPCG(uint64(seed), 11)),
			enginetest.Shape{Components: 1 + seed%3, Actions: 2, Controls: 1 + seed%2, Symbols: 3, Rules: 8})
		found, _ := enginetest.Explore(s, 6, 400)
		labels := automaton.LabelsOf(s)
		systems := poststar.Compile(s, labels)
		for i, name := range labels.Names {
			is := counting.Disjoint(t.Context(), systems, labels, i)
			_, has := found[name]
			if is {
				disjoint++
			}
			if has {
				common++
			}
			if has && is {
				t.Fatalf("seed %d: there is a common word of what counting calls disjoint", seed)
			}
		}
	}
	t.Logf("%d have a common word, %d are disjoint by counting", common, disjoint)
	if common < 100 || disjoint < 100 {
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
		{"which comes first", `(S -> ["a" "b"]) (T -> ["b" "a"])`, true},
		{"order is not seen", `(S -> ["a" "b" "a" "b" "b" "a"]) (T -> ["a" "b" "b" "a" "a" "b"])`, false},
		{"odd and even are not seen", `(S -> ["a" "a" S, "b"]) (T -> ["a" "a" T, "a" "b"])`, false},
		{"either side", `(S -> ["a" S "b", []]) (T -> ["a" T "b", A, B]; A -> ["a" A, "a"]; B -> ["b" B, "b"])`, true},
		{"one side or none", `(S -> ["a" S "b", []]) (T -> ["a" T "b", A, B]; A -> ["a" A, "a"]; B -> ["b" B, []])`, false},
		{"what nothing leads to", `(S -> ["a" S, []]) (T -> ["b" T, "b"]; U -> ["a" U, T])`, true},
		{"two halves", `(S -> ["a" S, "a" U]; U -> ["a" U "a", "c"]) (T -> ["a" T "a", "c"])`, true},
		{"three",
			`(S -> ["a" S "b", "c"]) (T -> ["b" T "d", "c" V]; V -> ["d" V, []]) (A -> ["a" A, "b" A, "c" A, "d" A, []])`,
			false},
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
