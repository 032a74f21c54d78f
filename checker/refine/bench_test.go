package refine

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/checker/witness/enginetest"
)

func BenchmarkPrograms(b *testing.B) {
	for _, shape := range []enginetest.Threads{
		{Threads: 2, Procedures: 10, Nodes: 10, Locks: 2, Variables: 2, Patterns: 10, Accesses: 0.1},
		{Threads: 3, Procedures: 20, Nodes: 20, Locks: 2, Variables: 2, Patterns: 20, Accesses: 0.03},
		{Threads: 3, Procedures: 20, Nodes: 20, Locks: 2, Variables: 2, Patterns: 20, Accesses: 0.03, Recursive: true},
		{Threads: 2, Procedures: 200, Nodes: 20, Locks: 2, Variables: 2, Patterns: 20, Accesses: 0.005},
	} {
		name := fmt.Sprintf("threads=%d/procedures=%d/recursive=%v", shape.Threads, shape.Procedures, shape.Recursive)
		b.Run(name, func(b *testing.B) {
			s := enginetest.Program(rand.New(rand.NewPCG(1, 1)), shape)
			states, open := 0, 0
			for b.Loop() {
				states, open = 0, 0
				for _, a := range New().Decide(context.Background(), s, checker.Limits{States: 5_000_000, Rounds: 10}) {
					states = max(states, a.Work.States)
					if a.Status == checker.Undecided {
						open++
					}
				}
			}
			b.ReportMetric(float64(states), "states")
			b.ReportMetric(float64(open), "undecided")
		})
	}
}
