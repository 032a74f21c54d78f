package checker_test

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/checker/prefix"
	"github.com/empire-go/empire-go/checker/refine"
	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/scenarios"
)

// The benchmarks report, beside the time, the states and transitions of the
// products explored and how many of the twelve scenarios were left open: the same
// numbers in every run. The engine prefix is bounded to 5 s and 200,000 states.

// BenchmarkVector is the model of testdata/vector, all scenarios.
func BenchmarkVector(b *testing.B) {
	src, err := os.ReadFile("testdata/vector.esl")
	if err != nil {
		b.Fatal(err)
	}
	p, err := esl.Parse("vector.esl", src)
	if err != nil {
		b.Fatal(err)
	}
	benchmarkEngines(b, p)
}

// BenchmarkGoroutines is a family that grows in width: n goroutines, each with one
// unit of work of two critical sections on one lock.
func BenchmarkGoroutines(b *testing.B) {
	for _, n := range []int{2, 3, 4, 6, 8} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) { benchmarkEngines(b, family(n, 1)) })
	}
}

// BenchmarkDepth is a family that grows in depth: two goroutines whose accesses lie
// n calls deep, with a call of a further function that reads on each level.
func BenchmarkDepth(b *testing.B) {
	for _, n := range []int{2, 4, 8, 16, 32, 64} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) { benchmarkEngines(b, family(2, n)) })
	}
}

// benchmarkEngines measures both engines on all scenarios of a program.
func benchmarkEngines(b *testing.B, p *esl.Program) {
	engines := []struct {
		engine checker.Engine
		limits checker.Limits
	}{
		{refine.New(), checker.Limits{}},
		{prefix.New(), checker.Limits{States: 200_000, Rounds: 12}},
	}
	for _, e := range engines {
		b.Run(e.engine.Name(), func(b *testing.B) {
			var result *checker.Result
			for b.Loop() {
				ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
				var err error
				result, err = checker.Check(ctx, p, checker.Options{Scenarios: scenarios.Table, Engine: e.engine, Limits: e.limits})
				cancel()
				if err != nil {
					b.Fatal(err)
				}
			}
			open := 0
			for _, f := range result.Findings {
				if _, unknown := f.Verdict.(checker.Unknown); unknown {
					open++
				}
			}
			b.ReportMetric(float64(result.Work.States), "states")
			b.ReportMetric(float64(result.Work.Transitions), "transitions")
			b.ReportMetric(float64(open), "open")
		})
	}
}

// family returns a program of n goroutines that update two fields in two critical
// sections, depth calls deep.
func family(n, depth int) *esl.Program {
	p := &esl.Program{
		Name:      fmt.Sprintf("family %d %d", n, depth),
		Objects:   []esl.Object{{Name: "w", Site: "family"}},
		Locations: []esl.Location{{Object: 0, Name: "a"}, {Object: 0, Name: "b"}},
		Locks:     []esl.Lock{{Name: "mu"}},
	}
	main := esl.Function{Name: "main"}
	p.Processes = []esl.Process{{Name: "main", Entry: 0, Copies: 1, Initial: true}}
	p.Functions = []esl.Function{main}
	for i := 1; i <= n; i++ {
		entry := len(p.Functions)
		p.Functions[0].Body = append(p.Functions[0].Body, esl.Stmt{Op: esl.Start, Arg: i})
		p.Processes = append(p.Processes, esl.Process{Name: fmt.Sprintf("g%d", i), Entry: entry, Copies: 1})
		p.Functions = append(p.Functions, esl.Function{Name: fmt.Sprintf("unit%d", i), Body: []esl.Stmt{
			{Op: esl.UnitBegin, Unit: fmt.Sprintf("unit%d", i)},
			{Op: esl.Call, Arg: entry + 1},
			{Op: esl.UnitEnd},
		}})
		for d := 1; d <= depth; d++ {
			body := []esl.Stmt{
				{Op: esl.LockOp}, {Op: esl.Access, Access: esl.Read, Arg: 0}, {Op: esl.Access, Access: esl.Write, Arg: 0},
				{Op: esl.Unlock},
				{Op: esl.LockOp}, {Op: esl.Access, Access: esl.Write, Arg: 1}, {Op: esl.Unlock},
			}
			if d < depth {
				body = []esl.Stmt{
					{Op: esl.Choice, Targets: []int{1, 4}},
					{Op: esl.LockOp}, {Op: esl.Access, Access: esl.Read, Arg: 1}, {Op: esl.Unlock},
					{Op: esl.Call, Arg: entry + d + 1},
				}
			}
			p.Functions = append(p.Functions, esl.Function{Name: fmt.Sprintf("f%d_%d", i, d), Body: body})
		}
	}
	return p
}
