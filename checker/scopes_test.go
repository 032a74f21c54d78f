package checker

import (
	"context"
	"testing"

	"github.com/empire-go/empire-go/cpds"
	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/esl/random"
	"github.com/empire-go/empire-go/scenarios"
)

// ofManyKinds tests with random programs of the kinds in which scopes differ; the plain ones have so many processes,
// and seeds of their own from the first one on.
func ofManyKinds(t *testing.T, processes int, first uint64, test func(*testing.T, func(seed uint64) *esl.Program)) {
	for name, program := range map[string]func(uint64) *esl.Program{
		"random":   func(seed uint64) *esl.Program { return random.Program(seed+first, random.Shape{Processes: processes}) },
		"chaos":    chaos,
		"forkjoin": forkJoin,
		"messages": messages,
	} {
		t.Run(name, func(t *testing.T) { test(t, program) })
	}
}

// naiveCheck is a check of a program by the naive engine, which decides about any scope.
func naiveCheck(t *testing.T, p *esl.Program) *check {
	t.Helper()
	m, err := cpds.Lower(p)
	if err != nil {
		t.Fatal(err)
	}
	return &check{ctx: context.Background(), model: m,
		options: Options{Scenarios: scenarios.Table, Engine: naive{Depth: 8}, Limits: Limits{States: 30_000}}}
}
