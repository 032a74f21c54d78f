package poststar_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/empire-go/empire-go/checker/automaton"
	"github.com/empire-go/empire-go/checker/poststar"
	"github.com/empire-go/empire-go/cpds"
)

// large makes procedures of 20 nodes over controls that stand for values of global
// variables; each calls the next one, and others at random.
func large(r *rand.Rand, rules, controls int) *cpds.Component {
	const nodes = 20
	c := &cpds.Component{Initial: cpds.Configuration{Stack: []int{0}}}
	for p := range controls {
		c.Controls = append(c.Controls, fmt.Sprint(p))
	}
	procedures := max(2, rules/(nodes*controls))
	c.Symbols = make([]string, procedures*nodes)
	for f := range procedures {
		for n := range nodes {
			callee, to := -1, n+1
			switch {
			case n == 1:
				callee = (f + 1) % procedures
			case r.IntN(7) == 0:
				callee = r.IntN(procedures)
			case n < nodes-1:
				to = n + 1 + r.IntN(nodes-n-1)
			}
			change := r.IntN(2 * controls)
			for p := range controls {
				rule := cpds.Rule{From: p, Top: f*nodes + n, Action: cpds.Tau, To: p}
				switch {
				case n == nodes-1:
				case callee >= 0:
					rule.Push = []int{callee * nodes, f*nodes + n + 1}
					c.Rules = append(c.Rules, cpds.Rule{From: p, Top: f*nodes + n, Action: cpds.Tau, To: p,
						Push: []int{f*nodes + n + 1}})
				default:
					if to != n+1 {
						c.Rules = append(c.Rules, cpds.Rule{From: p, Top: f*nodes + n, Action: cpds.Tau, To: p,
							Push: []int{f*nodes + n + 1}})
					}
					rule.Push = []int{f*nodes + to}
					if change < controls {
						rule.To = p ^ change
					}
				}
				c.Rules = append(c.Rules, rule)
			}
		}
	}
	return c
}

func BenchmarkSaturate(b *testing.B) {
	for _, size := range []struct{ rules, controls int }{{10_000, 1}, {100_000, 1}, {100_000, 8}, {1_000_000, 8}} {
		b.Run(fmt.Sprintf("rules=%d/controls=%d", size.rules, size.controls), func(b *testing.B) {
			s := &cpds.System{Components: []*cpds.Component{large(rand.New(rand.NewPCG(1, 1)), size.rules, size.controls)}}
			labels := automaton.LabelsOf(s)
			p := poststar.Compile(s, labels)[0]
			transitions := 0
			for b.Loop() {
				sat, err := poststar.Saturate(context.Background(), p, labels, poststar.Query{})
				if err != nil {
					b.Fatal(err)
				}
				transitions = len(sat.Transitions)
			}
			b.ReportMetric(float64(len(p.Rules))*float64(b.N)/b.Elapsed().Seconds(), "rules/s")
			b.ReportMetric(float64(transitions), "transitions")
		})
	}
}
