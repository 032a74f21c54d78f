package blocking

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/esl/random"
)

// TestLivelocks holds who hinders each other for ever to the definition, on random programs whose processes try again
// and again to take locks, or to find variables as they want them. The search with reduction finds the same processes,
// part by part.
func TestLivelocks(t *testing.T) {
	asked, hindering, open := 0, 0, 0
	for seed := *from; seed < *from+uint64(*programs); seed++ {
		p := retrying(rand.New(rand.NewPCG(seed, 24)))
		if !isCompared(t, seed, p) {
			continue
		}
		want, mayBe := hindered(t, p)
		asked++
		hindering += min(1, len(want))
		if mayBe {
			open++
		}
		inParts, mayBeInParts := map[string]bool{}, false
		for _, part := range newDivision(p, Options{}).parts() {
			own, may := hindered(t, part.program)
			maps.Copy(inParts, processesOf(part.program, own))
			mayBeInParts = mayBeInParts || may
		}
		for isWhole, want := range map[bool]map[string]bool{true: processesOf(p, want), false: inParts} {
			got, err := Search(t.Context(), p, Options{Whole: isWhole})
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, p)
			}
			if diff := cmp.Diff(want, processesOf(p, places(got.livelocks))); diff != "" {
				t.Fatalf("seed %d, whole %t: (-interpreter +search):\n%s\n%s", seed, isWhole, diff, p)
			}
			if may := isWhole && mayBe || !isWhole && mayBeInParts; got.Hinders != may {
				t.Fatalf("seed %d, whole %t: some may hinder each other: %t, want %t\n%s", seed, isWhole, got.Hinders, may, p)
			}
		}
	}
	t.Logf("%d of %d programs compared, in %d some hinder each other, in %d they may", asked, *programs, hindering, open)
}

// retrying generates a program of two or three processes, some of which take a lock, or set a variable, and try to take
// others, or wait for another variable, until they get them; the others take locks, or are random.
func retrying(r *rand.Rand) *esl.Program {
	p := going(random.Blocking(r.Uint64()), r)
	for len(p.Locks) < 2 {
		p.Locks = append(slices.Clone(p.Locks), esl.Lock{Name: fmt.Sprintf("l%d", len(p.Locks))})
	}
	first := len(p.Variables)
	p.Variables = append(slices.Clone(p.Variables), esl.Variable{Name: "x", Values: 2}, esl.Variable{Name: "y", Values: 2})
	p.Channels = slices.Clone(p.Channels)
	for i := range p.Channels { // a meeting is two steps of the interpreter
		p.Channels[i].Capacity = max(1, p.Channels[i].Capacity)
	}
	for _, f := range p.Functions { // who can choose to leave a loop is not hindered for certain
		for i, s := range f.Body {
			if s.Op == esl.Choice {
				f.Body[i] = esl.Stmt{Op: esl.Goto, Targets: s.Targets[:1]}
			}
		}
	}
	for _, process := range p.Processes {
		if r.IntN(8) == 0 {
			continue
		}
		own, other := r.IntN(2), r.IntN(2)
		claim := []esl.Stmt{{Op: esl.LockOp, Arg: own}, {Op: esl.Unlock, Arg: own}}
		try := []esl.Stmt{{Op: esl.LockOp, Arg: other}, {Op: esl.Unlock, Arg: other}}
		if r.IntN(3) == 0 {
			own, other = first+r.IntN(2), first+r.IntN(2)
			set := func(value int) esl.Stmt { return esl.Stmt{Op: esl.Assign, Arg: own, Value: value} }
			claim = []esl.Stmt{set(1), set(0)}
			try = []esl.Stmt{{Op: esl.Test, Arg: other, Count: r.IntN(2)}, {Op: esl.Skip}}
			if r.IntN(4) == 0 {
				try = []esl.Stmt{{Op: esl.Swap, Arg: other, Value: 1}, {Op: esl.Assign, Arg: other}}
			}
		}
		var body []esl.Stmt
		held := r.IntN(4) > 0
		if held {
			body = append(body, claim[0])
		}
		at := len(body)
		body = append(body, esl.Stmt{Op: esl.SelectDefault, Targets: []int{at + 1, at + 3}}, try[0], esl.Stmt{Op: esl.Goto},
			esl.Stmt{Op: esl.Skip})
		if held {
			body = append(body, claim[1])
		}
		if r.IntN(3) == 0 { // something else is done in each round
			lock := r.IntN(len(p.Locks))
			body = append(body, esl.Stmt{Op: esl.LockOp, Arg: lock}, esl.Stmt{Op: esl.Unlock, Arg: lock})
		}
		body = append(body, esl.Stmt{Op: esl.Goto, Targets: []int{0}})
		body[at+2].Targets = []int{len(body)}
		body = append(body, try[1])
		if held && r.IntN(8) > 0 {
			body = append(body, claim[1])
		}
		switch r.IntN(4) {
		case 0: // it has more to do
			body = append(body, claim...)
		case 1:
			body = append(body, esl.Stmt{Op: esl.Goto, Targets: []int{0}})
		}
		p.Functions[process.Entry].Body = body
	}
	return p
}
