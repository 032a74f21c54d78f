package checker

import (
	"fmt"
	"slices"
	"testing"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/internal/testmain"
	"github.com/empire-go/empire-go/scenarios"
)

// TestLean: what the lean scope of a guess answers is a violation, and one that the whole scope has, too; that there is
// none in the lean one is no answer, though there may be one in the whole one.
func TestLean(t *testing.T) {
	ofManyKinds(t, 4, 11_000_000, func(t *testing.T, program func(uint64) *esl.Program) {
		smaller, found, missed := 0, 0, 0
		for seed := range uint64(testmain.Count(40)) {
			p := program(seed)
			c := naiveCheck(t, p)
			m := c.model
			for _, g := range m.Guesses(scenarios.Table) {
				l := c.localize(g.U, g.V)
				if !l.least || !l.widen() || !l.lean {
					continue
				}
				smaller++
				whole := m.Query(g, scenarios.Table, m.Whole(g.U, g.V))
				answers := c.decide(whole.System, c.options.Limits)
				decided, _ := c.guessIn(l, g, scenarios.Table)
				for i, label := range whole.System.Labels() {
					k := slices.IndexFunc(decided, func(o outcome) bool { return fmt.Sprint(o.scenario) == label })
					switch {
					case k < 0 && answers[i].Status == Common:
						missed++
					case k < 0:
					case decided[k].violation == nil || answers[i].Status == Empty:
						t.Fatalf("seed %d, %s, scenario %s: %v, in the whole scope %v\n%v", seed, whole.System.Name, label,
							decided[k], answers[i], p)
					default:
						found++
					}
				}
			}
		}
		t.Logf("%d scopes are smaller; %d violations found there, %d not", smaller, found, missed)
	})
}
