package checker_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/checker/refine"
	"github.com/empire-go/empire-go/cpds"
	"github.com/empire-go/empire-go/internal/testmain"
)

// randomGrammar returns right sides by nonterminal A, B, C: upper-case letters are
// nonterminals.
func randomGrammar(r *rand.Rand) [][]string {
	g := make([][]string, 3)
	for range 3 + r.IntN(5) {
		right := ""
		for range r.IntN(4) {
			right += string("abABC"[r.IntN(5)])
		}
		n := r.IntN(3)
		g[n] = append(g[n], right)
	}
	return g
}

// text writes a grammar in the format of Covenant.
func text(g [][]string) string {
	rules := []string{`A -> [ X ]`} // the start symbol has a rule; X has none
	for n, rights := range g {
		for _, right := range rights {
			var symbols []string
			for _, c := range right {
				if c >= 'a' {
					symbols = append(symbols, fmt.Sprintf("%q", string(c)))
				} else {
					symbols = append(symbols, string(c))
				}
			}
			rules = append(rules, fmt.Sprintf("%c -> [ %s ]", 'A'+n, strings.Join(symbols, " ")))
		}
	}
	return "(" + strings.Join(rules, ";\n") + ")"
}

// words returns the words of at most length letters that A derives: the least sets of
// words that the rules allow.
func words(g [][]string, length int) map[string]bool {
	derived := []map[string]bool{{}, {}, {}}
	for changed := true; changed; {
		changed = false
		for n, rights := range g {
			for _, right := range rights {
				some := []string{""}
				for _, c := range right {
					var longer []string
					for _, w := range some {
						if c >= 'a' {
							longer = append(longer, w+string(c))
							continue
						}
						for v := range derived[c-'A'] {
							longer = append(longer, w+v)
						}
					}
					some = slices.DeleteFunc(longer, func(w string) bool { return len(w) > length })
				}
				for _, w := range some {
					changed = changed || !derived[n][w]
					derived[n][w] = true
				}
			}
		}
	}
	return derived[0]
}

// TestGrammars compares the answers about pairs of random grammars with the words that
// they derive.
func TestGrammars(t *testing.T) {
	answers := map[checker.Status]int{}
	for seed := range testmain.Count(300) {
		r := rand.New(rand.NewPCG(uint64(seed), 7))
		g, h := randomGrammar(r), randomGrammar(r)
		s, err := cpds.ParseGrammars("random.cfg", []byte("; both over a and b\n"+text(g)+"\n"+text(h)+"\n( S -> [ \"a\" "+
			"S, \"b\" S, [] ] )"))
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		answer := refine.New().Decide(ctx, s, checker.Limits{})[0]
		cancel()
		answers[answer.Status]++
		inG, inH := words(g, 6), words(h, 6)
		switch answer.Status {
		case checker.Common:
			w := ""
			for _, a := range answer.Word {
				w += s.Actions[a]
			}
			if len(w) <= 6 && (!inG[w] || !inH[w]) {
				t.Fatalf("seed %d: %q is no common word of %v and %v", seed, w, g, h)
			}
		case checker.Empty:
			for w := range inG {
				if inH[w] {
					t.Fatalf("seed %d: %v and %v have %q in common", seed, g, h, w)
				}
			}
		}
	}
	t.Log(answers)
	if answers[checker.Common] < 50 || answers[checker.Empty] < 50 {
		t.Errorf("too few answers of a kind: %v", answers)
	}
}
