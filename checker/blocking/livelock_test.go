package blocking

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/esl/interp"
	"github.com/empire-go/empire-go/esl/random"
)

// TestLivelocks holds who hinders each other for ever to the definition, on random programs all of which counts as a
// loop, and in which locks are tried again and again. The search with reduction finds the same processes, part by part:
// who goes on for ever beside those who hinder each other, and has nothing to do with them, is in another part.
func TestLivelocks(t *testing.T) {
	asked, hindering := 0, 0
	inLoop := func(int, esl.Pos) int { return 1 }
	for seed := *from; seed < *from+uint64(*programs); seed++ {
		p := retrying(rand.New(rand.NewPCG(seed, 24)))
		if !isCompared(t, seed, p) {
			continue
		}
		want := hindered(t, p)
		asked++
		hindering += min(1, len(want))
		inParts := map[string]bool{}
		for _, part := range newDivision(p, Options{Loop: inLoop}).parts() {
			maps.Copy(inParts, processesOf(part.program, hindered(t, part.program)))
		}
		for isWhole, want := range map[bool]map[string]bool{true: processesOf(p, want), false: inParts} {
			got, err := Search(t.Context(), p, Options{Whole: isWhole, Loop: inLoop})
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, p)
			}
			if diff := cmp.Diff(want, processesOf(p, places(got.livelocks))); diff != "" {
				t.Fatalf("seed %d, whole %t: (-interpreter +search):\n%s\n%s", seed, isWhole, diff, p)
			}
		}
	}
	t.Logf("%d of %d programs compared, in %d some hinder each other", asked, *programs, hindering)
}

// retrying generates a program of two or three processes, some of which take a lock and try to take others, until they
// get them; the others take locks, or are random.
func retrying(r *rand.Rand) *esl.Program {
	p := going(random.Blocking(r.Uint64()), r)
	for len(p.Locks) < 2 {
		p.Locks = append(slices.Clone(p.Locks), esl.Lock{Name: fmt.Sprintf("l%d", len(p.Locks))})
	}
	for _, f := range p.Functions { // who can choose to leave a loop is not hindered for certain
		for i, s := range f.Body {
			if s.Op == esl.Choice {
				f.Body[i] = esl.Stmt{Op: esl.Goto, Targets: s.Targets[:1]}
			}
		}
	}
	for _, process := range p.Processes {
		if r.IntN(5) == 0 {
			continue
		}
		var body []esl.Stmt
		own, other := r.IntN(len(p.Locks)), r.IntN(len(p.Locks))
		held := r.IntN(4) > 0
		if held {
			body = append(body, esl.Stmt{Op: esl.LockOp, Arg: own})
		}
		at := len(body)
		body = append(body, esl.Stmt{Op: esl.SelectDefault, Targets: []int{at + 1, at + 3}},
			esl.Stmt{Op: esl.LockOp, Arg: other}, esl.Stmt{Op: esl.Goto}, esl.Stmt{Op: esl.Skip})
		if held {
			body = append(body, esl.Stmt{Op: esl.Unlock, Arg: own})
		}
		body = append(body, esl.Stmt{Op: esl.Goto, Targets: []int{0}})
		body[at+2].Targets = []int{len(body)}
		body = append(body, esl.Stmt{Op: esl.Unlock, Arg: other})
		if held && r.IntN(8) > 0 {
			body = append(body, esl.Stmt{Op: esl.Unlock, Arg: own})
		}
		switch r.IntN(4) {
		case 0: // it has more to do
			body = append(body, esl.Stmt{Op: esl.LockOp, Arg: own}, esl.Stmt{Op: esl.Unlock, Arg: own})
		case 1:
			body = append(body, esl.Stmt{Op: esl.Goto, Targets: []int{0}})
		}
		p.Functions[process.Entry].Body = body
	}
	return p
}

// move is a step from one state to another one.
type move struct {
	to, who int
	isLook  bool // who takes it stays in its loop, and only looks
	fails   bool // it does not get what it tries to get
	locks   bool // it takes a lock
}

// hindered returns, by the definition, where instances of a program of few states try in vain in a livelock.
func hindered(t *testing.T, p *esl.Program) map[interp.Place]bool {
	all, steps := explored(t, p)
	moves := make([][]move, len(all))
	for n := range all {
		for _, e := range steps[n] {
			body := p.Functions[e.step.Function].Body
			m := move{to: e.to, who: e.who}
			m.locks = e.step.Index < len(body) &&
				(body[e.step.Index].Op == esl.LockOp || body[e.step.Index].Op == esl.RLock)
			m.isLook = (e.step.Index == len(body) || isLook(body[e.step.Index])) &&
				len(all[e.to].Threads[e.who].Stack) > 0
			top := all[n].Threads[e.who].Stack[len(all[n].Threads[e.who].Stack)-1]
			if body := p.Functions[top.Function].Body; top.Next < len(body) && body[top.Next].Op == esl.SelectDefault {
				m.fails = e.step.Index == body[top.Next].Targets[len(body[top.Next].Targets)-1]
			}
			moves[n] = append(moves[n], m)
		}
	}
	reach := make([]map[int]bool, len(all))
	for n := range all {
		reach[n] = map[int]bool{}
		for queue := []int{n}; len(queue) > 0; queue = queue[1:] {
			for _, m := range moves[queue[0]] {
				if m.isLook && !reach[n][m.to] {
					reach[n][m.to] = true
					queue = append(queue, m.to)
				}
			}
		}
	}
	found, isSeen := map[interp.Place]bool{}, map[int]bool{}
	for n := range all {
		if !reach[n][n] || isSeen[n] {
			continue
		}
		var component []int
		for k := range reach[n] {
			if reach[k][n] {
				component, isSeen[k] = append(component, k), true
			}
		}
		places, isLivelock := hinderedIn(all, moves, component)
		if isLivelock {
			for at := range places {
				found[at] = true
			}
		}
	}
	return found
}

// hinderedIn returns where instances try in vain in a component to take what they could take in another state of it.
func hinderedIn(all []*interp.State, moves [][]move, component []int) (found map[interp.Place]bool, is bool) {
	found = map[interp.Place]bool{}
	who := map[int]bool{}
	place := func(n, i int) interp.Place {
		th := all[n].Threads[i]
		top := th.Stack[len(th.Stack)-1]
		return interp.Place{Process: th.Process, Function: top.Function, Index: top.Next}
	}
	for i := range all[0].Threads {
		moving, isBack := false, false
		failed, could := map[interp.Place]bool{}, map[interp.Place]bool{}
		for _, n := range component {
			can := false
			for _, m := range moves[n] {
				if m.who != i {
					continue
				}
				can = true
				if inside := m.isLook && slices.Contains(component, m.to); inside {
					moving = true
					if m.fails {
						failed[place(n, i)] = true
					}
				}
				if m.locks {
					could[place(n, i)] = true
				}
			}
			isBack = isBack || !can
		}
		if !moving && !isBack {
			return nil, false
		}
		for at := range failed {
			if could[at] && moving {
				found[at], who[i] = true, true
			}
		}
	}
	return found, len(who) > 1
}
