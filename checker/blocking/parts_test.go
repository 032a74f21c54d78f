package blocking

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/esl/random"
)

// TestParts holds the search in parts to that of whole programs: of two random programs beside each other, as they are,
// and as what clients call.
func TestParts(t *testing.T) {
	compared, blocked, apart, whole, inParts := 0, 0, 0, 0, 0
	for seed := *from; seed < *from+uint64(*programs/4); seed++ {
		r := rand.New(rand.NewPCG(seed, 24))
		p := beside(random.Blocking(seed), random.Blocking(seed+1<<32))
		var clients []int
		if seed%2 == 0 {
			p, clients = asClients(p, r, 2)
		}
		if err := esl.Validate(p); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, p)
		}
		want, err := Search(t.Context(), p, Options{Whole: true, States: 5000, Clients: clients})
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, p)
		}
		if !want.Complete {
			continue
		}
		got, err := Search(t.Context(), p, Options{Clients: clients})
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, p)
		}
		compared++
		blocked += min(1, len(want.blocked))
		apart += min(1, len(newDivision(p, Options{Clients: clients}).parts())-1)
		whole, inParts = whole+want.States, inParts+got.States
		for name, all := range map[string][2]map[place]bool{"blocked": {want.blocked, got.blocked},
			"possible": {want.possible, got.possible}, "crashes": {want.crashes, got.crashes}} {
			if diff := cmp.Diff(places(all[0]), places(all[1])); diff != "" {
				t.Fatalf("seed %d: %s (-whole +parts):\n%s\n%s", seed, name, diff, p)
			}
		}
	}
	t.Logf("%d of %d programs compared, of which %d can block and %d have parts; %d states, in parts %d", compared,
		*programs/4, blocked, apart, whole, inParts)
}

// TestHeldByEarlierCall: a lock that an earlier call of a client has not released is waited for in vain, though the
// next call ends the program. The seed is that of a program of which its parts told that, and the whole did not.
func TestHeldByEarlierCall(t *testing.T) {
	const seed = 770118
	p := beside(random.Blocking(seed), random.Blocking(seed+1<<32))
	p, clients := asClients(p, rand.New(rand.NewPCG(seed, 24)), 2)
	for _, whole := range []bool{true, false} {
		got, err := Search(t.Context(), p, Options{Clients: clients, Whole: whole})
		if err != nil {
			t.Fatal(err)
		}
		if at := (place{1, 1, 16}); !got.blocked[at] {
			t.Errorf("whole %t: nobody waits at %v: %v", whole, at, got.blocked)
		}
	}
}

// beside returns a program with the processes of two that have nothing to do with each other, but that the first one of
// the first program starts those of the other one.
func beside(p, q *esl.Program) *esl.Program {
	all := *p
	rename := func(n string) string { return n + "x" }
	for _, l := range q.Locks {
		all.Locks = append(all.Locks, esl.Lock{Name: rename(l.Name), Kind: l.Kind})
	}
	for _, c := range q.Channels {
		all.Channels = append(all.Channels, esl.Channel{Name: rename(c.Name), Capacity: c.Capacity})
	}
	for _, c := range q.Conditions {
		all.Conditions = append(all.Conditions, esl.Condition{Name: rename(c.Name)})
	}
	for _, g := range q.Groups {
		all.Groups = append(all.Groups, esl.Group{Name: rename(g.Name)})
	}
	for _, v := range q.Variables {
		all.Variables = append(all.Variables, esl.Variable{Name: rename(v.Name), Values: v.Values})
	}
	for _, f := range q.Flags {
		all.Flags = append(all.Flags, esl.Flag{Name: rename(f.Name)})
	}
	var starts []esl.Stmt
	for i, s := range q.Processes {
		s.Name, s.Entry = rename(s.Name), s.Entry+len(p.Functions)
		if s.Initial {
			starts = append(starts, esl.Stmt{Op: esl.Start, Arg: len(p.Processes) + i})
		}
		s.Initial = false
		all.Processes = append(all.Processes, s)
	}
	all.Functions = nil
	for i, f := range p.Functions {
		if i == p.Processes[0].Entry {
			f.Body = shifted(f.Body, len(starts))
			f.Body = append(starts, f.Body...)
		}
		all.Functions = append(all.Functions, f)
	}
	for _, f := range q.Functions {
		f.Name, f.Body = rename(f.Name), shifted(f.Body, 0)
		for i := range f.Body {
			s := &f.Body[i]
			switch o, ok := objectOf(use{op: s.Op, arg: s.Arg}); {
			case s.Op == esl.Call:
				s.Arg += len(p.Functions)
			case ok:
				s.Arg += map[int]int{lockKind: len(p.Locks), processKind: len(p.Processes), flagKind: len(p.Flags),
					channelKind: len(p.Channels), conditionKind: len(p.Conditions), groupKind: len(p.Groups),
					variableKind: len(p.Variables)}[o.kind]
			}
		}
		all.Functions = append(all.Functions, f)
	}
	return &all
}

// shifted is a copy of statements that come so much later.
func shifted(body []esl.Stmt, by int) []esl.Stmt {
	all := slices.Clone(body)
	for i := range all {
		all[i].Targets = slices.Clone(all[i].Targets)
		for k := range all[i].Targets {
			all[i].Targets[k] += by
		}
	}
	return all
}

// asClients returns a program of n clients that call, again and again, what the processes of another one execute.
func asClients(p *esl.Program, r *rand.Rand, n int) (q *esl.Program, clients []int) {
	all := *p
	body := []esl.Stmt{{Op: esl.Skip}, {Op: esl.Choice, Targets: []int{0}}}
	for i, process := range p.Processes {
		if r.IntN(4) == 0 {
			continue
		}
		all.Variables = append(all.Variables, esl.Variable{Name: fmt.Sprintf("own%d", i), Values: 1})
		own := esl.Stmt{Op: esl.Assign, Arg: len(all.Variables) - 1} // it does nothing
		body[1].Targets = append(body[1].Targets, len(body))
		for _, s := range shifted(p.Functions[process.Entry].Body, len(body)) {
			switch s.Op {
			case esl.Start, esl.Join, esl.Done, esl.Return, esl.Call, esl.Skip: // clients choose at a Skip
				s = own
			}
			body = append(body, s)
		}
		body = append(body, esl.Stmt{Op: esl.Goto, Targets: []int{0}})
	}
	all.Functions = []esl.Function{{Name: "main"}}
	all.Processes = []esl.Process{{Name: "main", Entry: 0, Copies: 1, Initial: true}}
	for i := range n {
		all.Functions[0].Body = append(all.Functions[0].Body, esl.Stmt{Op: esl.Start, Arg: i + 1})
		clients = append(clients, i+1)
		all.Functions = append(all.Functions, esl.Function{Name: fmt.Sprintf("client %d", i), Body: body})
		all.Processes = append(all.Processes, esl.Process{Name: fmt.Sprintf("c%d", i), Entry: i + 1, Copies: 1})
	}
	return &all, clients
}

// TestFewer holds what is found with fewer clients, where the search is cut off, to the whole search with all of them.
func TestFewer(t *testing.T) {
	compared, cut, waiting, ending := 0, 0, 0, 0
	for seed := *from; seed < *from+uint64(*programs/4); seed++ {
		p, clients := asClients(random.Blocking(seed), rand.New(rand.NewPCG(seed, 24)), 3)
		want, err := Search(t.Context(), p, Options{Whole: true, States: 20_000, Clients: clients})
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, p)
		}
		if !want.Complete {
			continue
		}
		compared++
		got, err := Search(t.Context(), p, Options{States: 30, Clients: clients})
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, p)
		}
		if !got.Complete {
			cut++
		}
		for _, f := range got.Findings {
			for _, w := range f.Waits {
				in, n := want.blocked, &waiting
				if f.Class == OrderViolation {
					in, n = want.crashes, &ending
				}
				if *n++; !in[place{w.Process, w.Function, w.Index}] {
					t.Fatalf("seed %d: %s at %d of function %d is none\n%s", seed, f.Class, w.Index, w.Function, p)
				}
			}
		}
	}
	t.Logf("%d of %d programs compared, %d of them cut off; %d wait, %d end the program", compared, *programs/4, cut,
		waiting, ending)
}
