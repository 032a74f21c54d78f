package checker

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/empire-go/empire-go/cpds"
	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/esl/random"
	"github.com/empire-go/empire-go/scenarios"
)

// TestLean: what the lean scope of a guess answers is a violation, and one that the whole scope has, too; that there is
// none in the lean one is no answer, though there may be one in the whole one.
func TestLean(t *testing.T) {
	for name, program := range map[string]func(uint64) *esl.Program{
		"random":   func(seed uint64) *esl.Program { return random.Program(seed+11_000_000, random.Shape{Processes: 4}) },
		"chaos":    chaos,
		"forkjoin": forkJoin,
		"messages": messages,
	} {
		t.Run(name, func(t *testing.T) {
			smaller, found, missed := 0, 0, 0
			for seed := range uint64(scale(40)) {
				p := program(seed)
				m, err := cpds.Lower(p)
				if err != nil {
					t.Fatal(err)
				}
				c := &check{ctx: context.Background(), model: m,
					options: Options{Scenarios: scenarios.Table, Engine: naive{Depth: 8}, Limits: Limits{States: 30_000}}}
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
}
