package checker

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/internal/testmain"
	"github.com/empire-go/empire-go/scenarios"
)

// TestAgainstInterpreterJoins is about goroutines that are waited for: what is safe without
// them is safe, and what is not is shown with them.
func TestAgainstInterpreterJoins(t *testing.T) { compare(t, 200, joins) }

// TestLocalization: of the programs of TestAgainstInterpreterJoins, what the local scopes
// answer is what the whole one does, and each way to an answer is taken.
func TestLocalization(t *testing.T) {
	var smaller, empty, completed, widened, contradicted int
	for seed := range uint64(testmain.Count(1000)) {
		p := joins(seed)
		c := naiveCheck(t, p)
		m := c.model
		for _, g := range m.Guesses(scenarios.Table) {
			l := c.localize(g.U, g.V)
			if l.scope.Whole() {
				continue
			}
			smaller++
			q := m.Query(g, scenarios.Table, m.Whole(g.U, g.V))
			answers := c.decide(q.System, c.options.Limits)
			for _, o := range c.guess(g, scenarios.Table) {
				i := slices.Index(q.System.Labels(), fmt.Sprint(o.scenario))
				if whole := answers[i]; whole.Status != Undecided && o.status != whole.Status {
					t.Fatalf("seed %d, %s, scenario %d: %v, in the whole scope %v\n%v", seed, q.System.Name, o.scenario, o.status,
						whole.Status, p)
				}
			}
			isOut := func(s esl.Step) bool { return !l.scope.Has(s.Process) }
			decided, _ := c.guessIn(l, g, scenarios.Table)
			for _, o := range decided {
				switch {
				case o.status == Empty:
					empty++
				case o.violation != nil && slices.ContainsFunc(o.violation.Steps, isOut):
					completed++
				}
			}
			if l.whole {
				contradicted++
			}
			if l.widen() {
				widened++
			}
		}
	}
	t.Logf("%d local scopes: %d labels empty, %d words completed, %d scopes widened, %d of them to the whole",
		smaller, empty, completed, widened, contradicted)
	if min(smaller, empty, completed) < 10 || min(widened, contradicted) == 0 {
		t.Error("too few of a kind")
	}
}

// joins returns a program in which main starts two or three goroutines, some of them after
// it has waited for others, maybe while it holds a lock that these take. One of them may
// start another one and wait for it, or for a flag that it sets.
func joins(seed uint64) *esl.Program {
	r := rand.New(rand.NewPCG(seed, 0x1013))
	n := 2 + r.IntN(2)
	p := &esl.Program{
		Name:      fmt.Sprintf("joins %d", seed),
		Objects:   []esl.Object{{Name: "w"}},
		Locations: []esl.Location{{Name: "a"}, {Name: "b"}},
		Locks:     []esl.Lock{{Name: "m"}, {Name: "n", Kind: esl.RW}},
		Flags:     []esl.Flag{{Name: "f"}},
		Processes: []esl.Process{{Name: "main", Copies: 1, Initial: true}},
	}
	bodies := make([]*joiner, n+1)
	for i := range bodies {
		bodies[i] = &joiner{messenger{Rand: r}}
	}
	main := bodies[0]
	nested := r.IntN(3) == 0 // the last one is started by the first one
	for i := 1; i <= n; i++ {
		p.Processes = append(p.Processes, esl.Process{Name: fmt.Sprint("g", i), Entry: i, Copies: 1})
	}
	if nested {
		bodies[1].emit(esl.Stmt{Op: esl.Start, Arg: n})
	}
	flag := r.IntN(4)
	for i := 1; i <= n; i++ {
		b := bodies[i]
		if flag == 0 && i == 1 {
			b.emit(esl.Stmt{Op: esl.Set})
		}
		if r.IntN(4) > 0 {
			b.unit(p.Processes[i].Name)
		} else {
			b.section(func() {}) // it only takes a lock
		}
		if flag == 0 && i == 2 {
			b.emit(esl.Stmt{Op: []esl.Op{esl.Await, esl.AwaitUnset}[r.IntN(2)]})
		}
		if nested && i == 1 {
			b.emit(esl.Stmt{Op: esl.Join, Arg: n})
		}
		b.section(func() { b.maybeDone(6) })
		b.emit(esl.Stmt{Op: esl.Done})
	}
	inUnit, held := r.IntN(4) == 0, r.IntN(5) == 0
	if inUnit {
		main.emit(esl.Stmt{Op: esl.UnitBegin, Unit: "main"})
		main.access()
	}
	first := r.IntN(n + 1) // so many are started, and waited for, before the others are started
	order := r.Perm(n)
	for k, i := range order {
		if k == first && held {
			main.emit(esl.Stmt{Op: esl.LockOp})
		}
		if k == first {
			main.join(order[:first])
		}
		if k == first && held {
			main.emit(esl.Stmt{Op: esl.Unlock})
		}
		if !nested || i != n-1 {
			main.emit(esl.Stmt{Op: esl.Start, Arg: i + 1})
		}
	}
	if r.IntN(3) == 0 {
		main.join(order[first:])
	}
	if inUnit {
		main.access()
		main.emit(esl.Stmt{Op: esl.UnitEnd})
	} else {
		main.unit("main")
	}
	for i, b := range bodies {
		p.Functions = append(p.Functions, esl.Function{Name: p.Processes[i].Name, Body: b.body})
	}
	return p
}

// joiner writes the body of one function.
type joiner struct{ messenger }

// unit writes a unit of accesses, in critical sections or not.
func (j *joiner) unit(label string) {
	j.emit(esl.Stmt{Op: esl.UnitBegin, Unit: label})
	for range 2 {
		j.section(j.access)
	}
	j.emit(esl.Stmt{Op: esl.UnitEnd})
}

// join writes Joins of most of the processes, which are numbered from 0 here.
func (j *joiner) join(processes []int) {
	for _, i := range processes {
		if j.IntN(6) > 0 {
			j.emit(esl.Stmt{Op: esl.Join, Arg: i + 1})
		}
	}
}

// section writes what is inside, in a critical section as a rule.
func (j *joiner) section(inside func()) {
	lock, take, put := j.IntN(2), esl.LockOp, esl.Unlock
	if lock == 1 && j.IntN(2) == 0 {
		take, put = esl.RLock, esl.RUnlock
	}
	locked := j.IntN(3) > 0
	if locked {
		j.emit(esl.Stmt{Op: take, Arg: lock})
	}
	inside()
	if locked && j.IntN(30) > 0 { // or it is never released
		j.emit(esl.Stmt{Op: put, Arg: lock})
	}
}

// maybeDone writes a Done once in n times.
func (j *joiner) maybeDone(n int) {
	if j.IntN(n) == 0 {
		j.emit(esl.Stmt{Op: esl.Done})
	}
}

// TestJoinedCopies: a process that is missing though it is kept, as it has several copies, leads
// to the whole scope.
func TestJoinedCopies(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	o := Options{Scenarios: scenarios.Table, Engine: naive{Depth: 6}}
	r, err := Check(ctx, load(t, "testdata/joined-copies.esl"), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Findings {
		if u, ok := f.Verdict.(Unknown); ok {
			t.Errorf("scenario %d: %v", f.Scenario.Number, u)
		}
	}
	if _, ok := find(t, r, 6).(Violation); !ok {
		t.Errorf("scenario 6: %v", find(t, r, 6))
	}
}
