package cooperable

import (
	"flag"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/empire-go/empire-go/dynamic/events"
)

var traces = flag.Int("traces", 3000, "how many random traces are checked")

func eachRandom(t *testing.T, do func(text []byte, list []events.Event)) {
	t.Helper()
	for i := range *traces {
		r := rand.New(rand.NewPCG(uint64(i), 21))
		text := random(r, 10+r.IntN(60))
		list := all(t, text)
		if i%2 == 0 {
			others(r, list)
		}
		do(text, list)
		if t.Failed() {
			t.Fatalf("random trace %d", i)
		}
	}
}

// others puts events that the STD format does not have in the place of accesses to variables.
func others(r *rand.Rand, list []events.Event) {
	ops := []events.Op{events.Update, events.Add, events.Add, events.Wait, events.Look, events.TryFailed, events.OnceBegin,
		events.OnceDone, events.OnceEnd}
	for i := range list {
		if list[i].Op.Kind() == events.Variable && r.IntN(3) == 0 {
			list[i].Op = ops[r.IntN(len(ops))]
		}
	}
}

// TestOracle compares the violations of random traces with those by the definition.
func TestOracle(t *testing.T) {
	ops, violations := map[events.Op]bool{}, 0
	eachRandom(t, func(text []byte, list []events.Event) {
		want, got := oracle(list, nil), found(list, Options{})
		if forgetful := found(list, Options{atMost: 1}); !slices.Equal(got, forgetful) {
			t.Errorf("violations at events %v, not %v, when little is kept, of\n%s", forgetful, got, text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("violations at events %v, not %v, of\n%s", got, want, text)
		}
		violations += len(want)
		for _, e := range list {
			ops[e.Op] = true
		}
	})
	t.Logf("%d traces, %d violations, %d kinds of events", *traces, violations, len(ops))
}

// TestInferred checks that a random trace with the yields that are inferred is serializable, and that it is not
// without any one of them.
func TestInferred(t *testing.T) {
	inferred := 0
	eachRandom(t, func(text []byte, list []events.Event) {
		yields := map[int]bool{}
		for _, i := range found(list, Options{Infer: true}) {
			yields[i] = true
		}
		inferred += len(yields)
		if bad := oracle(list, yields); bad != nil {
			t.Errorf("yields before events %v leave violations at %v in\n%s", yields, bad, text)
		}
		for y := range yields {
			delete(yields, y)
			if oracle(list, yields) == nil {
				t.Errorf("the yield before event %d is needless in\n%s", y, text)
			}
			yields[y] = true
		}
	})
	t.Logf("%d traces, %d yields, each of them necessary", *traces, inferred)
}

// TestCycles checks that each cycle that is reported is one: its edges are conflicts in the order of the trace,
// or by one thread, and each leads to the transaction from which the next one starts, or to an earlier
// one of its thread.
func TestCycles(t *testing.T) {
	eachRandom(t, func(text []byte, list []events.Event) {
		index := map[events.Event]int{}
		for i, e := range list {
			index[e] = i
		}
		c := New(Options{Found: func(v Violation) {
			for i, e := range v.Cycle {
				next := v.Cycle[(i+1)%len(v.Cycle)].Before
				if index[e.Before.Event] >= index[e.After.Event] || !events.Conflict(e.Before.Event, e.After.Event) ||
					e.Before.Of.Thread == e.After.Of.Thread ||
					next.Of.Thread != e.After.Of.Thread || next.Of.Number < e.After.Of.Number {
					t.Errorf("edge %d of the cycle %+v is none in\n%s", i, v.Cycle, text)
				}
			}
			if last := v.Cycle[len(v.Cycle)-1].After; last.Event != v.Event || last.Of != v.Cycle[0].Before.Of {
				t.Errorf("the cycle %+v does not come back to the event in\n%s", v.Cycle, text)
			}
		}})
		for _, e := range list {
			c.Add(e)
		}
	})
}
