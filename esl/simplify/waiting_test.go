package simplify_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/esl/interp"
	"github.com/empire-go/empire-go/esl/random"
	"github.com/empire-go/empire-go/esl/simplify"
	"github.com/empire-go/empire-go/internal/testmain"
	"github.com/empire-go/empire-go/limit"
)

// TestWaiting compares random programs with what becomes of them for questions about blocking: by the interpreter, the
// same operations are waited for, for ever or if the worst is chosen, and the same ones end the program.
func TestWaiting(t *testing.T) {
	n, from := testmain.Count(400), 0
	if f, err := strconv.Atoi(os.Getenv("EMPIRE_FROM")); err == nil {
		from = f
	}
	compared, blocked, before, after, states, fewer := 0, 0, 0, 0, 0, 0
	for seed := uint64(from); seed < uint64(from+n); seed++ {
		p := branching(random.Blocking(seed), rand.New(rand.NewPCG(seed, 24)))
		if err := esl.Validate(p); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text(p))
		}
		q := simplify.Waiting(limit.NewPoll(t.Context()), p)
		if err := esl.Validate(q); err != nil {
			t.Fatalf("seed %d: %v\n%s\n%s", seed, err, text(p), text(q))
		}
		want, got := interp.Stuck(t.Context(), p, 10_000), interp.Stuck(t.Context(), q, 10_000)
		if !want.Complete || !got.Complete {
			continue
		}
		compared++
		blocked += min(1, len(want.Blocked))
		before, after = before+statements(p), after+statements(q)
		states, fewer = states+want.States, fewer+got.States
		for name, all := range map[string][2]map[interp.Place]bool{"blocked": {want.Blocked, got.Blocked},
			"possible": {want.Possible, got.Possible}, "crashes": {want.Crashes, got.Crashes}} {
			if diff := cmp.Diff(operations(p, all[0]), operations(q, all[1])); diff != "" {
				t.Fatalf("seed %d: %s (-before +after):\n%s\n%s\n%s", seed, name, diff, text(p), text(q))
			}
		}
	}
	t.Logf("%d of %d programs compared, of which %d can block; %d statements, then %d; %d states, then %d", compared, n,
		blocked, before, after, states, fewer)
}

// branching gives the statements of a program positions, few of them, and lets branches depend on a variable.
func branching(p *esl.Program, r *rand.Rand) *esl.Program {
	q := p.Rewritten(func(_ esl.Place, s esl.Stmt) esl.Stmt {
		s.Pos = esl.Pos{File: "f.go", Line: 1 + r.IntN(2)}
		return s
	})
	if r.IntN(2) == 0 {
		q.Variables = append(slices.Clone(q.Variables), esl.Variable{Name: "branch", Values: 1 + r.IntN(3)})
	}
	if len(q.Variables) == 0 {
		return q
	}
	v := len(q.Variables) - 1
	at := esl.Pos{File: "f.go", Line: 3}
	for f := range q.Functions {
		body := append(q.Functions[f].Body, esl.Stmt{Op: esl.Return})
		for i, s := range body {
			if r.IntN(3) > 0 {
				continue
			}
			switch s.Op {
			case esl.Choice: // the variable decides
				body[i] = esl.Stmt{Op: esl.Goto, Targets: []int{len(body)}}
				branch := esl.Stmt{Op: esl.Select, Pos: at}
				first := len(body)
				body = append(body, branch)
				for n := range q.Variables[v].Values {
					body[first].Targets = append(body[first].Targets, len(body))
					body = append(body, esl.Stmt{Op: esl.Test, Arg: v, Count: n, Pos: at},
						esl.Stmt{Op: esl.Goto, Targets: []int{s.Targets[r.IntN(len(s.Targets))]}})
				}
			case esl.Skip:
				if !isTarget(body, i) {
					body[i] = esl.Stmt{Op: esl.Assign, Arg: v, Value: r.IntN(q.Variables[v].Values), Pos: at}
				}
			}
		}
		q.Functions[f].Body = body
	}
	return q
}

// isTarget tells whether a select leads to a statement.
func isTarget(body []esl.Stmt, at int) bool {
	return slices.ContainsFunc(body, func(s esl.Stmt) bool {
		return (s.Op == esl.Select || s.Op == esl.SelectDefault) && slices.Contains(s.Targets, at)
	})
}

// operations says by processes and positions what is at some places.
func operations(p *esl.Program, places map[interp.Place]bool) map[string]bool {
	all := map[string]bool{}
	for at := range places {
		body := p.Functions[at.Function].Body
		if at.Index == len(body) {
			body = append(slices.Clone(body), esl.Stmt{Op: esl.Return})
		}
		what := []esl.Stmt{body[at.Index]}
		if op := what[0].Op; op == esl.Select || op == esl.SelectDefault {
			what[0] = esl.Stmt{Op: op}
			for _, target := range body[at.Index].Targets {
				what = append(what, body[target])
			}
		}
		var names []string
		for _, s := range what {
			names = append(names, fmt.Sprint(s.Op, s.Arg, s.Pos))
		}
		if last := len(names); what[0].Op == esl.SelectDefault {
			last--
			slices.Sort(names[1:last])
		} else {
			slices.Sort(names[1:])
		}
		all[fmt.Sprint(at.Process, slices.Compact(names))] = true
	}
	return all
}
