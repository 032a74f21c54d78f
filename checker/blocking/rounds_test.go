package blocking

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/esl/interp"
	"github.com/empire-go/empire-go/esl/random"
)

// TestRounds holds who goes round for ever to the definition, on random programs all of which counts as a loop: from
// some state on, an instance only looks, in whatever state can be reached, and neither ends nor is blocked for ever.
// The search with reduction finds fewer places, of the same processes.
func TestRounds(t *testing.T) {
	asked, round := 0, 0
	inLoop := func(int, esl.Pos) int { return 1 }
	for seed := *from; seed < *from+uint64(*programs); seed++ {
		p := going(random.Blocking(seed), rand.New(rand.NewPCG(seed, 49)))
		if !isCompared(t, seed, p) {
			continue
		}
		want := rounds(t, p)
		asked++
		round += min(1, len(want))
		got, err := Search(t.Context(), p, Options{Whole: true, Loop: inLoop})
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, p)
		}
		if diff := cmp.Diff(want, operations(p, got.rounds)); diff != "" {
			t.Fatalf("seed %d: (-interpreter +search):\n%s\n%s", seed, diff, p)
		}
		if got, err = Search(t.Context(), p, Options{Loop: inLoop}); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, p)
		}
		for at := range operations(p, got.rounds) {
			if !want[at] {
				t.Fatalf("seed %d: nobody goes round at %v\n%s", seed, at, p)
			}
		}
		if diff := cmp.Diff(processesOf(p, want), processesOf(p, operations(p, got.rounds))); diff != "" {
			t.Fatalf("seed %d: processes (-interpreter +search with reduction):\n%s\n%s", seed, diff, p)
		}
	}
	t.Logf("%d of %d programs compared, in %d somebody goes round", asked, *programs, round)
}

// isCompared tells whether what goroutines of a program do for ever is compared: it has few states and does not end by
// mistake.
func isCompared(t *testing.T, seed uint64, p *esl.Program) bool {
	if err := esl.Validate(p); err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, p)
	}
	if len(p.Conditions) > 0 { // it may be waited for a signal only by whom has asked for it
		return false
	}
	stuck := interp.Stuck(t.Context(), p, 1500)
	return stuck.Complete && len(stuck.Crashes) == 0
}

// going returns a program some processes of which begin again at their end, and do little but look.
func going(p *esl.Program, r *rand.Rand) *esl.Program {
	q := *p
	q.Functions = slices.Clone(p.Functions)
	for i, process := range p.Processes {
		if r.IntN(3) == 0 || i == 0 && r.IntN(3) > 0 {
			continue
		}
		body := shifted(p.Functions[process.Entry].Body, 0)
		for k, s := range body {
			isArm := slices.ContainsFunc(body, func(of esl.Stmt) bool {
				return (of.Op == esl.Select || of.Op == esl.SelectDefault) && slices.Contains(of.Targets, k)
			})
			isKept := isLook(s) || s.Op == esl.Select || s.Op == esl.SelectDefault || r.IntN(5) == 0
			switch {
			case isArm:
			case s.Op == esl.Return || s.Op == esl.Exit:
				body[k] = esl.Stmt{Op: esl.Goto, Targets: []int{0}}
			case !isKept:
				body[k] = esl.Stmt{Op: esl.Skip}
			}
		}
		q.Functions[process.Entry].Body = append(body, esl.Stmt{Op: esl.Goto, Targets: []int{0}})
	}
	return &q
}

// operations returns the places at which there is an operation.
func operations(p *esl.Program, all map[place]bool) map[interp.Place]bool {
	some := places(all)
	maps.DeleteFunc(some, func(at interp.Place, _ bool) bool {
		body := p.Functions[at.Function].Body
		return at.Index == len(body) || isLocal(body[at.Index])
	})
	return some
}

// processesOf returns what the processes do that are somewhere: of parts that are the same, one is searched.
func processesOf(p *esl.Program, all map[interp.Place]bool) map[string]bool {
	some := map[string]bool{}
	for at := range all {
		some[executed(p, p.Processes[at.Process].Entry)] = true
	}
	return some
}

// executed returns what can be executed of a function, in the order of a walk through it. Objects have the numbers in
// which they are come to: two processes that do the same with locks of their own are the same.
func executed(p *esl.Program, function int) string {
	f := &p.Functions[function]
	objects, seen := map[object]int{}, map[int]int{}
	var text strings.Builder
	var walk func(at int)
	walk = func(at int) {
		for range f.Body { // where jumps lead
			if at == len(f.Body) || f.Body[at].Op != esl.Goto {
				break
			}
			at = f.Body[at].Targets[0]
		}
		n, ok := seen[at]
		if !ok {
			n = len(seen)
			seen[at] = n
		}
		fmt.Fprintf(&text, " %d", n)
		if ok || at == len(f.Body) {
			return
		}
		s := f.Body[at]
		arg := s.Arg
		if o, ok := objectOf(use{op: s.Op, arg: s.Arg}); ok && o.kind != processKind {
			if _, ok := objects[o]; !ok {
				objects[o] = len(objects)
			}
			arg = objects[o]
		}
		fmt.Fprintf(&text, "{%v %d %d %d", s.Op, arg, s.Count, s.Value)
		for _, to := range f.Successors(at) {
			walk(to)
		}
		text.WriteString("}")
	}
	walk(0)
	return text.String()
}

// textOf is equal for states that are the same.
func textOf(s *interp.State) string {
	values := *s
	values.Program, values.Threads = nil, nil
	text := fmt.Sprint(values)
	for _, th := range s.Threads {
		text += fmt.Sprint(*th)
	}
	return text
}

// taken is a step from one state to another one.
type taken struct {
	who, to int
	step    esl.Step
}

// explored returns the states of a program, the first one first, and the steps from each.
func explored(t *testing.T, p *esl.Program) (all []*interp.State, steps [][]taken) {
	all = []*interp.State{interp.Initial(p)}
	index := map[string]int{textOf(all[0]): 0}
	for n := 0; n < len(all); n++ {
		var own []taken
		for i := range all[n].Threads {
			for _, step := range interp.EnabledBy(all[n], i) {
				s, err := interp.Apply(all[n], step)
				if err != nil {
					t.Fatal(err)
				}
				text := textOf(s)
				k, ok := index[text]
				if !ok {
					k = len(all)
					index[text] = k
					all = append(all, s)
				}
				own = append(own, taken{i, k, step})
			}
		}
		steps = append(steps, own)
	}
	return all, steps
}

// rounds returns, by the definition, where instances of a program go round for ever that has few states and does not
// end by mistake.
func rounds(t *testing.T, p *esl.Program) map[interp.Place]bool {
	all, steps := explored(t, p)
	next, acts := make([][]int, len(all)), make([][]int, len(all)) // the states after one; who does something but look
	moves := make([][]int, len(all))                               // who can move
	for n := range all {
		for _, e := range steps[n] {
			next[n], moves[n] = append(next[n], e.to), append(moves[n], e.who)
			body := p.Functions[e.step.Function].Body
			if e.step.Index < len(body) && !isLook(body[e.step.Index]) || len(all[e.to].Threads[e.who].Stack) == 0 {
				acts[n] = append(acts[n], e.who)
			}
		}
	}
	// reaching returns the states from which one can be reached in which somebody is among some.
	reaching := func(i int, some [][]int, ended bool) []bool {
		is := make([]bool, len(all))
		for n := range all {
			is[n] = all[n].Ended
			for _, j := range some[n] {
				is[n] = is[n] || j == i
			}
			isOver := all[n].Threads[i].Started && len(all[n].Threads[i].Stack) == 0
			is[n] = is[n] || ended && isOver
		}
		for changed := true; changed; {
			changed = false
			for n := range all {
				for _, k := range next[n] {
					if is[k] && !is[n] {
						is[n], changed = true, true
					}
				}
			}
		}
		return is
	}
	found := map[interp.Place]bool{}
	for i := range all[0].Threads {
		acting, moving := reaching(i, acts, true), reaching(i, moves, true)
		stuck := make([][]int, len(all))
		for n := range all {
			if !moving[n] {
				stuck[n] = []int{i}
			}
		}
		blocked := reaching(i, stuck, false)
		for n, s := range all {
			th := s.Threads[i]
			if acting[n] || blocked[n] || len(th.Stack) == 0 {
				continue
			}
			top := th.Stack[len(th.Stack)-1]
			body := p.Functions[top.Function].Body
			isMoving := false
			for _, j := range moves[n] {
				isMoving = isMoving || j == i
			}
			if isMoving && top.Next < len(body) && !isLocal(body[top.Next]) {
				found[interp.Place{Process: th.Process, Function: top.Function, Index: top.Next}] = true
			}
		}
	}
	return found
}
