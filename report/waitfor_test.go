package report

import (
	"bytes"
	"os/exec"
	"slices"
	"testing"

	empire "github.com/empire-go/empire-go"
)

// TestWaits: who holds what, and waits for whom, after each step.
func TestWaits(t *testing.T) {
	step := func(goroutine, action, lock string) empire.Step {
		return empire.Step{Goroutine: goroutine, Instance: 1, Action: action, Lock: lock}
	}
	start := func(target string) empire.Step {
		return empire.Step{Goroutine: "main", Instance: 1, Action: "start", Target: target}
	}
	for _, c := range []struct {
		name  string
		steps []empire.Step
		want  []string // after each step
	}{
		{"a lock that another one holds", []empire.Step{
			start("g1"), start("g2"), step("g1", "lock", "mu"), step("g1", "unlock", "mu"), step("g2", "lock", "mu"),
		}, []string{"Nobody holds a lock or waits.", "Nobody holds a lock or waits.",
			"g1 holds mu; g2 has to wait for mu.", "Nobody holds a lock or waits.", "g2 holds mu."}},
		{"readers do not wait for readers", []empire.Step{
			start("g1"), start("g2"), step("g1", "rlock", "mu"), step("g2", "rlock", "mu"), step("g1", "runlock", "mu"),
		}, []string{"Nobody holds a lock or waits.", "Nobody holds a lock or waits.", "g1 holds mu for reading.",
			"g1 holds mu for reading; g2 holds mu for reading.", "g2 holds mu for reading."}},
		{"a writer waits for readers", []empire.Step{
			start("g1"), start("g2"), step("g1", "rlock", "mu"), step("g1", "runlock", "mu"), step("g2", "lock", "mu"),
		}, []string{"Nobody holds a lock or waits.", "Nobody holds a lock or waits.",
			"g1 holds mu for reading; g2 has to wait for mu.", "Nobody holds a lock or waits.", "g2 holds mu."}},
		{"two locks", []empire.Step{
			start("g1"), start("g2"), step("g1", "lock", "a"), step("g2", "lock", "b"), step("g1", "unlock", "a"),
		}, []string{"Nobody holds a lock or waits.", "Nobody holds a lock or waits.", "g1 holds a.",
			"g1 holds a; g2 holds b.", "g2 holds b."}},
	} {
		s := &empire.ScenarioResult{Scenario: 1, Counterexample: c.steps}
		q := empire.QueryResult{Scenarios: []empire.ScenarioResult{*s}}
		st := newStory(&q, s, newNames(&empire.Result{Queries: []empire.QueryResult{q}}))
		for i := range st.steps {
			st.steps[i].shown = true
		}
		p := waitsOf(st)
		if p == nil {
			t.Errorf("%s: no picture", c.name)
			continue
		}
		var got []string
		for i := range c.steps {
			got = append(got, plainSpaces(p.inWords(st, i)))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}

// TestNoWaits: where nobody holds a lock or waits, there is no picture.
func TestNoWaits(t *testing.T) {
	s := &empire.ScenarioResult{Scenario: 1, Counterexample: []empire.Step{
		{Goroutine: "main", Instance: 1, Action: "write", Location: "count"},
	}}
	st := newStory(&empire.QueryResult{}, s, newNames(&empire.Result{}))
	if p := waitsOf(st); p != nil {
		t.Errorf("got %v", p)
	}
}

// TestGraphvizReads: what DOT writes is what the tools of Graphviz read.
func TestGraphvizReads(t *testing.T) {
	if _, err := exec.LookPath("dot"); err != nil {
		t.Skip("no Graphviz here")
	}
	for _, file := range []string{"vector.txtar", "causes.txtar", "safe.txtar"} {
		var graph bytes.Buffer
		if err := DOT(&graph, pageResult(t, file)); err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), "dot", "-Tcanon")
		cmd.Stdin = &graph
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %.300s", file, err, out)
		}
	}
}
