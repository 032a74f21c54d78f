package checker

import (
	"slices"
	"testing"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/internal/testmain"
	"github.com/empire-go/empire-go/scenarios"
)

// TestLeast: what the whole scope of a guess has, the least one has, in which the environment stands for whoever
// starts others, sets flags or uses channels.
func TestLeast(t *testing.T) {
	ofManyKinds(t, 3, 9_000_000, func(t *testing.T, program func(uint64) *esl.Program) {
		smaller, words, empty := 0, 0, 0
		for seed := range uint64(testmain.Count(40)) {
			p := program(seed)
			c := naiveCheck(t, p)
			m := c.model
			for _, g := range m.Guesses(scenarios.Table) {
				scope, ok := m.Least(g.U, g.V)
				if !ok {
					continue
				}
				smaller++
				least, whole := m.Query(g, scenarios.Table, scope), m.Query(g, scenarios.Table, m.Whole(g.U, g.V))
				answers := c.decide(least.System, c.options.Limits)
				for _, a := range c.decide(whole.System, c.options.Limits) {
					if a.Status == Empty {
						empty++
					}
					if a.Status != Common {
						continue
					}
					words++
					i := slices.IndexFunc(answers, func(l Answer) bool { return l.Label == a.Label })
					if l := answers[i]; l.Status == Empty || l.Status == Common && len(l.Word) > len(a.Word) {
						t.Fatalf("seed %d, %s, scenario %s: %v, in the whole scope %v\n%v", seed, whole.System.Name, a.Label, l,
							a, p)
					}
				}
			}
		}
		t.Logf("%d scopes are smaller; %d words, %d times none in the whole one", smaller, words, empty)
	})
}
