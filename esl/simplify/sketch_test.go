package simplify_test

import (
	"slices"
	"testing"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/esl/random"
	"github.com/empire-go/empire-go/esl/simplify"
	"github.com/empire-go/empire-go/internal/testmain"
)

// TestSketch compares random programs with their sketches: explored in full by the interpreter, what occurs in a
// program occurs in its sketch. EMPIRE_LONG=n multiplies the programs.
func TestSketch(t *testing.T) {
	n := testmain.Count(300)
	compared, changed, occurring := 0, 0, 0
	for seed := range uint64(n) {
		p := random.Program(seed, random.Shape{Plain: seed%2 == 0})
		for i := range p.Processes {
			if q := &p.Processes[i]; !q.Initial && seed%4 == 0 {
				q.Copies = 2
			}
		}
		lead(p, seed)
		if err := esl.Validate(p); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text(p))
		}
		q := simplify.Sketch(p)
		if err := esl.Validate(q); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text(q))
		}
		before, ok1 := outcomes(p)
		after, ok2 := outcomes(q)
		isLost := func(what string) bool { return !slices.Contains(after, what) }
		if !ok1 || !ok2 && slices.ContainsFunc(before, isLost) {
			continue
		}
		compared++
		occurring += len(before)
		if text(p) != text(q) {
			changed++
		}
		for _, what := range before {
			if isLost(what) {
				t.Errorf("seed %d: %s is lost\n%s\n%s", seed, what, text(p), text(q))
			}
		}
	}
	t.Logf("%d of %d programs compared, %d of them changed, in which %d things occur", compared, n, changed, occurring)
	if changed < n/10 {
		t.Errorf("only %d of %d programs are compared with a sketch that is another program", changed, n)
	}
}

// lead puts functions between calls and what is called: each calls what it is for, or the next one of them, or ends.
func lead(p *esl.Program, seed uint64) {
	n := len(p.Functions)
	for f := range n {
		next := n + min(f+int(seed%3), n-1)
		if next == n+f {
			next = f
		}
		p.Functions = append(p.Functions, esl.Function{Name: p.Functions[f].Name + "'", Body: []esl.Stmt{
			{Op: esl.Choice, Targets: []int{1, 3, 4}}, {Op: esl.Call, Arg: f}, {Op: esl.Return}, {Op: esl.Call, Arg: next},
			{Op: esl.Return}}})
	}
	for f := range n {
		for i, s := range p.Functions[f].Body {
			if s.Op == esl.Call && (f+i)%2 == 0 {
				p.Functions[f].Body[i].Arg += n
			}
		}
	}
}
